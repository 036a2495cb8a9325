// How often a counted loop runs: the distance less one, without a sign, by the
// step, plus one; none if it is not in the step's direction.
// RUN: chi-opt %s --chi-structure | FileCheck %s

!S = !chi.field<i32>

// Up by three.
// CHECK-LABEL: func.func @up(
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %arg0, %arg1
// CHECK:         %[[FAR:.*]] = arith.subi %arg1, %arg0
// CHECK:         %[[LESS:.*]] = arith.subi %[[FAR]], %c1_i32
// CHECK:         %[[QUOTIENT:.*]] = arith.divui %[[LESS]], %c3_i32
// CHECK:         %[[MORE:.*]] = arith.addi %[[QUOTIENT]], %c1_i32
// CHECK:         %[[COUNT:.*]] = arith.select %[[SOME]], %[[MORE]], %c0_i32
// CHECK:         scf.for %[[K:.*]] = %c0_i32{{.*}} to %[[COUNT]] step %c1_i32
// CHECK:           %[[BY:.*]] = arith.muli %[[K]], %c3_i32
// CHECK:           %[[I:.*]] = arith.addi %arg0, %[[BY]]
// CHECK:           chi.store %[[I]]
func.func @up(%a: i32, %b: i32, %s: !S) {
  %c3 = arith.constant 3 : i32
  chi.for %i = %a to %b step %c3 : i32 {
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// Down by three: the same with the ends exchanged; the variable still begins
// at the first of them, and the step is negative.
// CHECK-LABEL: func.func @down(
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %arg1, %arg0
// CHECK:         %[[FAR:.*]] = arith.subi %arg0, %arg1
// CHECK:         arith.divui %{{.*}}, %c3_i32
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           %[[BY:.*]] = arith.muli %[[K]], %c-3_i32
// CHECK:           arith.addi %arg0, %[[BY]]
func.func @down(%a: i32, %b: i32, %s: !S) {
  %m3 = arith.constant -3 : i32
  chi.for %i = %a to %b step %m3 : i32 {
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// A step that only the run knows: its sign chooses the ends, its size divides;
// zero, which a check has refused, would be one.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %[[UP:.*]] = arith.cmpi sgt, %arg2, %c0_i32
// CHECK:         %[[MINUS:.*]] = arith.subi %c0_i32{{.*}}, %arg2
// CHECK:         %[[SIZE:.*]] = arith.select %[[UP]], %arg2, %[[MINUS]]
// CHECK:         %[[STRIDE:.*]] = arith.maxui %[[SIZE]], %c1_i32
// CHECK:         %[[LOW:.*]] = arith.select %[[UP]], %arg0, %arg1
// CHECK:         %[[HIGH:.*]] = arith.select %[[UP]], %arg1, %arg0
// CHECK:         arith.cmpi slt, %[[LOW]], %[[HIGH]]
// CHECK:         arith.divui %{{.*}}, %[[STRIDE]]
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           arith.muli %[[K]], %arg2
func.func @unknown(%a: i32, %b: i32, %by: i32, %s: !S) {
  chi.for %i = %a to %b step %by : i32 {
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// Constants: the distance, 220, is an i8 without a sign: 219 / 7 + 1 = 32.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:     arith.divui
// CHECK:         %[[COUNT:.*]] = arith.constant 32 : i8
// CHECK:         scf.for %{{.*}} to %[[COUNT]]
func.func @wide(%s: !chi.field<i8>) {
  %a = arith.constant -100 : i8
  %b = arith.constant 120 : i8
  %c7 = arith.constant 7 : i8
  chi.for %i = %a to %b step %c7 : i8 {
    chi.store %i, %s[] : i8, !chi.field<i8>
    chi.next
  }
  chi.return
}

// A loop that may be left counts in the same way.
// CHECK-LABEL: func.func @left(
// CHECK:         %[[COUNT:.*]] = arith.select
// CHECK:         scf.while (%[[K:.*]] = %c0_i32{{[_0-9]*}}) : (i32) -> i32 {
// CHECK:           arith.cmpi slt, %[[K]], %[[COUNT]]
// CHECK:         } do {
// CHECK:         ^bb0(%[[K:.*]]: i32):
// CHECK:           %[[BY:.*]] = arith.muli %[[K]], %c2_i32
// CHECK:           %[[I:.*]] = arith.addi %arg0, %[[BY]]
// CHECK:           chi.store %[[I]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[K]], %c1_i32{{.*}} overflow<nsw>
// CHECK:           scf.yield %[[NEXT]]
func.func @left(%a: i32, %b: i32, %c: i1, %s: !S) {
  %c2 = arith.constant 2 : i32
  chi.for %i = %a to %b step %c2 : i32 {
    chi.if %c {
      chi.break
    }
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// A progress bar gets the number of iterations, as 64 bits, also of a plain loop.
// CHECK-LABEL: func.func @bar(
// CHECK:         %[[COUNT:.*]] = arith.select
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[COUNT]] : i32 to i64
// CHECK:         chi.rt "chirt_progress_begin"(%[[WIDE]])
// CHECK:         scf.for %{{.*}} = %arg0 to %arg1
// CHECK:           chi.rt "chirt_progress_step"
// CHECK:         }
// CHECK-NEXT:    chi.rt "chirt_progress_end"
func.func @bar(%a: i32, %b: i32, %s: !S) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 progress {
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}
