// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-schedule="without=loop-peeling" --convert-chi-to-loops --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

// In the middle of a row each comparison of the variable with a constant is
// true or false, and so is what is taken of a minimum or maximum. Rows of 100
// columns from 0 on; the middle is where nothing changes.
!F = !chi.field<8x100xi32>

// Without the split every row is one loop, as written.
// WHOLE-LABEL: func.func private @compare.body(
// WHOLE-COUNT-2: scf.for
// WHOLE-NOT:     scf.for
// WHOLE:         return

// j < 2, j >= 98, j == 1, j != 99, unsigned j < 98: from 2 to 97 all are known,
// and what they choose of 1 and 2 sums up to a constant: 2 + 2 + 2 + 1 + 1.
// CHECK-LABEL: func.func private @compare.body(
// CHECK:         scf.for
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK-NOT:         arith.cmpi
// CHECK:             memref.store %c8_i32
// CHECK:           scf.for %[[K:.*]] = %c0_i32 to %{{.*}} step %c1_i32 : i32 {
// CHECK:             arith.cmpi slt
chi.task @compare(%x: !F) over 0 (%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c98 = arith.constant 98 : i32
  %c99 = arith.constant 99 : i32
  %a = arith.cmpi slt, %j, %two : i32
  %b = arith.cmpi sge, %j, %c98 : i32
  %c = arith.cmpi eq, %j, %one : i32
  %d = arith.cmpi ne, %j, %c99 : i32
  %e = arith.cmpi ult, %j, %c98 : i32
  %p = arith.select %a, %one, %two : i32
  %q = arith.select %b, %one, %two : i32
  %r = arith.select %c, %one, %two : i32
  %s = arith.select %d, %one, %two : i32
  %t = arith.select %e, %one, %two : i32
  %0 = arith.addi %p, %q : i32
  %1 = arith.addi %0, %r : i32
  %2 = arith.addi %1, %s : i32
  %3 = arith.addi %2, %t : i32
  chi.store %3, %x[%i, %j : i32, i32] inbounds : i32, !F
  chi.next
}

// Constants on the left count as well, of minima and maxima; a bound that the
// whole row is past gives itself. max(3, j) is j from 3 on, min(j, 200) is j,
// max(j, 200) is 200.
// CHECK-LABEL: func.func private @clamp.body(
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK-NOT:         arith.maxsi
// CHECK-NOT:         arith.minsi
// CHECK-DAG:         %[[A:.*]] = arith.addi %[[J]], %[[J]] : i32
// CHECK-DAG:         %[[B:.*]] = arith.addi %[[A]], %c200_i32 : i32
// CHECK:             memref.store %[[B]]
// CHECK:           scf.for
// CHECK:             arith.maxsi
// CHECK:           }
chi.task @clamp(%x: !F) over 0 (%i: i32, %j: i32) {
  %three = arith.constant 3 : i32
  %c200 = arith.constant 200 : i32
  %a = arith.maxsi %three, %j : i32
  %b = arith.minsi %j, %c200 : i32
  %c = arith.maxsi %j, %c200 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0, %c : i32
  chi.store %1, %x[%i, %j : i32, i32] inbounds : i32, !F
  chi.next
}

// The variable may be behind a wider type, and behind what is known in the
// middle itself: ((j - 2) mod 100 + 3) mod 100 is j + 1 from 2 to 98.
// CHECK-LABEL: func.func private @nested.body(
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK-NOT:         arith.remsi
// CHECK:             memref.store
// CHECK:           scf.for
// CHECK:             arith.remsi
// CHECK:             arith.remsi
chi.task @nested(%x: !F) over 0 (%i: i32, %j: i32) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %n = arith.constant 100 : i64
  %w = arith.extsi %j : i32 to i64
  %a = arith.subi %w, %two : i64
  %b = chi.floormod %a, %n : i64
  %c = arith.addi %b, %three : i64
  %d = chi.floormod %c, %n : i64
  %e = arith.trunci %d : i64 to i32
  chi.store %e, %x[%i, %j : i32, i32] inbounds : i32, !F
  chi.next
}

// No split: an edge of more than 8 iterations; a remainder by what is not
// known; an unsigned remainder; a comparison with another variable.
// CHECK-LABEL: func.func private @none.body(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             arith.cmpi slt
// CHECK:             arith.remui
// CHECK:             arith.cmpi slt
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @none(%x: !F, %n: i32) over 0 (%i: i32, %j: i32) {
  %c9 = arith.constant 9 : i32
  %c100 = arith.constant 100 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = arith.cmpi slt, %j, %c9 : i32
  %b = arith.addi %j, %one : i32
  %c = chi.floormod %b, %c100 unsigned : i32
  %d = arith.cmpi slt, %j, %i : i32
  %e = arith.select %a, %c, %one : i32
  %f = arith.select %d, %e, %two : i32
  chi.store %f, %x[%i, %j : i32, i32] inbounds : i32, !F
  chi.next
}

// A middle of less than 32 is not worth it: rows of 33 with two edges.
// CHECK-LABEL: func.func private @narrow.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
!N = !chi.field<8x33xi32>
chi.task @narrow(%x: !N) over 0 (%i: i32, %j: i32) {
  %z = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %a = arith.cmpi eq, %j, %z : i32
  %b = arith.cmpi eq, %j, %c32 : i32
  %c = arith.ori %a, %b : i1
  %e = arith.extui %c : i1 to i32
  chi.store %e, %x[%i, %j : i32, i32] inbounds : i32, !N
  chi.next
}
// Rows of 34 are.
// CHECK-LABEL: func.func private @wider.body(
// CHECK-COUNT-3: scf.for
!W = !chi.field<8x34xi32>
chi.task @wider(%x: !W) over 0 (%i: i32, %j: i32) {
  %z = arith.constant 0 : i32
  %c33 = arith.constant 33 : i32
  %a = arith.cmpi eq, %j, %z : i32
  %b = arith.cmpi eq, %j, %c33 : i32
  %c = arith.ori %a, %b : i1
  %e = arith.extui %c : i1 to i32
  chi.store %e, %x[%i, %j : i32, i32] inbounds : i32, !W
  chi.next
}
