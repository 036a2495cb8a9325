// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK-SAME: !chi.field<f32>
// CHECK-SAME: !chi.field<4x?x!chi.vec<2xf32>, soa, order = [1, 0]>
// The identity order is not kept.
// CHECK-SAME: !chi.field<?x8xi1>
// CHECK-SAME: !chi.field<3x!chi.mat<2x2xf64>, soa>
// CHECK-SAME: !chi.str
// CHECK-SAME: !chi.field<?x?xf32, order = ?>
func.func @types(%a: !chi.field<f32>,
    %b: !chi.field<4x?x!chi.vec<2xf32>, soa, order = [1, 0]>,
    %c: !chi.field<?x8xi1, order = [0, 1]>,
    %d: !chi.field<3x!chi.mat<2x2xf64>, soa>, %e: !chi.str,
    %f: !chi.field<?x?xf32, order = ?>) {
  return
}

// CHECK-LABEL: func.func @accesses(
func.func @accesses(%x: !chi.field<8192x!chi.vec<2xf32>>, %n: !chi.field<i32>,
    %g: !chi.field<?x?xf32>, %c: !chi.field<64xi32>, %p: i32, %q: i64, %v: f32) {
  // CHECK: %[[Y:.*]] = chi.load %{{.*}}[%{{.*}} : i32] component 1 : <8192x!chi.vec<2xf32>> -> f32
  %y = chi.load %x[%p : i32] component 1 : !chi.field<8192x!chi.vec<2xf32>> -> f32
  // CHECK: chi.load %{{.*}}[%{{.*}} : i32] dynamic(%{{.*}} : i32) inbounds {field_name = "x"}
  %z = chi.load %x[%p : i32] dynamic(%p : i32) inbounds {field_name = "x"} : !chi.field<8192x!chi.vec<2xf32>> -> f32
  // CHECK: chi.load %{{.*}}[] : <i32> -> i32
  %k = chi.load %n[] : !chi.field<i32> -> i32
  // CHECK: chi.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} : i32, i64] : f32, <?x?xf32>
  chi.store %v, %g[%p, %q : i32, i64] : f32, !chi.field<?x?xf32>
  // CHECK: chi.accum add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} : i32, i32] strategy(privatized) : f32, <?x?xf32>
  chi.accum add %v, %g[%p, %p : i32, i32] strategy(privatized) : f32, !chi.field<?x?xf32>
  // CHECK: chi.accum and %{{.*}}, %{{.*}}[] : i32, <i32>
  chi.accum and %k, %n[] : i32, !chi.field<i32>
  // CHECK: chi.atomic add %{{.*}}, %{{.*}}[%{{.*}} : i32] : i32, <64xi32> -> i32
  %s = chi.atomic add %k, %c[%k : i32] : i32, !chi.field<64xi32> -> i32
  // CHECK: chi.atomic cas %{{.*}}, %{{.*}}[%{{.*}} : i32] expects(%{{.*}} : i32) : i32, <64xi32> -> i32
  %o = chi.atomic cas %k, %c[%k : i32] expects(%s : i32) : i32, !chi.field<64xi32> -> i32
  // CHECK: chi.atomic load %{{.*}}, %{{.*}}[%{{.*}} : i32] : i32, <64xi32> -> i32
  %l = chi.atomic load %k, %c[%k : i32] : i32, !chi.field<64xi32> -> i32
  // CHECK: chi.dim %{{.*}}, 1 : <?x?xf32> -> i32
  %d = chi.dim %g, 1 : !chi.field<?x?xf32> -> i32
  // CHECK: chi.cast_field %{{.*}} : <?x?xf32> to <4x?xf32>
  %h = chi.cast_field %g : !chi.field<?x?xf32> to !chi.field<4x?xf32>
  // CHECK: chi.companion %{{.*}} : <?x?xf32> -> <?x?xf32>
  %companion = chi.companion %g : !chi.field<?x?xf32> -> !chi.field<?x?xf32>
  return
}

// CHECK-LABEL: func.func @record_access(
func.func @record_access(%data: memref<?xf32>, %at: index, %number: i64) {
  // CHECK: chi.record_access %{{.*}}[%{{.*}}] by %{{.*}} kind 1 of "x" : memref<?xf32>
  chi.record_access %data[%at] by %number kind 1 of "x" : memref<?xf32>
  // CHECK: chi.record_access %{{.*}}[%{{.*}}] by %{{.*}} kind 0 : memref<?xf32>
  chi.record_access %data[%at] by %number kind 0 : memref<?xf32>
  return
}
