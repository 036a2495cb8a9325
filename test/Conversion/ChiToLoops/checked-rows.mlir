// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse --canonicalize | FileCheck %s
// RUN: chi-opt %s --chi-schedule=without=versioned-rows --convert-chi-to-loops | FileCheck %s --check-prefix=WITHOUT

// An index that descends: LLVM cannot count the iterations up to the first that
// is out of bounds. A test of the first and the last index comes before the
// loop; it takes 64 bits, in which neither wraps.
// CHECK-LABEL: func.func private @descend.body(
// CHECK-SAME:    %[[B:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[D:[a-z0-9]+]]: i32,
// CHECK:         %[[START:.*]] = arith.subi %[[D]], %[[LOW:.*]] : i32
// CHECK:         %[[FIRST:.*]] = arith.cmpi ult, %[[START]], %c100_i32 : i32
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[START]] : i32 to i64
// CHECK:         %[[LAST:.*]] = arith.cmpi ult, %{{.*}}, %c100_i64 : i64
// CHECK:         %[[HOLDS:.*]] = arith.andi %[[FIRST]], %[[LAST]] : i1
// CHECK:         scf.if %[[HOLDS]] {
// CHECK-NEXT:      scf.for %[[I:.*]] = %[[LOW]] to
// CHECK-NEXT:        %[[BY:.*]] = arith.subi %[[I]], %[[LOW]] overflow<nsw> : i32
// CHECK-NEXT:        %[[AT:.*]] = arith.subi %[[START]], %[[BY]] overflow<nsw, nuw> : i32
// CHECK-NEXT:        %[[TO:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK-NEXT:        memref.store %{{.*}}, %[[B]][%[[TO]]]
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK:             chi.check bounds
// CHECK:             memref.store
// WITHOUT-LABEL: func.func private @descend.body(
// WITHOUT-NOT:     scf.if
// WITHOUT:         return
chi.task @descend(%b: !chi.field<100xf32>, %d: i32, %v: f32) over 0 (%i: i32) {
  %c100 = arith.constant 100 : i32
  %at = arith.subi %d, %i : i32
  %in = arith.cmpi ult, %at, %c100 : i32
  chi.check bounds %in (%at, %c100 : i32, i32) {what = "b", site = 0 : i64}
  chi.store %v, %b[%at : i32] inbounds : f32, !chi.field<100xf32>
  chi.next
}

// Every third element.
// CHECK-LABEL: func.func private @thirds.body(
// CHECK:         scf.if
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        %[[BY:.*]] = arith.subi
// CHECK-NEXT:        %[[THRICE:.*]] = arith.muli %[[BY]], %c3_i32 overflow<nsw, nuw> : i32
// CHECK-NEXT:        arith.addi %{{.*}}, %[[THRICE]] overflow<nsw, nuw> : i32
chi.task @thirds(%b: !chi.field<100xf32>, %d: i32, %v: f32) over 0 (%i: i32) {
  %c100 = arith.constant 100 : i32
  %c3 = arith.constant 3 : i32
  %thrice = arith.muli %i, %c3 : i32
  %at = arith.addi %thrice, %d : i32
  %in = arith.cmpi ult, %at, %c100 : i32
  chi.check bounds %in (%at, %c100 : i32, i32) {what = "b", site = 0 : i64}
  chi.store %v, %b[%at : i32] inbounds : f32, !chi.field<100xf32>
  chi.next
}

// LLVM counts an index that ascends by one, so there is one loop.
// CHECK-LABEL: func.func private @ascend.body(
// CHECK-NOT:     scf.if
// CHECK:         return
chi.task @ascend(%b: !chi.field<100xf32>, %d: i32, %v: f32) over 0 (%i: i32) {
  %c100 = arith.constant 100 : i32
  %at = arith.addi %d, %i : i32
  %in = arith.cmpi ult, %at, %c100 : i32
  chi.check bounds %in (%at, %c100 : i32, i32) {what = "b", site = 0 : i64}
  chi.store %v, %b[%at : i32] inbounds : f32, !chi.field<100xf32>
  chi.next
}
