// The adjoint of a task: a forward sweep, then one backwards. See
// docs/design/0028-reverse-mode.md.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// A task that has an adjoint is not differentiated again.
// RUN: chi-opt %s --chi-differentiate=all --chi-differentiate=all | FileCheck %s

// CHECK-LABEL: chi.task @square(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @square.adj>
// CHECK-LABEL: chi.task @square.adj(%arg0: !chi.field<?xf32>, %arg1: !chi.field<?xf32>, %arg2: !chi.field<?xf32>, %arg3: !chi.field<?xf32>)
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 2>
// CHECK:         %[[X:.*]] = chi.load %arg0[%[[I:.*]] : i32] inbounds
// CHECK:         %[[G:.*]] = chi.load %arg3[%[[I]] : i32] inbounds
// What is stored takes the adjoint of the element away.
// CHECK:         chi.store %{{.*}}, %arg3[%[[I]] : i32] inbounds
// CHECK:         %[[A:.*]] = arith.mulf %[[G]], %[[X]] : f32
// CHECK:         chi.accum add %{{.*}}, %arg2[%[[I]] : i32] inbounds
// CHECK-NEXT:    chi.next
chi.task @square(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = arith.mulf %a, %a : f32
  chi.store %b, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// A sum carries nothing that is needed: no tape, and no forward sweep.
// CHECK-LABEL: chi.task @sum.adj(
// CHECK-NOT:     chi.scratch
// CHECK:         chi.load %arg4[] inbounds
// CHECK:         scf.for
// CHECK:           chi.load %arg0
// CHECK:           chi.accum add %{{.*}}, %arg3[
// CHECK-NOT:     scf.for
chi.task @sum(%x: !chi.field<?xf32>, %s: !chi.field<f32>, %n: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !chi.field<?xf32> -> f32
    %b = arith.mulf %a, %a : f32
    %c = arith.addf %t, %b : f32
    scf.yield %c : f32
  }
  chi.store %sum, %s[] inbounds : f32, !chi.field<f32>
  chi.next
}

// A branch is a branch in the backward pass, too.
// CHECK-LABEL: chi.task @guarded.adj(
// CHECK:         %[[C:.*]] = arith.cmpf ogt
// CHECK:         scf.if %[[C]]
// CHECK:           arith.divf
chi.task @guarded(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> f32 {
    %q = arith.divf %one, %a : f32
    scf.yield %q : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// What a loop in a loop carries is kept, one record after the other; its trip
// count may differ from turn to turn.
// CHECK-LABEL: chi.task @nested.adj(
// CHECK-DAG:     %[[TAPE:.*]] = chi.scratch : <?xf32>
// CHECK-DAG:     %[[COUNT:.*]] = chi.local "" : <1xi64>
// CHECK:         scf.for
// CHECK:           chi.reserve %[[TAPE]]
// CHECK:           scf.for
// CHECK:             chi.set %{{.*}}, %[[TAPE]]
// CHECK:         scf.for
// CHECK:           chi.get %[[COUNT]]
// CHECK:           arith.subi
// CHECK:           chi.set %{{.*}}, %[[COUNT]]
// CHECK:           scf.for
// CHECK:             chi.get %[[TAPE]]
chi.task @nested(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%t = %one) -> (f32) : i32 {
    %s = scf.for %k = %c0 to %j step %c1 iter_args(%u = %t) -> (f32) : i32 {
      %a = chi.load %x[%k : i32] inbounds : !chi.field<?xf32> -> f32
      %b = arith.mulf %u, %a : f32
      scf.yield %b : f32
    }
    scf.yield %s : f32
  }
  chi.accum add %r, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// A while loop counts, and is reversed to that count.
// CHECK-LABEL: chi.task @until.adj(
// CHECK:         %[[W:.*]]:2 = scf.while
// CHECK:           chi.reserve
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[W]]#1
chi.task @until(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %big = arith.constant 100.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %r = scf.while (%t = %a) : (f32) -> f32 {
    %c = arith.cmpf olt, %t, %big : f32
    scf.condition(%c) %t : f32
  } do {
  ^bb0(%t: f32):
    %b = arith.mulf %t, %a : f32
    scf.yield %b : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// What an iteration may load again it writes again, in a copy that the tape
// lends.
// CHECK-LABEL: chi.task @again.adj(
// CHECK:         scf.for
// CHECK:           chi.load %arg0
// CHECK:           chi.store %{{.*}}, %arg0
chi.task @again(%x: !chi.field<?xf32>, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
    %b = arith.mulf %a, %a : f32
    chi.store %b, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  }
  chi.next
}

// Integers have no adjoint, nor has code that writes only integers.
// CHECK-LABEL: chi.task @whole(
// CHECK-NOT:     @whole.adj
chi.task @whole(%x: !chi.field<?xf32>, %m: !chi.field<?xi32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = chi.to_int %a : f32 -> i32
  chi.store %b, %m[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.next
}
