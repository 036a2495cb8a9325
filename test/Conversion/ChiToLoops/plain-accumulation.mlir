// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops="fast=false" --cse | FileCheck %s

// A plain accumulation is load, operation, store at one place, and the old
// value is the left operand: each kind has its operation, integers by the sign
// that the kind has, floats so that a NaN gives way to a number.
!I = !chi.field<8xi32>
!F = !chi.field<8xf32>
!B = !chi.field<8xi1>

// CHECK-LABEL: func.func private @integers.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[V:[a-z0-9]+]]: i32,
chi.task @integers(%x: !I, %v: i32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK-NEXT: %[[OLD0:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW0:.*]] = arith.addi %[[OLD0]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW0]], %[[X]][%[[AT]]]
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD1:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW1:.*]] = arith.muli %[[OLD1]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW1]], %[[X]][%[[AT]]]
  chi.accum mul %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD2:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW2:.*]] = arith.minsi %[[OLD2]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW2]], %[[X]][%[[AT]]]
  chi.accum min %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD3:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW3:.*]] = arith.maxsi %[[OLD3]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW3]], %[[X]][%[[AT]]]
  chi.accum max %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD4:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW4:.*]] = arith.minui %[[OLD4]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW4]], %[[X]][%[[AT]]]
  chi.accum minu %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD4:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW4:.*]] = arith.maxui %[[OLD4]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW4]], %[[X]][%[[AT]]]
  chi.accum maxu %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD4:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW4:.*]] = arith.andi %[[OLD4]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW4]], %[[X]][%[[AT]]]
  chi.accum and %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD4:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW4:.*]] = arith.ori %[[OLD4]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW4]], %[[X]][%[[AT]]]
  chi.accum or %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  // CHECK:      %[[OLD4:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW4:.*]] = arith.xori %[[OLD4]], %[[V]] : i32
  // CHECK-NEXT: memref.store %[[NEW4]], %[[X]][%[[AT]]]
  chi.accum xor %v, %x[%i : i32] inbounds strategy(plain) : i32, !I
  chi.next
}

// CHECK-LABEL: func.func private @floats.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[V:[a-z0-9]+]]: f32,
chi.task @floats(%x: !F, %v: f32) over 0 (%i: i32) {
  // CHECK:      %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK:      %[[OLD0:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW0:.*]] = arith.addf %[[OLD0]], %[[V]] : f32
  // CHECK-NEXT: memref.store %[[NEW0]], %[[X]][%[[AT]]]
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) : f32, !F
  // CHECK:      %[[OLD1:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW1:.*]] = arith.mulf %[[OLD1]], %[[V]] : f32
  // CHECK-NEXT: memref.store %[[NEW1]], %[[X]][%[[AT]]]
  chi.accum mul %v, %x[%i : i32] inbounds strategy(plain) : f32, !F
  // CHECK:      %[[OLD2:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW2:.*]] = arith.minnumf %[[OLD2]], %[[V]] : f32
  // CHECK-NEXT: memref.store %[[NEW2]], %[[X]][%[[AT]]]
  chi.accum min %v, %x[%i : i32] inbounds strategy(plain) : f32, !F
  // CHECK:      %[[OLD3:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[NEW3:.*]] = arith.maxnumf %[[OLD3]], %[[V]] : f32
  // CHECK-NEXT: memref.store %[[NEW3]], %[[X]][%[[AT]]]
  chi.accum max %v, %x[%i : i32] inbounds strategy(plain) : f32, !F
  chi.next
}

// A bool is a byte: what is combined is the byte, never a bit.
// CHECK-LABEL: func.func private @bools.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi8> {llvm.noalias}, %[[V:[a-z0-9]+]]: i1,
chi.task @bools(%x: !B, %v: i1) over 0 (%i: i32) {
  // CHECK:      %[[OLD:.*]] = memref.load %[[X]][%[[AT:.*]]] : memref<?xi8>
  // CHECK-NEXT: %[[BYTE:.*]] = arith.extui %[[V]] : i1 to i8
  // CHECK-NEXT: %[[NEW:.*]] = arith.ori %[[OLD]], %[[BYTE]] : i8
  // CHECK-NEXT: memref.store %[[NEW]], %[[X]][%[[AT]]] : memref<?xi8>
  chi.accum or %v, %x[%i : i32] inbounds strategy(plain) : i1, !B
  // CHECK:      %[[WAS:.*]] = memref.load %[[X]][%[[AT]]]
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[WAS]], %[[BYTE]] : i8
  // CHECK-NEXT: memref.store %[[BOTH]], %[[X]][%[[AT]]]
  chi.accum and %v, %x[%i : i32] inbounds strategy(plain) : i1, !B
  chi.next
}

// One iteration is alone: what says nothing of how is plain there, and so is
// what asks for more.
// CHECK-LABEL: func.func private @alone.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[V:[a-z0-9]+]]: i32)
// CHECK-NOT:     memref.atomic_rmw
// CHECK-COUNT-3: arith.addi %{{.*}}, %[[V]] : i32
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         return
// CHECK-NOT:   @alone.chunk
// CHECK-NOT:   @alone.finish
chi.task @alone(%x: !I, %v: i32) () {
  %i = arith.constant 3 : i32
  chi.accum add %v, %x[%i : i32] inbounds : i32, !I
  chi.accum add %v, %x[%i : i32] inbounds strategy(atomic) : i32, !I
  chi.accum add %v, %x[%i : i32] inbounds strategy(deterministic) : i32, !I
  chi.next
}
