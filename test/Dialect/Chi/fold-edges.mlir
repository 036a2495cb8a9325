// Folds at the edges of the integers, and operations that do not fold.
// RUN: chi-opt %s --canonicalize | FileCheck %s

// The least integer by -1 wraps: the quotient is itself, the rest zero.
// CHECK-LABEL: func.func @least
// CHECK-DAG:     %[[MIN:.*]] = arith.constant -128 : i8
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         return %[[MIN]], %[[ZERO]]
func.func @least() -> (i8, i8) {
  %min = arith.constant -128 : i8
  %m1 = arith.constant -1 : i8
  %q = chi.floordiv %min, %m1 : i8
  %r = chi.floormod %min, %m1 : i8
  return %q, %r : i8, i8
}

// Both negative: -7 // -2 = 3, -7 % -2 = -1. An exact quotient has no rest.
// CHECK-LABEL: func.func @signs
// CHECK-DAG:     %[[Q:.*]] = arith.constant 3 : i32
// CHECK-DAG:     %[[R:.*]] = arith.constant -1 : i32
// CHECK-DAG:     %[[E:.*]] = arith.constant -3 : i32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         return %[[Q]], %[[R]], %[[E]], %[[ZERO]]
func.func @signs() -> (i32, i32, i32, i32) {
  %m7 = arith.constant -7 : i32
  %m6 = arith.constant -6 : i32
  %p2 = arith.constant 2 : i32
  %m2 = arith.constant -2 : i32
  %q = chi.floordiv %m7, %m2 : i32
  %r = chi.floormod %m7, %m2 : i32
  %e = chi.floordiv %m6, %p2 : i32
  %z = chi.floormod %m6, %p2 : i32
  return %q, %r, %e, %z : i32, i32, i32, i32
}

// By one: the number itself, and nothing.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:    %[[X:.*]]: i32
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         return %[[X]], %[[ZERO]]
func.func @one(%x: i32) -> (i32, i32) {
  %one = arith.constant 1 : i32
  %q = chi.floordiv %x, %one : i32
  %r = chi.floormod %x, %one : i32
  return %q, %r : i32, i32
}

// A rest by zero and a quotient of two unknown numbers stay.
// CHECK-LABEL: func.func @stay(
// CHECK:         chi.floormod
// CHECK:         chi.floordiv
func.func @stay(%x: i32, %y: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %r = chi.floormod %x, %zero : i32
  %q = chi.floordiv %x, %y : i32
  return %r, %q : i32, i32
}

// Powers: anything to the zeroth is one, to the first itself; a product wraps.
// CHECK-LABEL: func.func @powers(
// CHECK-SAME:    %[[X:.*]]: i8
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i8
// CHECK-DAG:     %[[WRAPPED:.*]] = arith.constant -13 : i8
// CHECK:         return %[[ONE]], %[[X]], %[[WRAPPED]]
func.func @powers(%x: i8) -> (i8, i8, i8) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i8
  %five = arith.constant 5 : i8
  %a = chi.ipow %x, %zero : i8
  %b = chi.ipow %x, %one : i8
  %c = chi.ipow %three, %five : i8
  return %a, %b, %c : i8, i8, i8
}

// A negative exponent has no integer power; one above 64 is no chain of
// products.
// CHECK-LABEL: func.func @exponents(
// CHECK-COUNT-2: chi.ipow
// CHECK-NOT:     arith.muli
// CHECK:         return
func.func @exponents(%x: i32) -> (i32, i32) {
  %minus = arith.constant -2 : i32
  %many = arith.constant 65 : i32
  %a = chi.ipow %x, %minus : i32
  %b = chi.ipow %x, %many : i32
  return %a, %b : i32, i32
}

// The greatest chain: six squares.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-6: arith.muli
// CHECK-NOT:     arith.muli
// CHECK:         return
func.func @chain(%x: i32) -> i32 {
  %c64 = arith.constant 64 : i32
  %a = chi.ipow %x, %c64 : i32
  return %a : i32
}

// -128 * -1 and -128 - 1 overflow, -128 * 1 and x - 0 do not.
// CHECK-LABEL: func.func @overflows(
// CHECK-DAG:     %[[YES:.*]] = arith.constant true
// CHECK-DAG:     %[[NO:.*]] = arith.constant false
// CHECK:         return %[[YES]], %[[YES]], %[[NO]], %[[NO]]
func.func @overflows(%x: i8) -> (i1, i1, i1, i1) {
  %min = arith.constant -128 : i8
  %m1 = arith.constant -1 : i8
  %one = arith.constant 1 : i8
  %zero = arith.constant 0 : i8
  %a = chi.overflow mul %min, %m1 : i8
  %b = chi.overflow sub %min, %one : i8
  %c = chi.overflow mul %min, %one : i8
  %d = chi.overflow sub %x, %zero : i8
  return %a, %b, %c, %d : i1, i1, i1, i1
}

// A checked product by zero asks nothing of constants only.
// CHECK-LABEL: func.func @products(
// CHECK:         %[[P:.*]] = arith.constant -126 : i8
// CHECK:         %[[Q:.*]] = chi.checked mul
// CHECK:         return %[[P]], %[[Q]]
func.func @products(%x: i8) -> (i8, i8) {
  %c42 = arith.constant 42 : i8
  %m3 = arith.constant -3 : i8
  %one = arith.constant 1 : i8
  %a = chi.checked mul %c42, %m3 : i8
  %b = chi.checked mul %x, %one : i8
  return %a, %b : i8, i8
}

// A chain of casts is one cast; there and back is none.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: !chi.field<?x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = chi.cast_field %[[X]] : <?x8xf32> to <4x8xf32>
// CHECK-NEXT:    return %[[Y]], %[[X]], %[[X]]
func.func @casts(%x: !chi.field<?x8xf32>) -> (!chi.field<4x8xf32>, !chi.field<?x8xf32>, !chi.field<?x8xf32>) {
  %wide = chi.cast_field %x : !chi.field<?x8xf32> to !chi.field<?x?xf32>
  %known = chi.cast_field %wide : !chi.field<?x?xf32> to !chi.field<4x8xf32>
  %back = chi.cast_field %wide : !chi.field<?x?xf32> to !chi.field<?x8xf32>
  %same = chi.cast_field %x : !chi.field<?x8xf32> to !chi.field<?x8xf32>
  return %known, %back, %same : !chi.field<4x8xf32>, !chi.field<?x8xf32>, !chi.field<?x8xf32>
}

// An extent that a cast has forgotten is that of the field; one that it has
// added is known.
// CHECK-LABEL: func.func @dims(
// CHECK-SAME:    %[[X:.*]]: !chi.field<?x8xf32>
// CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : i64
// CHECK-DAG:     %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         %[[N:.*]] = chi.dim %[[X]], 0
// CHECK:         return %[[EIGHT]], %[[FOUR]], %[[N]]
func.func @dims(%x: !chi.field<?x8xf32>) -> (i64, i64, i64) {
  %wide = chi.cast_field %x : !chi.field<?x8xf32> to !chi.field<?x?xf32>
  %known = chi.cast_field %x : !chi.field<?x8xf32> to !chi.field<4x8xf32>
  %a = chi.dim %wide, 1 : !chi.field<?x?xf32> -> i64
  %b = chi.dim %known, 0 : !chi.field<4x8xf32> -> i64
  %c = chi.dim %wide, 0 : !chi.field<?x?xf32> -> i64
  return %a, %b, %c : i64, i64, i64
}

// A check that fails for sure stays, and so does one of lanes.
// CHECK-LABEL: func.func @fails(
// CHECK:         chi.check assert %false
// CHECK:         chi.check assert %{{.*}} lanes(4)
func.func @fails(%m: vector<4xi1>) {
  %no = arith.constant false
  chi.check assert %no
  chi.check assert %m lanes(4)
  return
}

// A quotient of lanes stays, even if all of them are constants.
// CHECK-LABEL: func.func @lanes(
// CHECK:         chi.floordiv
func.func @lanes() -> vector<2xi32> {
  %a = arith.constant dense<[7, -7]> : vector<2xi32>
  %b = arith.constant dense<[2, 2]> : vector<2xi32>
  %q = chi.floordiv %a, %b : vector<2xi32>
  return %q : vector<2xi32>
}
