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

// A zero divisor stays: its check stands before it.
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
