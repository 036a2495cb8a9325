// Quotients that are rounded down, and rests with the sign of the divisor: what
// follows the hardware's operations, by what is known of the divisor.
// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// An unknown divisor: -1 is replaced by 1, since the hardware may trap; the
// quotient by it is the number negated. One less if there is a rest with
// another sign than the divisor's.
// CHECK-LABEL: func.func @quotient(
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %arg1, %c-1_i32
// CHECK:         %[[BY:.*]] = arith.select %[[IS]], %c1_i32, %arg1
// CHECK:         %[[Q:.*]] = arith.divsi %arg0, %[[BY]]
// CHECK:         %[[P:.*]] = arith.muli %[[Q]], %[[BY]]
// CHECK:         %[[REST:.*]] = arith.subi %arg0, %[[P]]
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %c0_i32
// CHECK:         %[[SIGNS:.*]] = arith.xori %[[REST]], %[[BY]]
// CHECK:         %[[DIFFER:.*]] = arith.cmpi slt, %[[SIGNS]], %c0_i32
// CHECK:         %[[DOWN:.*]] = arith.andi %[[SOME]], %[[DIFFER]]
// CHECK:         %[[LESS:.*]] = arith.subi %[[Q]], %c1_i32
// CHECK:         %[[R:.*]] = arith.select %[[DOWN]], %[[LESS]], %[[Q]]
// CHECK:         %[[MINUS:.*]] = arith.subi %c0_i32, %arg0
// CHECK:         %[[ALL:.*]] = arith.select %[[IS]], %[[MINUS]], %[[R]]
// CHECK:         return %[[ALL]]
func.func @quotient(%a: i32, %b: i32) -> i32 attributes {chi.host} {
  %q = chi.floordiv %a, %b : i32
  return %q : i32
}

// By the constant -1 it is the number negated, without a division that traps.
// CHECK-LABEL: func.func @negated(
// CHECK-NOT:     arith.divsi %arg0, %c-1_i32
// CHECK:         arith.subi %c0_i32{{[_0-9]*}}, %arg0
func.func @negated(%a: i32) -> i32 attributes {chi.host} {
  %m1 = arith.constant -1 : i32
  %q = chi.floordiv %a, %m1 : i32
  return %q : i32
}

// A rest: the divisor is added if the signs differ and there is one.
// CHECK-LABEL: func.func @rest(
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %arg1, %c-1_i32
// CHECK:         %[[BY:.*]] = arith.select %[[IS]], %c1_i32{{[_0-9]*}}, %arg1
// CHECK:         %[[R:.*]] = arith.remsi %arg0, %[[BY]]
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %[[R]], %c0_i32
// CHECK:         %[[SIGNS:.*]] = arith.xori %[[R]], %[[BY]]
// CHECK:         %[[DIFFER:.*]] = arith.cmpi slt, %[[SIGNS]]
// CHECK:         %[[TURNS:.*]] = arith.andi %[[SOME]], %[[DIFFER]]
// CHECK:         %[[SUM:.*]] = arith.addi %[[R]], %[[BY]]
// CHECK:         arith.select %[[TURNS]], %[[SUM]], %[[R]]
func.func @rest(%a: i32, %b: i32) -> i32 attributes {chi.host} {
  %r = chi.floormod %a, %b : i32
  return %r : i32
}

// By the constant -1 there is none.
// CHECK-LABEL: func.func @none(
// CHECK-NOT:     arith.remsi
// CHECK:         return %c0_i32
func.func @none(%a: i32) -> i32 attributes {chi.host} {
  %m1 = arith.constant -1 : i32
  %r = chi.floormod %a, %m1 : i32
  return %r : i32
}

// A shift rounds down, and a mask leaves the rest: of negative numbers, too. The
// powers of two end with the greatest that has a sign.
// CHECK-LABEL: func.func @powers(
// CHECK:         arith.shrsi %arg0, %c6_i8
// CHECK:         arith.andi %arg0, %c63_i8
// CHECK:         arith.divsi %arg0, %c-128_i8
func.func @powers(%a: i8) -> (i8, i8, i8) attributes {chi.host} {
  %c64 = arith.constant 64 : i8
  %min = arith.constant -128 : i8
  %q = chi.floordiv %a, %c64 : i8
  %r = chi.floormod %a, %c64 : i8
  %s = chi.floordiv %a, %min : i8
  return %q, %r, %s : i8, i8, i8
}

// Without signs the hardware's own are right.
// CHECK-LABEL: func.func @unsigned(
// CHECK-NEXT:    %[[Q:.*]] = arith.divui %arg0, %arg1
// CHECK-NEXT:    %[[R:.*]] = arith.remui %arg0, %arg1
// CHECK-NEXT:    return %[[Q]], %[[R]]
func.func @unsigned(%a: i32, %b: i32) -> (i32, i32) attributes {chi.host} {
  %q = chi.floordiv %a, %b unsigned : i32
  %r = chi.floormod %a, %b unsigned : i32
  return %q, %r : i32, i32
}

// A power by squares: the exponent is halved without its sign.
// CHECK-LABEL: func.func @power(
// CHECK:         scf.while (%[[R:.*]] = %c1_i32{{[_0-9]*}}, %[[X:.*]] = %arg0, %[[N:.*]] = %arg1)
// CHECK:           arith.cmpi ne, %[[N]], %c0_i32
// CHECK:         ^bb0(%[[R:.*]]: i32, %[[X:.*]]: i32, %[[N:.*]]: i32):
// CHECK:           %[[BIT:.*]] = arith.andi %[[N]], %c1_i32
// CHECK:           %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %c0_i32
// CHECK:           %[[MORE:.*]] = arith.muli %[[R]], %[[X]]
// CHECK:           %[[NEXT:.*]] = arith.select %[[ODD]], %[[MORE]], %[[R]]
// CHECK:           %[[HALF:.*]] = arith.shrui %[[N]], %c1_i32
// CHECK:           %[[SQUARE:.*]] = arith.muli %[[X]], %[[X]]
// CHECK:           scf.yield %[[NEXT]], %[[SQUARE]], %[[HALF]]
func.func @power(%a: i32, %n: i32) -> i32 attributes {chi.host} {
  %p = chi.ipow %a, %n : i32
  return %p : i32
}

// Constant exponents: x^0 = 1, x^1 = x, x^6 = x^2 (x^2)^2; one above 64 or below
// zero is a loop.
// CHECK-LABEL: func.func @exponents(
// CHECK:         %[[X2:.*]] = arith.muli %arg0, %arg0
// CHECK:         %[[X4:.*]] = arith.muli %[[X2]], %[[X2]]
// CHECK:         %[[X6:.*]] = arith.muli %[[X2]], %[[X4]]
// CHECK-COUNT-2: scf.while
// CHECK:         return %c1_i32{{[_0-9]*}}, %arg0, %[[X6]]
func.func @exponents(%a: i32) -> (i32, i32, i32, i32, i32) attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c6 = arith.constant 6 : i32
  %c65 = arith.constant 65 : i32
  %m1 = arith.constant -1 : i32
  %p = chi.ipow %a, %c0 : i32
  %q = chi.ipow %a, %c1 : i32
  %r = chi.ipow %a, %c6 : i32
  %s = chi.ipow %a, %c65 : i32
  %t = chi.ipow %a, %m1 : i32
  return %p, %q, %r, %s, %t : i32, i32, i32, i32, i32
}
