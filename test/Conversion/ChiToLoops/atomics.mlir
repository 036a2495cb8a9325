// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// An atomic operation of the language gives the old value, as it is typed in
// the language. What the hardware has not is an update of any kind.
!I = !chi.field<8xi32>
!F = !chi.field<8xf32>
!B = !chi.field<8xi1>

// CHECK-LABEL: func.func private @integers.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[R:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[V:[a-z0-9]+]]: i32,
chi.task @integers(%x: !I, %r: !chi.field<9x8xi32>, %v: i32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      %[[OLD:.*]] = memref.atomic_rmw addi %[[V]], %[[X]][%[[AT]]]
  %0 = chi.atomic add %v, %x[%i : i32] inbounds : i32, !I -> i32
  // A difference is a sum with the other sign.
  // CHECK:      %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[MINUS:.*]] = arith.subi %[[ZERO]], %[[V]] : i32
  // CHECK-NEXT: memref.atomic_rmw addi %[[MINUS]], %[[X]][%[[AT]]]
  %1 = chi.atomic sub %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw mins %[[V]], %[[X]][%[[AT]]]
  %2 = chi.atomic min %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw maxs %[[V]], %[[X]][%[[AT]]]
  %3 = chi.atomic max %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw minu %[[V]], %[[X]][%[[AT]]]
  %4 = chi.atomic minu %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw maxu %[[V]], %[[X]][%[[AT]]]
  %5 = chi.atomic maxu %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw andi %[[V]], %[[X]][%[[AT]]]
  %6 = chi.atomic and %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw ori %[[V]], %[[X]][%[[AT]]]
  %7 = chi.atomic or %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw xori %[[V]], %[[X]][%[[AT]]]
  %8 = chi.atomic xor %v, %x[%i : i32] inbounds : i32, !I -> i32
  // CHECK:      memref.atomic_rmw assign %[[V]], %[[X]][%[[AT]]]
  %9 = chi.atomic exchange %v, %x[%i : i32] inbounds : i32, !I -> i32
  // The old value, not the new one, goes on.
  // CHECK:      memref.store %[[OLD]], %[[R]]
  %z = arith.constant 0 : i32
  chi.store %0, %r[%z, %i : i32, i32] inbounds : i32, !chi.field<9x8xi32>
  chi.next
}

// CHECK-LABEL: func.func private @floats.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[V:[a-z0-9]+]]: f32,
chi.task @floats(%x: !F, %v: f32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      memref.atomic_rmw addf %[[V]], %[[X]][%[[AT]]]
  %0 = chi.atomic add %v, %x[%i : i32] inbounds : f32, !F -> f32
  // CHECK:      %[[MINUS:.*]] = arith.negf %[[V]] : f32
  // CHECK-NEXT: memref.atomic_rmw addf %[[MINUS]], %[[X]][%[[AT]]]
  %1 = chi.atomic sub %v, %x[%i : i32] inbounds : f32, !F -> f32
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK:        arith.minnumf %{{.*}}, %[[V]] : f32
  %2 = chi.atomic min %v, %x[%i : i32] inbounds : f32, !F -> f32
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK:        arith.maxnumf %{{.*}}, %[[V]] : f32
  %3 = chi.atomic max %v, %x[%i : i32] inbounds : f32, !F -> f32
  // CHECK:      memref.atomic_rmw assign %[[V]], %[[X]][%[[AT]]] : (f32, memref<?xf32>) -> f32
  %4 = chi.atomic exchange %v, %x[%i : i32] inbounds : f32, !F -> f32
  chi.next
}

// Compare and swap: integers by value, floats by their bits (a NaN is equal to
// itself, the zeros are not equal); the new value if it was the expected one,
// else what was there.
// CHECK-LABEL: func.func private @swaps.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[V:[a-z0-9]+]]: i32, %[[E:[a-z0-9]+]]: i32, %[[W:[a-z0-9]+]]: f32, %[[D:[a-z0-9]+]]: f32,
chi.task @swaps(%x: !I, %y: !F, %v: i32, %e: i32, %w: f32, %d: f32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      memref.generic_atomic_rmw %[[X]][%[[AT]]]
  // CHECK-NEXT: ^bb0(%[[OLD:.*]]: i32):
  // CHECK-NEXT:   %[[SAME:.*]] = arith.cmpi eq, %[[OLD]], %[[E]] : i32
  // CHECK-NEXT:   %[[NEW:.*]] = arith.select %[[SAME]], %[[V]], %[[OLD]] : i32
  // CHECK-NEXT:   memref.atomic_yield %[[NEW]] : i32
  %0 = chi.atomic cas %v, %x[%i : i32] expects(%e : i32) inbounds : i32, !I -> i32
  // CHECK:      memref.generic_atomic_rmw %[[Y]][%[[AT]]]
  // CHECK-NEXT: ^bb0(%[[WAS:.*]]: f32):
  // CHECK-NEXT:   %[[LEFT:.*]] = arith.bitcast %[[WAS]] : f32 to i32
  // CHECK-NEXT:   %[[RIGHT:.*]] = arith.bitcast %[[D]] : f32 to i32
  // CHECK-NEXT:   %[[EQUAL:.*]] = arith.cmpi eq, %[[LEFT]], %[[RIGHT]] : i32
  // CHECK-NEXT:   arith.select %[[EQUAL]], %[[W]], %[[WAS]] : f32
  %1 = chi.atomic cas %w, %y[%i : i32] expects(%d : f32) inbounds : f32, !F -> f32
  chi.next
}

// A load yields what it got, untouched; that makes it a load in the end.
// CHECK-LABEL: func.func private @loads.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}
// CHECK:         %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[OLD:.*]] = memref.generic_atomic_rmw %[[X]][%[[AT]]]
// CHECK-NEXT:    ^bb0(%[[IS:.*]]: i32):
// CHECK-NEXT:      memref.atomic_yield %[[IS]] : i32
// CHECK:         memref.atomic_rmw assign %[[OLD]], %[[X]][%[[AT]]]
chi.task @loads(%x: !I, %v: i32) over 0 (%i: i32) {
  %0 = chi.atomic load %v, %x[%i : i32] inbounds : i32, !I -> i32
  %1 = chi.atomic exchange %0, %x[%i : i32] inbounds : i32, !I -> i32
  chi.next
}

// A bool goes in as a byte and comes out as a bit.
// CHECK-LABEL: func.func private @bools.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi8> {llvm.noalias}, %[[V:[a-z0-9]+]]: i1,
// CHECK:         %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[BYTE:.*]] = arith.extui %[[V]] : i1 to i8
// CHECK:         %[[OLD:.*]] = memref.atomic_rmw assign %[[BYTE]], %[[X]][%[[AT]]] : (i8, memref<?xi8>) -> i8
// CHECK:         %[[BIT:.*]] = arith.trunci %[[OLD]] : i8 to i1
// CHECK:         arith.xori %[[BIT]], %[[V]] : i1
chi.task @bools(%x: !B, %v: i1) over 0 (%i: i32) {
  %0 = chi.atomic exchange %v, %x[%i : i32] inbounds : i1, !B -> i1
  %1 = arith.xori %0, %v : i1
  chi.store %1, %x[%i : i32] inbounds : i1, !B
  chi.next
}
