// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s --check-prefix=ONE

// A tape launches an adjoint task: the task has an entry and a descriptor, to
// which that of its primal refers, though nothing in the module launches it.
// Without recorded forms it has neither.

// CHECK-DAG: @k.t0.task() {{.*}}chi.members = [7 : i32, 1 : i32, 3 : i32, 0 : i32, @{{.*}}, @{{.*}}, @{{.*}}, @[[NAMES:chi.text.[0-9a-f]+]], @k.t0.launch, @k.t0.adj.task, unit, @[[BOXES:chi.boxes.[0-9a-f]+]], 7, unit, unit, 0, unit, unit, unit, 0, unit]
// CHECK-DAG: @[[NAMES]]("x, y, \00")
// CHECK-DAG: @k.t0.adj.task() {{.*}}chi.members = [7 : i32, 1 : i32, 5 : i32, 0 : i32, @{{.*}}, @{{.*}}, @[[ARGUMENTS:chi.arguments.[0-9a-f]+]], @{{.*}}, @k.t0.adj.launch, unit, unit, unit, 0, unit, unit, 0, unit, unit, unit, 0, unit]
// CHECK-DAG: @[[BOXES]]("\01\00\00\00\00\00\00\00\02\00
// x is read, y is not looked at, m is none of floats; both adjoints are updated.
// CHECK-DAG: @[[ARGUMENTS]]("\0B\01\01\01\0B\01\01\00\03\01\01\00\0B\01\01\03\0B\01\01\03")
// CHECK: func.func private @k.t0.adj.body(
// CHECK: func.func private @k.t0.adj.launch(
// Both adjoints are written and might be one field by their types; a tape never
// launches them so.
// CHECK-NOT: @k.t0.adj.may_alias
// The table has what the kernel launches itself.
// CHECK-NOT: chi.members = [@k.t0.task, @k.t0.adj.task]

// ONE-NOT: .launch(
// ONE: func.func private @k.t0.adj.body(
!F = !chi.field<?xf32>
!I = !chi.field<?xi32>
#facts = #chi.facts<from = [?], to = [?], inputs = [?, ?, ?], noalias = [], cells = []>
chi.task @k.t0(%x: !F, %y: !F, %m: !I) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"], adjoint = #chi.adjoint<task = @k.t0.adj>, chi.boxes = array<i64: 1, 2, 1, 0, 5, 0, 5>,
                effects = #chi.effects<reads = [0], writes = [1], overwrites = [1]>} {
  %v = chi.load %x[%i : i32] inbounds {field_name = "x"} : !F -> f32
  %w = arith.mulf %v, %v : f32
  chi.store %w, %y[%i : i32] inbounds {field_name = "y"} : f32, !F
  chi.next
}
chi.task @k.t0.adj(%x: !F, %y: !F, %m: !I, %x_adj: !F, %y_adj: !F) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"], adjoint = #chi.adjoint<numPrimal = 3>,
                effects = #chi.effects<reads = [0, 3, 4], writes = [3, 4], overwrites = []>} {
  %zero = arith.constant 0.0 : f32
  %b = chi.load %y_adj[%i : i32] inbounds : !F -> f32
  chi.store %zero, %y_adj[%i : i32] inbounds : f32, !F
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %p = arith.mulf %b, %v : f32
  %q = arith.addf %p, %p : f32
  chi.accum add %q, %x_adj[%i : i32] inbounds strategy(plain) : f32, !F
  chi.next
}
func.func @k(%x: !F, %y: !F, %m: !I) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !F -> i32
  chi.launch @k.t0(%x, %y, %m : !F, !F, !I) from (%c0 : i32) to (%n : i32)
  return
}
