// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// Integer powers by squares; the rest of floats with the sign of the divisor;
// the length of two sides without overflow on the way; the root whose
// derivative is an own matter.

// 13 = 8 + 4 + 1: three squares and two products, no loop.
// CHECK-LABEL: func.func @thirteen(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: i32)
// CHECK:         %[[X2:.*]] = arith.muli %[[X]], %[[X]] : i32
// CHECK-NEXT:    %[[X4:.*]] = arith.muli %[[X2]], %[[X2]] : i32
// CHECK-NEXT:    %[[X5:.*]] = arith.muli %[[X]], %[[X4]] : i32
// CHECK-NEXT:    %[[X8:.*]] = arith.muli %[[X4]], %[[X4]] : i32
// CHECK-NEXT:    %[[X13:.*]] = arith.muli %[[X5]], %[[X8]] : i32
// CHECK-NEXT:    return %[[X13]]
func.func @thirteen(%x: i32) -> i32 attributes {chi.host} {
  %n = arith.constant 13 : i32
  %p = chi.ipow %x, %n : i32
  return %p : i32
}

// Power 0 is 1, power 1 the number, both without an operation; 64 are six
// squares.
// CHECK-LABEL: func.func @small(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: i64)
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-COUNT-6: arith.muli
// CHECK-NOT:     arith.muli
// CHECK-NOT:     scf.while
// CHECK:         return
func.func @small(%x: i64) -> (i64, i64, i64) attributes {chi.host} {
  %n0 = arith.constant 0 : i64
  %n1 = arith.constant 1 : i64
  %n64 = arith.constant 64 : i64
  %p = chi.ipow %x, %n0 : i64
  %q = chi.ipow %x, %n1 : i64
  %r = chi.ipow %x, %n64 : i64
  return %p, %q, %r : i64, i64, i64
}

// Any other: while there is a bit left, the lowest one says whether the square
// counts. 65 is any other.
// CHECK-LABEL: func.func @any(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32)
// CHECK:         %[[R:.*]]:3 = scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %[[X]], %[[C:.*]] = %[[N]]) : (i32, i32, i32) -> (i32, i32, i32) {
// CHECK:           %[[MORE:.*]] = arith.cmpi ne, %[[C]], %{{.*}} : i32
// CHECK:           scf.condition(%[[MORE]]) %[[A]], %[[B]], %[[C]]
// CHECK:         ^bb0(%[[RESULT:.*]]: i32, %[[SQUARE:.*]]: i32, %[[REST:.*]]: i32):
// CHECK:           %[[BIT:.*]] = arith.andi %[[REST]], %{{.*}} : i32
// CHECK:           %[[ODD:.*]] = arith.cmpi ne, %[[BIT]], %{{.*}} : i32
// CHECK:           %[[PRODUCT:.*]] = arith.muli %[[RESULT]], %[[SQUARE]] : i32
// CHECK:           %[[NEXT:.*]] = arith.select %[[ODD]], %[[PRODUCT]], %[[RESULT]] : i32
// CHECK:           %[[HALF:.*]] = arith.shrui %[[REST]], %{{.*}} : i32
// CHECK:           %[[TWICE:.*]] = arith.muli %[[SQUARE]], %[[SQUARE]] : i32
// CHECK:           scf.yield %[[NEXT]], %[[TWICE]], %[[HALF]]
// CHECK:         scf.while
// CHECK:         return %[[R]]#0
func.func @any(%x: i32, %n: i32) -> (i32, i32) attributes {chi.host} {
  %p = chi.ipow %x, %n : i32
  %n65 = arith.constant 65 : i32
  %q = chi.ipow %x, %n65 : i32
  return %p, %q : i32, i32
}

// C's rest has the sign of the dividend: the divisor is added where that is the
// other one, and a rest of 0 takes the divisor's sign.
// CHECK-LABEL: func.func @rest(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64)
// CHECK:         %[[REST:.*]] = arith.remf %[[X]], %[[Y]] : f64
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         %[[SIDE:.*]] = math.copysign %[[ONE]], %[[Y]] : f64
// CHECK:         %[[TURNED:.*]] = arith.mulf %[[REST]], %[[SIDE]] : f64
// CHECK:         %[[OTHER:.*]] = arith.cmpf olt, %[[TURNED]], %[[ZERO]] : f64
// CHECK:         %[[SUM:.*]] = arith.addf %[[REST]], %[[Y]] : f64
// CHECK:         %[[R:.*]] = arith.select %[[OTHER]], %[[SUM]], %[[REST]] : f64
// CHECK:         %[[SIGNED:.*]] = math.copysign %[[R]], %[[Y]] : f64
// CHECK:         return %[[SIGNED]]
func.func @rest(%x: f64, %y: f64) -> f64 attributes {chi.host} {
  %r = chi.ffloormod %x, %y : f64
  return %r : f64
}

// The larger side by the root of 1 + (smaller / larger)^2; of two zeros by 1;
// one infinite side makes it infinite, whatever the other one.
// CHECK-LABEL: func.func @length(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK:         %[[A:.*]] = math.absf %[[X]] : f32
// CHECK:         %[[B:.*]] = math.absf %[[Y]] : f32
// CHECK:         %[[MORE:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f32
// CHECK:         %[[LARGE:.*]] = arith.select %[[MORE]], %[[A]], %[[B]] : f32
// CHECK:         %[[SMALL:.*]] = arith.select %[[MORE]], %[[B]], %[[A]] : f32
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[LARGE]], %[[ZERO]] : f32
// CHECK:         %[[BY:.*]] = arith.select %[[NONE]], %[[ONE]], %[[LARGE]] : f32
// CHECK:         %[[Q:.*]] = arith.divf %[[SMALL]], %[[BY]] : f32
// CHECK:         %[[S:.*]] = math.fma %[[Q]], %[[Q]], %[[ONE]] : f32
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[S]] : f32
// CHECK:         %[[R:.*]] = arith.mulf %[[LARGE]], %[[ROOT]] : f32
// CHECK:         %[[AINF:.*]] = arith.cmpf oeq, %[[A]], %[[INF]] : f32
// CHECK:         %[[BINF:.*]] = arith.cmpf oeq, %[[B]], %[[INF]] : f32
// CHECK:         %[[ANY:.*]] = arith.ori %[[AINF]], %[[BINF]] : i1
// CHECK:         arith.select %[[ANY]], %[[INF]], %[[R]] : f32
func.func @length(%x: f32, %y: f32) -> f32 attributes {chi.host} {
  %r = chi.hypot %x, %y : f32
  return %r : f32
}
