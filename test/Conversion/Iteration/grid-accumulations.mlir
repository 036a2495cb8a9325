// Accumulations of iterations that run at the same time: each kind, each
// strategy, each scalar.
// RUN: chi-opt %s --chi-test-lower-iteration | FileCheck %s

!F = !chi.field<8xf32>
!I = !chi.field<8xi32>
!B = !chi.field<8xi1>

// Floats: memory has an addition only. Others are updates that repeat until no
// other thread was faster; LLVM's own extremes leave the sign of a zero open.
// CHECK-LABEL: func.func private @floats.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[V:[a-z0-9]+]]: f32,
// CHECK:         memref.atomic_rmw addf %[[V]], %[[X]][
// CHECK:         memref.generic_atomic_rmw %[[X]][
// CHECK-NEXT:    ^bb0(%[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[NEW:.*]] = arith.minnumf %[[OLD]], %[[V]]
// CHECK-NEXT:      memref.atomic_yield %[[NEW]]
// CHECK:         memref.generic_atomic_rmw %[[X]][
// CHECK:           arith.maxnumf
// CHECK:         memref.generic_atomic_rmw %[[X]][
// CHECK:           arith.mulf
// CHECK-NOT:     memref.store
// CHECK:         return
chi.task @floats(%x: !F, %v: f32, %k: i32) over 0 (%i: i32) {
  chi.accum add %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.accum min %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.accum max %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.accum mul %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.next
}

// Integers, with a sign and without.
// CHECK-LABEL: func.func private @integers.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32>, %[[V:[a-z0-9]+]]: i32,
// CHECK:         memref.atomic_rmw addi %[[V]], %[[X]][
// CHECK:         memref.generic_atomic_rmw %[[X]][
// CHECK:           arith.muli
// CHECK:         memref.atomic_rmw mins %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw maxs %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw minu %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw maxu %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw andi %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw ori %[[V]], %[[X]][
// CHECK:         memref.atomic_rmw xori %[[V]], %[[X]][
chi.task @integers(%x: !I, %v: i32, %k: i32) over 0 (%i: i32) {
  chi.accum add %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum mul %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum min %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum max %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum minu %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum maxu %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum and %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum or %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.accum xor %v, %x[%k : i32] inbounds strategy(atomic) : i32, !I
  chi.next
}

// A truth value is a byte in memory.
// CHECK-LABEL: func.func private @truths.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi8>, %[[V:[a-z0-9]+]]: i1,
// CHECK:         %[[BYTE:.*]] = arith.extui %[[V]] : i1 to i8
// CHECK:         memref.atomic_rmw ori %[[BYTE]], %[[X]][
// CHECK:         %[[BYTE:.*]] = arith.extui %[[V]] : i1 to i8
// CHECK:         %[[AND:.*]] = arith.andi %{{.*}}, %[[BYTE]] : i8
// CHECK:         memref.store %[[AND]], %[[X]][
chi.task @truths(%x: !B, %v: i1, %k: i32) over 0 (%i: i32) {
  chi.accum or %v, %x[%k : i32] inbounds strategy(atomic) : i1, !B
  chi.accum and %v, %x[%i : i32] inbounds strategy(plain) : i1, !B
  chi.next
}

// Each strategy but the plain one meets other threads here: there are no copies
// and no order.
// CHECK-LABEL: func.func private @strategies.grid(
// CHECK-COUNT-3: memref.atomic_rmw addf
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         %[[OLD:.*]] = memref.load
// CHECK:         %[[SUM:.*]] = arith.addf %[[OLD]],
// CHECK-NEXT:    memref.store %[[SUM]]
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         return
chi.task @strategies(%x: !F, %v: f32, %k: i32) over 0 (%i: i32) {
  chi.accum add %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.accum add %v, %x[%k : i32] inbounds strategy(privatized) : f32, !F
  chi.accum add %v, %x[%k : i32] inbounds strategy(deterministic) : f32, !F
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) : f32, !F
  chi.next
}

// A single iteration meets nobody.
// CHECK-LABEL: func.func private @alone.grid(
// CHECK-NOT:     atomic
// CHECK:         memref.load
// CHECK:         arith.mulf
// CHECK:         memref.store
// CHECK-NOT:     atomic
// CHECK:         return
chi.task @alone(%x: !F, %v: f32, %k: i32) () {
  chi.accum mul %v, %x[%k : i32] inbounds strategy(atomic) : f32, !F
  chi.next
}
