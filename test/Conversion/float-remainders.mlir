// Remainders and lengths of floats without a library.
// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// The rest has the divisor's sign, also a zero: it is turned to the divisor's
// side, and the divisor is added if it lies on the other one.
// CHECK-LABEL: func.func @modulo(
// CHECK:         %[[R:.*]] = arith.remf %arg0, %arg1
// CHECK:         %[[SIDE:.*]] = math.copysign %cst{{[_0-9]*}}, %arg1
// CHECK:         %[[TURNED:.*]] = arith.mulf %[[R]], %[[SIDE]]
// CHECK:         %[[DIFFER:.*]] = arith.cmpf olt, %[[TURNED]], %cst
// CHECK:         %[[SUM:.*]] = arith.addf %[[R]], %arg1
// CHECK:         %[[ONE:.*]] = arith.select %[[DIFFER]], %[[SUM]], %[[R]]
// CHECK:         math.copysign %[[ONE]], %arg1
func.func @modulo(%x: f64, %y: f64) -> f64 attributes {chi.host} {
  %r = chi.ffloormod %x, %y : f64
  return %r : f64
}

// Lanes of halves, too.
// CHECK-LABEL: func.func @lanes(
// CHECK:         arith.remf %{{.*}} : vector<4xf16>
// CHECK:         math.copysign %{{.*}} : vector<4xf16>
func.func @lanes(%x: vector<4xf16>) -> vector<4xf16> attributes {chi.host} {
  %r = chi.ffloormod %x, %x : vector<4xf16>
  return %r : vector<4xf16>
}

// A length: the smaller side by the larger, whose square neither overflows nor
// vanishes. Of two zeros nothing is divided; an infinite side gives infinity,
// also beside a NaN.
// CHECK-LABEL: func.func @length(
// CHECK-DAG:     %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK:         %[[X:.*]] = math.absf %arg0
// CHECK:         %[[Y:.*]] = math.absf %arg1
// CHECK:         %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[Y]]
// CHECK:         %[[LARGE:.*]] = arith.select %[[MORE]], %[[X]], %[[Y]]
// CHECK:         %[[SMALL:.*]] = arith.select %[[MORE]], %[[Y]], %[[X]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[LARGE]]
// CHECK:         %[[BY:.*]] = arith.select %[[NONE]], %[[ONE]], %[[LARGE]]
// CHECK:         %[[Q:.*]] = arith.divf %[[SMALL]], %[[BY]]
// CHECK:         %[[SUM:.*]] = math.fma %[[Q]], %[[Q]], %[[ONE]]
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK:         %[[R:.*]] = arith.mulf %[[LARGE]], %[[ROOT]]
// CHECK-DAG:     arith.cmpf oeq, %[[X]], %[[INF]]
// CHECK-DAG:     arith.cmpf oeq, %[[Y]], %[[INF]]
// CHECK:         %[[IS:.*]] = arith.ori
// CHECK:         %[[ALL:.*]] = arith.select %[[IS]], %[[INF]], %[[R]]
// CHECK:         return %[[ALL]]
func.func @length(%x: f32, %y: f32) -> f32 attributes {chi.host} {
  %r = chi.hypot %x, %y : f32
  return %r : f32
}
