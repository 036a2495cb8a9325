// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Where iterations meet, an accumulation is one atomic update. Kinds that the
// hardware lacks, and minima of floats (whose zeros LLVM's leaves open), are
// updates of any kind, which know the old value only inside. They are never
// allowed to be rewritten, even in a task that is not strict.
!I = !chi.field<8xi32>
!D = !chi.field<8xf64>
!H = !chi.field<8xf16>
!B = !chi.field<8xi1>

// CHECK-LABEL: func.func private @integers.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[V:[a-z0-9]+]]: i32,
// CHECK-NOT:     memref.load
chi.task @integers(%x: !I, %v: i32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK-NEXT: memref.atomic_rmw addi %[[V]], %[[X]][%[[AT]]] : (i32, memref<?xi32>) -> i32
  chi.accum add %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw mins %[[V]], %[[X]][%[[AT]]]
  chi.accum min %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw maxs %[[V]], %[[X]][%[[AT]]]
  chi.accum max %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw minu %[[V]], %[[X]][%[[AT]]]
  chi.accum minu %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw maxu %[[V]], %[[X]][%[[AT]]]
  chi.accum maxu %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw andi %[[V]], %[[X]][%[[AT]]]
  chi.accum and %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw ori %[[V]], %[[X]][%[[AT]]]
  chi.accum or %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.atomic_rmw xori %[[V]], %[[X]][%[[AT]]]
  chi.accum xor %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]] : memref<?xi32> {
  // CHECK-NEXT: ^bb0(%[[OLD:.*]]: i32):
  // CHECK-NEXT:   %[[NEW:.*]] = arith.muli %[[OLD]], %[[V]] : i32
  // CHECK-NEXT:   memref.atomic_yield %[[NEW]] : i32
  chi.accum mul %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  chi.next
}

// CHECK-LABEL: func.func private @floats.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64> {llvm.noalias}, %[[V:[a-z0-9]+]]: f64,
chi.task @floats(%x: !D, %v: f64) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      memref.atomic_rmw addf %[[V]], %[[X]][%[[AT]]] : (f64, memref<?xf64>) -> f64
  chi.accum add %v, %x[%i : i32] inbounds strategy(atomic) : f64, !D
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK:        arith.mulf %{{.*}}, %[[V]] : f64
  chi.accum mul %v, %x[%i : i32] inbounds strategy(atomic) : f64, !D
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK-NEXT: ^bb0(%[[OLD0:.*]]: f64):
  // CHECK-NEXT:   arith.minnumf %[[OLD0]], %[[V]] : f64
  chi.accum min %v, %x[%i : i32] inbounds strategy(atomic) : f64, !D
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK-NEXT: ^bb0(%[[OLD1:.*]]: f64):
  // CHECK-NEXT:   arith.maxnumf %[[OLD1]], %[[V]] : f64
  chi.accum max %v, %x[%i : i32] inbounds strategy(atomic) : f64, !D
  chi.next
}

// Halves and bools as they lie in memory.
// CHECK-LABEL: func.func private @narrow.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf16> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<?xi8> {llvm.noalias},
chi.task @narrow(%x: !H, %y: !B, %v: f16, %b: i1) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      memref.atomic_rmw addf %{{.*}}, %[[X]][%[[AT]]] : (f16, memref<?xf16>) -> f16
  chi.accum add %v, %x[%i : i32] inbounds strategy(atomic) : f16, !H
  // CHECK:      %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
  // CHECK-NEXT: memref.atomic_rmw ori %[[BYTE]], %[[Y]][%[[AT]]] : (i8, memref<?xi8>) -> i8
  chi.accum or %b, %y[%i : i32] inbounds strategy(atomic) : i1, !B
  chi.next
}

// What says nothing of how, in many iterations, is atomic; so is each strategy
// that this target has no other form of (strip, gather).
// CHECK-LABEL: func.func private @unsaid.body(
// CHECK-COUNT-3: memref.atomic_rmw addi
// CHECK-NOT:     memref.load
// CHECK:         return
chi.task @unsaid(%x: !I, %v: i32) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] inbounds : i32, !I
  chi.accum add %v, %x[%i : i32] inbounds strategy(panel) : i32, !I
  chi.accum add %v, %x[%i : i32] inbounds strategy(gather) : i32, !I
  chi.next
}
