// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" | FileCheck %s

// A task that fuses another one with its adjoint has an entry and a descriptor, to which that of the primal refers. The
// last launch of its kernel is passed to the run time by a function of its own, in the recorded form.

// CHECK-DAG: @k.t0.task() {{.*}}chi.members = [{{.*}}, @k.t0.launch, @k.t0.adj.task, {{.*}}, unit, @k.t0.adj.both.task, unit, 0, unit]
// CHECK-DAG: @k.t0.adj.both.task() {{.*}}chi.members = [{{.*}}, @k.t0.adj.both.launch, unit, {{.*}}, unit, unit, unit, 0, unit]
// CHECK-LABEL: func.func @k(
// CHECK-NOT:     chirt_launch
// CHECK-LABEL: func.func private @k.rec(
// CHECK:         llvm.call @chirt_launch(
// CHECK:         llvm.call @chirt_launch_last(
// CHECK-NOT:     chirt_launch
!F = !chi.field<f64>
#facts = #chi.facts<inputs = [?, ?], noalias = [], cells = []>
#all = #chi.facts<inputs = [?, ?, ?, ?], noalias = [], cells = []>
func.func @k(%x: !F, %s: !F) attributes {chi.control} {
  chi.launch @k.t0(%x, %s : !F, !F)
  chi.launch @k.t0(%x, %s : !F, !F) {last}
  return
}
chi.task @k.t0(%x: !F, %s: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<task = @k.t0.adj, fused = @k.t0.adj.both>, facts = #facts,
                effects = #chi.effects<reads = [0, 1], writes = [1], overwrites = []>} {
  %v = chi.load %x[] inbounds : !F -> f64
  chi.accum add %v, %s[] inbounds strategy(plain) : f64, !F
  chi.next
}
chi.task @k.t0.adj(%x: !F, %s: !F, %xb: !F, %sb: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 2>, facts = #all,
                effects = #chi.effects<reads = [2, 3], writes = [2], overwrites = []>} {
  %v = chi.load %sb[] inbounds : !F -> f64
  chi.accum add %v, %xb[] inbounds strategy(plain) : f64, !F
  chi.next
}
chi.task @k.t0.adj.both(%x: !F, %s: !F, %xb: !F, %sb: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 2>, facts = #all,
                effects = #chi.effects<reads = [0, 1, 2, 3], writes = [1, 2], overwrites = []>} {
  %v = chi.load %x[] inbounds : !F -> f64
  chi.accum add %v, %s[] inbounds strategy(plain) : f64, !F
  %b = chi.load %sb[] inbounds : !F -> f64
  chi.accum add %b, %xb[] inbounds strategy(plain) : f64, !F
  chi.next
}
