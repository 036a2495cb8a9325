// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Lanes start at any element; the first one may be dead and its address
// outside, so nothing is promised of it.
// CHECK-LABEL: llvm.func {{.*}}@contiguous
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %{{.*}} {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
func.func @contiguous(%x: memref<?xf32>, %i: index, %m: vector<8xi1>, %z: vector<8xf32>) {
  %a = vector.maskedload %x[%i], %m, %z : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %x[%i], %m, %a : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// CHECK-LABEL: llvm.func {{.*}}@apart
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
// CHECK: llvm.intr.masked.gather %{{.*}}, %{{.*}}, %{{.*}} {alignment = 1 : i32}
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %{{.*}} {alignment = 1 : i32}
func.func @apart(%x: memref<?xi8>, %i: index, %k: vector<4xi64>, %m: vector<4xi1>, %z: vector<4xi8>) {
  %a = vector.gather %x[%i] [%k], %m, %z : memref<?xi8>, vector<4xi64>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.scatter %x[%i] [%k], %m, %a : memref<?xi8>, vector<4xi64>, vector<4xi1>, vector<4xi8>
  return
}

// Conversions of lanes saturate as those of scalars do.
// CHECK-LABEL: llvm.func {{.*}}@saturates
// CHECK: llvm.fptosi %{{.*}} : vector<8xf32> to vector<8xi32>
// CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: llvm.fptosi %{{.*}} : vector<8xf64> to vector<8xi32>
// CHECK: llvm.trunc %{{.*}} : vector<8xi32> to vector<8xi8>
func.func @saturates(%x: vector<8xf32>, %y: vector<8xf64>) -> (vector<8xi32>, vector<8xi8>) {
  %i = chi.to_int %x : vector<8xf32> -> vector<8xi32>
  %k = chi.to_int %y unsigned : vector<8xf64> -> vector<8xi8>
  return %i, %k : vector<8xi32>, vector<8xi8>
}
