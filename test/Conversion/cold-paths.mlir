// RUN: chi-opt %s --chi-expand-math="library=%S/Inputs/rare-library.mlir" | FileCheck %s

// The long side of a branch is a function of its own, made once for a module.
// CHECK-LABEL: func.func @two
// CHECK: scf.if
// CHECK-NEXT: %[[Y:.*]] = {{(func\.)?}}call @chi.cold.sin.f32(%arg0) : (f32) -> f32
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK-NEXT: } else {
// CHECK: scf.if
// CHECK-NEXT: {{.*}}call @chi.cold.sin.f32(
func.func @two(%x: f32) -> f32 {
  %0 = math.sin %x : f32
  %1 = math.sin %0 : f32
  return %1 : f32
}

// Of lanes, those that need it are asked one by one, if there is any.
// CHECK-LABEL: func.func @lanes
// CHECK: %[[NEAR:.*]] = arith.mulf %arg0, %{{.*}} : vector<8xf32>
// CHECK: %[[RARE:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[RARE]] : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]] -> (vector<8xf32>) {
// CHECK:   scf.for %[[LANE:.*]] = {{.*}} iter_args(%[[SOFAR:.*]] = %[[NEAR]])
// CHECK:     vector.extract %[[RARE]][%[[LANE]]]
// CHECK:     {{.*}}call @chi.cold.sin.f32(
// CHECK:     vector.insert
func.func @lanes(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK: func.func private @chi.cold.sin.f32(%{{.*}}: f32) -> f32
// CHECK-COUNT-15: arith.mulf
// CHECK: return
// CHECK-NOT: func.func
