// RUN: chi-opt %s --chi-schedule="without=grouped-sums,buffered-sums" --convert-chi-to-loops --cse | FileCheck %s

// A sum starts with what leaves every other number as it is, by kind and type.
// The loops of blocks begin by storing it, for each of 16 sums.
!I = !chi.field<i16>
!F = !chi.field<f64>

// CHECK-LABEL: func.func private @signed.body(
// CHECK:         %[[ADD:.*]] = arith.constant 0 : i16
// CHECK:         memref.store %[[ADD]], %[[L0:.*]][%c15
// CHECK:         %[[MUL:.*]] = arith.constant 1 : i16
// CHECK:         memref.store %[[MUL]], %[[L1:.*]][%c15
// CHECK:         %[[MIN:.*]] = arith.constant 32767 : i16
// CHECK:         memref.store %[[MIN]], %[[L2:.*]][%c15
// CHECK:         %[[MAX:.*]] = arith.constant -32768 : i16
// CHECK:         memref.store %[[MAX]], %[[L3:.*]][%c15
// CHECK:         memref.load %[[L0]]
// CHECK-NEXT:    arith.addi
// CHECK:         memref.load %[[L1]]
// CHECK-NEXT:    arith.muli
// CHECK:         memref.load %[[L2]]
// CHECK-NEXT:    arith.minsi
// CHECK:         memref.load %[[L3]]
// CHECK-NEXT:    arith.maxsi
chi.task @signed(%a: !I, %b: !I, %c: !I, %d: !I, %v: i16) (%i: i32) {
  chi.accum add %v, %a[] strategy(deterministic) : i16, !I
  chi.accum mul %v, %b[] strategy(deterministic) : i16, !I
  chi.accum min %v, %c[] strategy(deterministic) : i16, !I
  chi.accum max %v, %d[] strategy(deterministic) : i16, !I
  chi.next
}

// CHECK-LABEL: func.func private @bits.body(
// CHECK:         %[[ONES:.*]] = arith.constant -1 : i16
// CHECK:         memref.store %[[ONES]], %[[L0:.*]][%c15
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i16
// CHECK:         memref.store %[[ZERO]], %[[L1:.*]][%c15
// CHECK:         memref.store %[[ONES]], %[[L2:.*]][%c15
// CHECK:         memref.store %[[ZERO]], %[[L3:.*]][%c15
// CHECK:         memref.store %[[ZERO]], %[[L4:.*]][%c15
// CHECK:         memref.load %[[L0]]
// CHECK-NEXT:    arith.minui
// CHECK:         memref.load %[[L1]]
// CHECK-NEXT:    arith.maxui
// CHECK:         memref.load %[[L2]]
// CHECK-NEXT:    arith.andi
// CHECK:         memref.load %[[L3]]
// CHECK-NEXT:    arith.ori
// CHECK:         memref.load %[[L4]]
// CHECK-NEXT:    arith.xori
chi.task @bits(%a: !I, %b: !I, %c: !I, %d: !I, %e: !I, %v: i16) (%i: i32) {
  chi.accum minu %v, %a[] strategy(deterministic) : i16, !I
  chi.accum maxu %v, %b[] strategy(deterministic) : i16, !I
  chi.accum and %v, %c[] strategy(deterministic) : i16, !I
  chi.accum or %v, %d[] strategy(deterministic) : i16, !I
  chi.accum xor %v, %e[] strategy(deterministic) : i16, !I
  chi.next
}

// Of floats a sum starts with -0 (+0 and -0 are +0), and extremes with NaN: an
// infinity would be left where all that comes is NaN.
// CHECK-LABEL: func.func private @floats.body(
// CHECK:         %[[ADD:.*]] = arith.constant -0.000000e+00 : f64
// CHECK:         memref.store %[[ADD]], %[[L0:.*]][%c15
// CHECK:         %[[MUL:.*]] = arith.constant 1.000000e+00 : f64
// CHECK:         memref.store %[[MUL]], %[[L1:.*]][%c15
// CHECK:         %[[NAN:.*]] = arith.constant 0x7FF8000000000000 : f64
// CHECK:         memref.store %[[NAN]], %[[L2:.*]][%c15
// CHECK:         memref.store %[[NAN]], %[[L3:.*]][%c15
// Joined without leave to rewrite, although the task is not strict.
// CHECK:         memref.load %[[L0]]
// CHECK-NEXT:    arith.addf %{{.*}}, %{{.*}} : f64
// CHECK:         memref.load %[[L1]]
// CHECK-NEXT:    arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK:         memref.load %[[L2]]
// CHECK-NEXT:    arith.minnumf %{{.*}}, %{{.*}} : f64
// CHECK:         memref.load %[[L3]]
// CHECK-NEXT:    arith.maxnumf %{{.*}}, %{{.*}} : f64
// CHECK-NOT:     fastmath
// CHECK:         return
chi.task @floats(%a: !F, %b: !F, %c: !F, %d: !F, %v: f64) (%i: i32) {
  chi.accum add %v, %a[] strategy(deterministic) : f64, !F
  chi.accum mul %v, %b[] strategy(deterministic) : f64, !F
  chi.accum min %v, %c[] strategy(deterministic) : f64, !F
  chi.accum max %v, %d[] strategy(deterministic) : f64, !F
  chi.next
}

// The number of a kind and a type as the run time joins by.
// CHECK-LABEL: func.func private @floats.finish(
// CHECK:         llvm.call @chirt_reduction_join(%{{.*}}, %{{.*}}, %[[F64:c12_i32]], %c0_i32)
// CHECK:         llvm.call @chirt_reduction_join(%{{.*}}, %{{.*}}, %[[F64]], %c1_i32)
// CHECK:         llvm.call @chirt_reduction_join(%{{.*}}, %{{.*}}, %[[F64]], %c2_i32)
// CHECK:         llvm.call @chirt_reduction_join(%{{.*}}, %{{.*}}, %[[F64]], %c3_i32)
