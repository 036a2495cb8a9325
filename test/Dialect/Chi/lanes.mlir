// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK-LABEL: func.func @accesses(
func.func @accesses(%x: !chi.field<8192x!chi.vec<2xf32>>, %g: !chi.field<?x?xf32>,
    %c: !chi.field<64xi32>, %s: !chi.field<f32>, %i: i32, %is: vector<16xi32>,
    %ks: vector<16xi64>, %v: vector<16xf32>, %m: vector<16xi1>) {
  // CHECK: chi.load %{{.*}}[%{{.*}} : vector<16xi32>] component 1 : <8192x!chi.vec<2xf32>> -> vector<16xf32>
  %0 = chi.load %x[%is : vector<16xi32>] component 1 : !chi.field<8192x!chi.vec<2xf32>> -> vector<16xf32>
  // CHECK: chi.load %{{.*}}[%{{.*}} : i32] dynamic(%{{.*}} : vector<16xi32>) inbounds mask(%{{.*}} : vector<16xi1>) : <8192x!chi.vec<2xf32>> -> vector<16xf32>
  %1 = chi.load %x[%i : i32] dynamic(%is : vector<16xi32>) inbounds mask(%m : vector<16xi1>) : !chi.field<8192x!chi.vec<2xf32>> -> vector<16xf32>
  // CHECK: chi.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} : i32, vector<16xi64>] : vector<16xf32>, <?x?xf32>
  chi.store %v, %g[%i, %ks : i32, vector<16xi64>] : vector<16xf32>, !chi.field<?x?xf32>
  // CHECK: chi.accum add %{{.*}}, %{{.*}}[] strategy(deterministic) mask(%{{.*}} : vector<16xi1>) : vector<16xf32>, <f32>
  chi.accum add %v, %s[] strategy(deterministic) mask(%m : vector<16xi1>) : vector<16xf32>, !chi.field<f32>
  // CHECK: chi.atomic add %{{.*}}, %{{.*}}[%{{.*}} : vector<16xi32>] mask(%{{.*}} : vector<16xi1>) : vector<16xi32>, <64xi32> -> vector<16xi32>
  %2 = chi.atomic add %is, %c[%is : vector<16xi32>] mask(%m : vector<16xi1>) : vector<16xi32>, !chi.field<64xi32> -> vector<16xi32>
  // CHECK: chi.atomic cas %{{.*}}, %{{.*}}[%{{.*}} : vector<16xi32>] expects(%{{.*}} : vector<16xi32>) : vector<16xi32>, <64xi32> -> vector<16xi32>
  %3 = chi.atomic cas %is, %c[%is : vector<16xi32>] expects(%2 : vector<16xi32>) : vector<16xi32>, !chi.field<64xi32> -> vector<16xi32>
  return
}

// CHECK-LABEL: func.func @values(
func.func @values(%i: vector<8xi32>, %x: vector<8xf64>, %m: vector<8xi1>, %n: i32) {
  // CHECK: chi.floordiv %{{.*}}, %{{.*}} : vector<8xi32>
  %0 = chi.floordiv %i, %i : vector<8xi32>
  // CHECK: chi.floormod %{{.*}}, %{{.*}} unsigned : vector<8xi32>
  %1 = chi.floormod %i, %i unsigned : vector<8xi32>
  // CHECK: chi.ipow %{{.*}}, %{{.*}} : vector<8xi32>
  %2 = chi.ipow %i, %i : vector<8xi32>
  // CHECK: chi.ffloormod %{{.*}}, %{{.*}} : vector<8xf64>
  %3 = chi.ffloormod %x, %x : vector<8xf64>
  // CHECK: chi.hypot %{{.*}}, %{{.*}} : vector<8xf64>
  %h = chi.hypot %x, %x : vector<8xf64>
  // CHECK: chi.root %{{.*}} : vector<8xf64>
  %4 = chi.root %x : vector<8xf64>
  // CHECK: chi.check bounds %{{.*}} lanes(8) (%{{.*}}, %{{.*}} : vector<8xi32>, i32) mask(%{{.*}} : vector<8xi1>) {what = "x"}
  chi.check bounds %m lanes(8) (%i, %n : vector<8xi32>, i32) mask(%m : vector<8xi1>) {what = "x", axis = 0 : i64}
  return
}
