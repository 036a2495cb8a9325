// RUN: chi-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @floor
func.func @floor() -> (i32, i32, i32, i32, i32) {
  %m7 = arith.constant -7 : i32
  %p2 = arith.constant 2 : i32
  %m2 = arith.constant -2 : i32
  %p7 = arith.constant 7 : i32
  // Python's: -7 // 2 = -4, 7 // -2 = -4, -7 % 2 = 1, 7 % -2 = -1.
  // CHECK-DAG: %[[Q:.*]] = arith.constant -4 : i32
  // CHECK-DAG: %[[R:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[S:.*]] = arith.constant -1 : i32
  // CHECK-DAG: %[[P:.*]] = arith.constant 49 : i32
  %a = chi.floordiv %m7, %p2 : i32
  %b = chi.floordiv %p7, %m2 : i32
  %c = chi.floormod %m7, %p2 : i32
  %d = chi.floormod %p7, %m2 : i32
  %e = chi.ipow %m7, %p2 : i32
  // CHECK: return %[[Q]], %[[Q]], %[[R]], %[[S]], %[[P]]
  return %a, %b, %c, %d, %e : i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @unsigned
func.func @unsigned() -> (i8, i8) {
  %a = arith.constant -56 : i8
  %b = arith.constant 3 : i8
  // 200 // 3 = 66, 200 % 3 = 2.
  // CHECK-DAG: arith.constant 66 : i8
  // CHECK-DAG: arith.constant 2 : i8
  %c = chi.floordiv %a, %b unsigned : i8
  %d = chi.floormod %a, %b unsigned : i8
  return %c, %d : i8, i8
}

// A zero divisor stays: its check precedes it.
// CHECK-LABEL: func.func @zero
func.func @zero(%a: i32) -> i32 {
  %z = arith.constant 0 : i32
  // CHECK: chi.floordiv
  %c = chi.floordiv %a, %z : i32
  return %c : i32
}

// CHECK-LABEL: func.func @power(
// CHECK-SAME: %[[X:.*]]: i32
func.func @power(%x: i32) -> i32 {
  // CHECK: %[[X2:.*]] = arith.muli %[[X]], %[[X]]
  // CHECK: %[[X4:.*]] = arith.muli %[[X2]], %[[X2]]
  // CHECK: %[[X5:.*]] = arith.muli %[[X]], %[[X4]]
  // CHECK: return %[[X5]]
  %five = arith.constant 5 : i32
  %y = chi.ipow %x, %five : i32
  return %y : i32
}

// CHECK-LABEL: func.func @overflow
func.func @overflow(%x: i32) -> (i1, i1, i1) {
  %big = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i32
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  %a = chi.overflow add %big, %one : i32
  %b = chi.overflow sub %big, %one : i32
  %c = chi.overflow mul %x, %one : i32
  // CHECK: return %[[T]], %[[F]], %[[F]]
  return %a, %b, %c : i1, i1, i1
}

// What overflows stays, and what is not used, too.
// CHECK-LABEL: func.func @checked
// CHECK-SAME:  %[[X:.*]]: i32
func.func @checked(%x: i32) -> (i32, i32, i32) {
  %big = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  // CHECK-DAG: %[[BIG:.*]] = arith.constant 2147483647 : i32
  // CHECK-DAG: %[[LESS:.*]] = arith.constant 2147483646 : i32
  // CHECK: %[[OVER:.*]] = chi.checked add %[[BIG]], %{{.*}} : i32
  // CHECK: chi.checked mul %[[X]], %[[X]] : i32
  %a = chi.checked add %big, %one : i32
  %b = chi.checked sub %big, %one : i32
  %c = chi.checked add %x, %zero : i32
  %unused = chi.checked mul %x, %x : i32
  // CHECK: return %[[OVER]], %[[LESS]], %[[X]]
  return %a, %b, %c : i32, i32, i32
}

// CHECK-LABEL: func.func @dim
func.func @dim(%x: !chi.field<8x?xf32>) -> (i32, i32, i32) {
  // CHECK: %[[N:.*]] = arith.constant 8 : i32
  // CHECK: %[[M:.*]] = chi.dim %{{.*}}, 1
  %a = chi.dim %x, 0 : !chi.field<8x?xf32> -> i32
  %b = chi.dim %x, 1 : !chi.field<8x?xf32> -> i32
  %y = chi.cast_field %x : !chi.field<8x?xf32> to !chi.field<?x?xf32>
  %c = chi.dim %y, 0 : !chi.field<?x?xf32> -> i32
  // CHECK: return %[[N]], %[[M]], %[[N]]
  return %a, %b, %c : i32, i32, i32
}

// CHECK-LABEL: func.func @check
func.func @check(%ok: i1) {
  %yes = arith.constant true
  // CHECK-COUNT-1: chi.check
  // CHECK-NOT: chi.check
  chi.check assert %yes
  chi.check assert %ok
  return
}

// Towards zero; past the range the nearest integer, NaN is 0.
// CHECK-LABEL: func.func @toInt
func.func @toInt() -> (i32, i32, i8, i8, i64, i16, i32) {
  %x = arith.constant -2.75 : f32
  %large = arith.constant 1.0e20 : f64
  %negative = arith.constant -1.0e20 : f64
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0xFC00 : f16
  %edge = arith.constant 2147483647.0 : f64
  // CHECK-DAG: %[[A:.*]] = arith.constant -2 : i32
  // CHECK-DAG: %[[B:.*]] = arith.constant 2147483647 : i32
  // CHECK-DAG: %[[C:.*]] = arith.constant -1 : i8
  // CHECK-DAG: %[[D:.*]] = arith.constant 0 : i8
  // CHECK-DAG: %[[E:.*]] = arith.constant -9223372036854775808 : i64
  // CHECK-DAG: %[[F:.*]] = arith.constant 0 : i16
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[B]]
  %a = chi.to_int %x : f32 -> i32
  %b = chi.to_int %large : f64 -> i32
  %c = chi.to_int %large unsigned : f64 -> i8
  %d = chi.to_int %nan : f32 -> i8
  %e = chi.to_int %negative : f64 -> i64
  %f = chi.to_int %inf unsigned : f16 -> i16
  %g = chi.to_int %edge : f64 -> i32
  return %a, %b, %c, %d, %e, %f, %g : i32, i32, i8, i8, i64, i16, i32
}

// An update whose old value is unused is an accumulation; one that accumulates
// nothing, or whose old value is used, stays.
// CHECK-LABEL: func.func @unasked
func.func @unasked(%x: !chi.field<8x!chi.vec<2xf32>>, %n: !chi.field<8xi32>, %i: i32, %v: f32, %k: i32) -> i32 {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: chi.accum add %arg3, %arg0[%arg2 : i32] component 1 inbounds strategy(atomic) {field_name = "x"} : f32
  %0 = chi.atomic add %v, %x[%i : i32] component 1 inbounds {field_name = "x"} : f32, !chi.field<8x!chi.vec<2xf32>> -> f32
  // CHECK: %[[LESS:.*]] = arith.negf %arg3 : f32
  // CHECK: chi.accum add %[[LESS]], %arg0[%arg2 : i32] strategy(atomic) : f32
  %1 = chi.atomic sub %v, %x[%i : i32] : f32, !chi.field<8x!chi.vec<2xf32>> -> f32
  // CHECK: %[[DOWN:.*]] = arith.subi %[[ZERO]], %arg4 : i32
  // CHECK: chi.accum add %[[DOWN]], %arg1[%arg2 : i32] strategy(atomic) : i32
  %2 = chi.atomic sub %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  // CHECK: chi.accum minu %arg4, %arg1[%arg2 : i32] strategy(atomic) : i32
  %3 = chi.atomic minu %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  // CHECK: chi.accum xor %arg4, %arg1[%arg2 : i32] strategy(atomic) : i32
  %4 = chi.atomic xor %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  // CHECK: chi.atomic exchange
  %5 = chi.atomic exchange %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  // CHECK: chi.atomic cas
  %6 = chi.atomic cas %k, %n[%i : i32] expects(%k : i32) : i32, !chi.field<8xi32> -> i32
  // CHECK: chi.atomic load
  %7 = chi.atomic load %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  // CHECK: %[[OLD:.*]] = chi.atomic add
  // CHECK: return %[[OLD]]
  %8 = chi.atomic add %k, %n[%i : i32] : i32, !chi.field<8xi32> -> i32
  return %8 : i32
}
