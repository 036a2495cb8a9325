// RUN: chi-opt %s --chi-expand-math="library=%S/Inputs/rare-sides-library.mlir" | FileCheck %s
// RUN: not chi-opt %s --chi-expand-math="library=%S/Inputs/no-such-library.mlir" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no-such-library.mlir

// The long side of a choice is a function of the module, private, whose
// arguments are what it needs from outside, less what is constant, which it has
// itself. Which side that is, is asked of the library; the condition turns with
// it.

// Long if not: the call stands where the condition is false.
// CHECK-LABEL: func.func @otherwise(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32)
// CHECK:         %[[C:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : f32
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[RARE:.*]] = arith.xori %[[C]], %[[TRUE]] : i1
// CHECK:         %[[R:.*]] = scf.if %[[RARE]] -> (f32) {
// CHECK-NEXT:      %[[FAR:.*]] = func.call @chi.cold.tan.f32(%[[X]]) : (f32) -> f32
// CHECK-NEXT:      scf.yield %[[FAR]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[X]]
// CHECK:         return %[[R]]
func.func @otherwise(%x: f32) -> f32 {
  %r = math.tan %x : f32
  return %r : f32
}

// Lanes: the same, turned in all of them.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: vector<4xf32>)
// CHECK:         %[[C:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : vector<4xf32>
// CHECK:         %[[TRUE:.*]] = arith.constant dense<true> : vector<4xi1>
// CHECK:         %[[RARE:.*]] = arith.xori %[[C]], %[[TRUE]] : vector<4xi1>
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[RARE]]
// CHECK:         scf.if %[[ANY]] -> (vector<4xf32>) {
// CHECK:           scf.for %[[LANE:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SOFAR:.*]] = %[[X]]) -> (vector<4xf32>) {
// CHECK:             %[[MINE:.*]] = vector.extract %[[RARE]][%[[LANE]]]
// CHECK:             scf.if %[[MINE]] -> (vector<4xf32>) {
// CHECK:               %[[ONE:.*]] = vector.extract %[[X]][%[[LANE]]] : f32 from vector<4xf32>
// CHECK:               %[[FAR:.*]] = func.call @chi.cold.tan.f32(%[[ONE]])
// CHECK:               vector.insert %[[FAR]], %[[SOFAR]] [%[[LANE]]]
// CHECK:             } else {
// CHECK:               scf.yield %[[SOFAR]]
func.func @lanes(%x: vector<4xf32>) -> vector<4xf32> {
  %r = math.tan %x : vector<4xf32>
  return %r : vector<4xf32>
}

// Two values from outside are two arguments; each width has its function.
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64)
// CHECK:         %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f64
// CHECK:         func.call @chi.cold.pow.f64(%[[P]], %[[Y]]) : (f64, f64) -> f64
func.func @two(%x: f64, %y: f64) -> f64 {
  %r = math.powf %x, %y : f64
  return %r : f64
}

// CHECK:       func.func private @chi.cold.tan.f32(%[[A:[a-z0-9]+]]: f32) -> f32 {
// CHECK:         %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         arith.mulf %[[A]], %[[TWO]] : f32
// CHECK-COUNT-8: arith.mulf
// CHECK:         return
// CHECK-NOT:   func.func private @chi.cold.tan.f32
// CHECK:       func.func private @chi.cold.pow.f64(%[[B:[a-z0-9]+]]: f64, %[[C:[a-z0-9]+]]: f64) -> f64 {
// CHECK:         arith.addf %[[B]], %[[C]] : f64
