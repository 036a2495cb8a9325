// The iterations of a gathered sum: which sums share a task, how its loops
// begin and end, and which elements have one.
// RUN: chi-opt %s --chi-scatter-to-gather | FileCheck %s

!X = !chi.field<64xf32>
!Y = !chi.field<64xf32>

// Two sums of one loop over the same elements: one task, one loop.
// CHECK-LABEL: chi.task @shared.sum0(
// CHECK:         %[[SUMS:.*]]:2 = scf.for
// CHECK-NOT:     scf.for
// CHECK-DAG:     chi.accum add %[[SUMS]]#0, %arg1[
// CHECK-DAG:     chi.accum add %[[SUMS]]#1, %arg2[
// CHECK-NOT:   @shared.sum1
// CHECK-LABEL: chi.task @shared(
// CHECK-SAME:    prologue = @shared.sum0
// CHECK-NOT:     scf.for
// CHECK:         chi.next
chi.task @shared(%x: !X, %xb: !X, %yb: !Y) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    %b = chi.load %x[%j : i32] inbounds : !X -> f32
    %p = arith.mulf %a, %b : f32
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
    chi.accum add %p, %yb[%j : i32] inbounds : f32, !Y
  }
  chi.next
}

// Of two loops: two tasks, one before the other.
// CHECK-LABEL: chi.task @loops.sum0(
// CHECK:         chi.accum add %{{.*}}, %arg1[
// CHECK-LABEL: chi.task @loops.sum1(
// CHECK-SAME:    prologue = @loops.sum0
// CHECK:         chi.accum add %{{.*}}, %arg2[
// CHECK-LABEL: chi.task @loops(
// CHECK-SAME:    prologue = @loops.sum1
chi.task @loops(%x: !X, %xb: !X, %yb: !Y) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %yb[%j : i32] inbounds : f32, !Y
  }
  chi.next
}

// The triangle t <= j: an element has the terms of all t up to its own.
// CHECK-LABEL: chi.task @triangle.sum0(
// CHECK-SAME:    (%[[J:.*]]: i32) attributes
// CHECK:         %[[END:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK:         scf.for %[[T:.*]] = %c0_i32{{.*}} to %[[END]]
// CHECK:           chi.load %arg0[%[[T]] : i32]
chi.task @triangle(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %t to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// Reversed: the element is 63 - j.
// CHECK-LABEL: chi.task @reversed.sum0(
// CHECK-SAME:    (%[[E:.*]]: i32) attributes
// CHECK-SAME:    from = [= 0], to = [= 64]
// CHECK:         %[[J:.*]] = arith.subi %c63_i32{{.*}}, %[[E]]
// CHECK:         scf.for %[[T:.*]] = %c0_i32{{.*}} to %c64_i32
// CHECK:           chi.load %arg2[%[[T]], %[[J]] : i32, i32]
// CHECK:         chi.accum add %{{.*}}, %arg1[%[[E]] : i32]
chi.task @reversed(%x: !X, %xb: !X, %w: !chi.field<64x64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    %a = chi.load %w[%t, %j : i32, i32] inbounds : !chi.field<64x64xf32> -> f32
    %e = arith.subi %c63, %j : i32
    chi.accum add %a, %xb[%e : i32] inbounds : f32, !X
  }
  chi.next
}

// A condition between the loop and the sum: if it fails, the sum stays.
// CHECK-LABEL: chi.task @sides.sum0(
// CHECK:         scf.for
// CHECK:           scf.if %{{.*}} -> (f32) {
// CHECK:             math.exp
// CHECK:           } else {
// CHECK:           }
// CHECK:         chi.accum add
// CHECK-NOT:     chi.accum
// CHECK:         chi.next
chi.task @sides(%x: !X, %xb: !X, %n: i32) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    %c = arith.cmpi slt, %j, %n : i32
    scf.if %c {
      %e = math.exp %a : f32
      chi.accum add %e, %xb[%j : i32] inbounds : f32, !X
    }
  }
  chi.next
}

// The end of the loop is data of the iteration: no inequality.
// CHECK-NOT:   @limit.sum0
// CHECK-LABEL: chi.task @limit(
chi.task @limit(%x: !X, %xb: !X, %n: !chi.field<64xi32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  %to = chi.load %n[%t : i32] inbounds : !chi.field<64xi32> -> i32
  scf.for %j = %c0 to %to step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// Half as many elements as iterations are enough, fewer are not.
// CHECK-LABEL: chi.task @half.sum0(
// CHECK-SAME:    to = [= 32]
// CHECK-NOT:   @few.sum0
// CHECK-LABEL: chi.task @few(
chi.task @half(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c32 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}
chi.task @few(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c31 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}
