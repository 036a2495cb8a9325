// Atomic operations whose old value an iteration uses: of each kind one
// instruction, or an update that gives the old value.
// RUN: chi-opt %s --chi-test-lower-iteration --cse | FileCheck %s

!F = !chi.field<8xf32>
!I = !chi.field<8xi32>
!B = !chi.field<8xi1>

// The old value is the result: of a difference, too, which adds the negation.
// CHECK-LABEL: func.func private @sums.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[Y:[a-z0-9]+]]: memref<?xf32>, %[[V:[a-z0-9]+]]: f32,
// CHECK:         %[[OLD:.*]] = memref.atomic_rmw addf %[[V]], %[[X]][
// CHECK:         memref.store %[[OLD]], %[[Y]][
// CHECK:         %[[MINUS:.*]] = arith.negf %[[V]]
// CHECK:         %[[OLD:.*]] = memref.atomic_rmw addf %[[MINUS]], %[[X]][
// CHECK:         memref.store %[[OLD]], %[[Y]][
chi.task @sums(%x: !F, %y: !F, %v: f32, %k: i32) over 0 (%i: i32) {
  %a = chi.atomic add %v, %x[%k : i32] inbounds : f32, !F -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  %b = chi.atomic sub %v, %x[%k : i32] inbounds : f32, !F -> f32
  chi.store %b, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A comparison of floats is one of their bits: a NaN is equal to itself.
// CHECK-LABEL: func.func private @exchanges.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[Y:[a-z0-9]+]]: memref<?xf32>, %[[V:[a-z0-9]+]]: f32, %[[W:[a-z0-9]+]]: f32,
// CHECK:         memref.atomic_rmw assign %[[V]], %[[X]][
// CHECK:         memref.generic_atomic_rmw %[[X]][
// CHECK-NEXT:    ^bb0(%[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[BITS:.*]] = arith.bitcast %[[OLD]] : f32 to i32
// CHECK-NEXT:      %[[ASKED:.*]] = arith.bitcast %[[W]] : f32 to i32
// CHECK-NEXT:      %[[SAME:.*]] = arith.cmpi eq, %[[BITS]], %[[ASKED]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.select %[[SAME]], %[[V]], %[[OLD]]
// CHECK-NEXT:      memref.atomic_yield %[[NEW]]
chi.task @exchanges(%x: !F, %y: !F, %v: f32, %w: f32, %k: i32) over 0 (%i: i32) {
  %a = chi.atomic exchange %v, %x[%k : i32] inbounds : f32, !F -> f32
  %b = chi.atomic cas %v, %x[%k : i32] expects(%w : f32) inbounds : f32, !F -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A load changes nothing.
// CHECK-LABEL: func.func private @loads.grid(
// CHECK:         %[[NOW:.*]] = memref.generic_atomic_rmw %{{.*}} {
// CHECK-NEXT:    ^bb0(%[[OLD:.*]]: i32):
// CHECK-NEXT:      memref.atomic_yield %[[OLD]]
// CHECK-NEXT:    }
// CHECK:         memref.store %[[NOW]]
chi.task @loads(%x: !I, %y: !I, %k: i32) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %a = chi.atomic load %zero, %x[%k : i32] inbounds : i32, !I -> i32
  chi.store %a, %y[%i : i32] inbounds : i32, !I
  chi.next
}

// A truth value is a byte in memory, and one bit as a result.
// CHECK-LABEL: func.func private @truths.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi8>, %[[Y:[a-z0-9]+]]: memref<?xi8>, %[[V:[a-z0-9]+]]: i1,
// CHECK:         %[[BYTE:.*]] = arith.extui %[[V]] : i1 to i8
// CHECK:         %[[OLD:.*]] = memref.atomic_rmw ori %[[BYTE]], %[[X]][
// CHECK:         %[[BIT:.*]] = arith.trunci %[[OLD]] : i8 to i1
// CHECK:         %[[ASKED:.*]] = arith.extui %[[BIT]] : i1 to i8
// CHECK:         memref.generic_atomic_rmw
// CHECK:           arith.cmpi eq, %{{.*}}, %[[ASKED]] : i8
chi.task @truths(%x: !B, %y: !B, %v: i1, %k: i32) over 0 (%i: i32) {
  %a = chi.atomic or %v, %x[%k : i32] inbounds : i1, !B -> i1
  %b = chi.atomic cas %v, %x[%k : i32] expects(%a : i1) inbounds : i1, !B -> i1
  chi.store %b, %y[%i : i32] inbounds : i1, !B
  chi.next
}
