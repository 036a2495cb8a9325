// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// Python's division: rounded down, the rest with the sign of the divisor. The
// hardware rounds towards zero, and traps where -2^31 is taken by -1; a power of
// two needs none of it.

// A divisor of unknown value: 1 instead of -1, and the opposite sign.
// CHECK-LABEL: func.func @quotient(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1 : i32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[B]], %[[MINUS]] : i32
// CHECK:         %[[D:.*]] = arith.select %[[IS]], %[[ONE]], %[[B]] : i32
// CHECK:         %[[Q:.*]] = arith.divsi %[[A]], %[[D]] : i32
// CHECK:         %[[P:.*]] = arith.muli %[[Q]], %[[D]] : i32
// CHECK:         %[[REST:.*]] = arith.subi %[[A]], %[[P]] : i32
// Where there is a rest of the other sign, one less.
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %[[ZERO]] : i32
// CHECK:         %[[SIGNS:.*]] = arith.xori %[[REST]], %[[D]] : i32
// CHECK:         %[[OTHER:.*]] = arith.cmpi slt, %[[SIGNS]], %[[ZERO]] : i32
// CHECK:         %[[DOWN:.*]] = arith.andi %[[SOME]], %[[OTHER]] : i1
// CHECK:         %[[LESS:.*]] = arith.subi %[[Q]], %[[ONE]] : i32
// CHECK:         %[[R:.*]] = arith.select %[[DOWN]], %[[LESS]], %[[Q]] : i32
// CHECK:         %[[NEG:.*]] = arith.subi %[[ZERO]], %[[A]] : i32
// CHECK:         %[[RESULT:.*]] = arith.select %[[IS]], %[[NEG]], %[[R]] : i32
// CHECK:         return %[[RESULT]]
func.func @quotient(%a: i32, %b: i32) -> i32 attributes {chi.host} {
  %q = chi.floordiv %a, %b : i32
  return %q : i32
}

// The rest of anything by -1 is 0, as by 1; the divisor is added where the rest
// has the other sign.
// CHECK-LABEL: func.func @rest(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i64, %[[B:[a-z0-9]+]]: i64)
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i64
// CHECK:         %[[D:.*]] = arith.select %[[IS]], %{{.*}}, %[[B]] : i64
// CHECK:         %[[REST:.*]] = arith.remsi %[[A]], %[[D]] : i64
// CHECK:         %[[SOME:.*]] = arith.cmpi ne, %[[REST]], %{{.*}} : i64
// CHECK:         %[[SIGNS:.*]] = arith.xori %[[REST]], %[[D]] : i64
// CHECK:         %[[OTHER:.*]] = arith.cmpi slt, %[[SIGNS]], %{{.*}} : i64
// CHECK:         %[[BOTH:.*]] = arith.andi %[[SOME]], %[[OTHER]] : i1
// CHECK:         %[[SUM:.*]] = arith.addi %[[REST]], %[[D]] : i64
// CHECK:         %[[R:.*]] = arith.select %[[BOTH]], %[[SUM]], %[[REST]] : i64
// CHECK:         return %[[R]]
func.func @rest(%a: i64, %b: i64) -> i64 attributes {chi.host} {
  %r = chi.floormod %a, %b : i64
  return %r : i64
}

// Known divisors: -1 has no rest and the other sign as its quotient; a power of
// two is a shift and a mask; -8 is no power of two.
// CHECK-LABEL: func.func @known(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : i32
// CHECK-DAG:     %[[MINUSEIGHT:.*]] = arith.constant -8 : i32
// CHECK:         %[[THREE:.*]] = arith.constant 3 : i32
// CHECK:         %[[Q8:.*]] = arith.shrsi %[[A]], %[[THREE]] : i32
// CHECK:         %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK:         %[[R8:.*]] = arith.andi %[[A]], %[[SEVEN]] : i32
// CHECK-NOT:     arith.cmpi eq
// CHECK:         %[[Q:.*]] = arith.divsi %[[A]], %[[MINUSEIGHT]] : i32
// CHECK:         %[[BACK:.*]] = arith.muli %[[Q]], %[[MINUSEIGHT]] : i32
// CHECK:         %[[LEFT:.*]] = arith.subi %[[A]], %[[BACK]] : i32
// CHECK:         %[[INEXACT:.*]] = arith.cmpi ne, %[[LEFT]], %{{.*}} : i32
// CHECK:         %[[DIFFER:.*]] = arith.xori %[[LEFT]], %[[MINUSEIGHT]] : i32
// CHECK:         %[[OTHER:.*]] = arith.cmpi slt, %[[DIFFER]], %{{.*}} : i32
// CHECK:         %[[DOWN:.*]] = arith.andi %[[INEXACT]], %[[OTHER]] : i1
// CHECK:         %[[LOWER:.*]] = arith.subi %[[Q]], %{{.*}} : i32
// CHECK:         arith.select %[[DOWN]], %[[LOWER]], %[[Q]] : i32
// CHECK:         %[[R:.*]] = arith.remsi %[[A]], %[[MINUSEIGHT]] : i32
// CHECK:         %[[UP:.*]] = arith.addi %[[R]], %[[MINUSEIGHT]] : i32
// CHECK:         arith.select %{{.*}}, %[[UP]], %[[R]] : i32
// CHECK-NOT:     arith.remsi
// CHECK:         %[[NONE:.*]] = arith.constant 0 : i32
// CHECK:         return %[[Q8]], %[[R8]], %{{.*}}, %{{.*}}, %[[NONE]]
func.func @known(%a: i32) -> (i32, i32, i32, i32, i32) attributes {chi.host} {
  %c8 = arith.constant 8 : i32
  %n8 = arith.constant -8 : i32
  %n1 = arith.constant -1 : i32
  %0 = chi.floordiv %a, %c8 : i32
  %1 = chi.floormod %a, %c8 : i32
  %2 = chi.floordiv %a, %n8 : i32
  %3 = chi.floormod %a, %n8 : i32
  %4 = chi.floormod %a, %n1 : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// An unsigned quotient needs no correction.
// CHECK-LABEL: func.func @unsigned(
// CHECK:         %[[Q:.*]] = arith.divui %{{.*}}, %{{.*}} : i8
// CHECK-NEXT:    %[[R:.*]] = arith.remui %{{.*}}, %{{.*}} : i8
// CHECK-NEXT:    return %[[Q]], %[[R]]
func.func @unsigned(%a: i8, %b: i8) -> (i8, i8) attributes {chi.host} {
  %q = chi.floordiv %a, %b unsigned : i8
  %r = chi.floormod %a, %b unsigned : i8
  return %q, %r : i8, i8
}

// Lanes: the same operations on vectors, constants in all of them.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: vector<4xi32>, %[[B:[a-z0-9]+]]: vector<4xi32>)
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant dense<-1> : vector<4xi32>
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[B]], %[[MINUS]] : vector<4xi32>
// CHECK:         %[[D:.*]] = arith.select %[[IS]], %{{.*}}, %[[B]] : vector<4xi1>, vector<4xi32>
// CHECK:         %[[Q:.*]] = arith.divsi %[[A]], %[[D]] : vector<4xi32>
// CHECK:         %[[BACK:.*]] = arith.muli %[[Q]], %[[D]] : vector<4xi32>
// CHECK:         %[[LEFT:.*]] = arith.subi %[[A]], %[[BACK]] : vector<4xi32>
// CHECK:         %[[DOWN:.*]] = arith.andi %{{.*}}, %{{.*}} : vector<4xi1>
// CHECK:         %[[LOWER:.*]] = arith.subi %[[Q]], %{{.*}} : vector<4xi32>
// CHECK:         %[[R:.*]] = arith.select %[[DOWN]], %[[LOWER]], %[[Q]] : vector<4xi1>, vector<4xi32>
// CHECK:         %[[OTHER:.*]] = arith.subi %{{.*}}, %[[A]] : vector<4xi32>
// CHECK:         arith.select %[[IS]], %[[OTHER]], %[[R]] : vector<4xi1>, vector<4xi32>
// CHECK:         %[[TWO:.*]] = arith.constant dense<2> : vector<4xi32>
// CHECK:         arith.shrsi %[[A]], %[[TWO]] : vector<4xi32>
// CHECK:         %[[THREE:.*]] = arith.constant dense<3> : vector<4xi32>
// CHECK:         arith.andi %[[A]], %[[THREE]] : vector<4xi32>
func.func @lanes(%a: vector<4xi32>, %b: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) attributes {chi.host} {
  %four = arith.constant dense<4> : vector<4xi32>
  %q = chi.floordiv %a, %b : vector<4xi32>
  %s = chi.floordiv %a, %four : vector<4xi32>
  %r = chi.floormod %a, %four : vector<4xi32>
  return %q, %s, %r : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
