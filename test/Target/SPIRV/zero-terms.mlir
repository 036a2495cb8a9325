// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A driver drops +0 from a sum, but -0 and +0 are +0: a strict kernel decides it
// by the bits.
// CHECK-LABEL: spirv.func @exact
// CHECK-NOT:     spirv.FAdd
// CHECK:         spirv.IEqual
// CHECK:         spirv.Select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
// CHECK:         spirv.FNegate
// CHECK:         spirv.IEqual
// CHECK-LABEL: spirv.func @loose
// CHECK-NOT:     spirv.IEqual
// CHECK:         spirv.FAdd
// Of `c ? -1.0 : 0.0` a driver makes the negated conversion of c: -0.0.
// CHECK-LABEL: spirv.func @choices
// CHECK:         spirv.BitwiseAnd
// CHECK:         spirv.Bitcast
// CHECK:         spirv.Select %{{.*}} : i1, f32
gpu.module @kernels {
  gpu.func @exact(%x: memref<?xf32>) kernel attributes {strict, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %v = memref.load %x[%i] : memref<?xf32>
    %p = arith.addf %v, %zero : f32
    %q = arith.subf %zero, %p : f32
    memref.store %q, %x[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @loose(%x: memref<?xf32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %v = memref.load %x[%i] : memref<?xf32>
    %p = arith.addf %v, %zero : f32
    memref.store %p, %x[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @choices(%x: memref<?xf32>, %c: i1) kernel attributes {strict, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %less = arith.constant -1.0 : f32
    %v = arith.select %c, %less, %zero : f32
    memref.store %v, %x[%i] : memref<?xf32>
    %w = arith.select %c, %one, %zero : f32
    memref.store %w, %x[%i] : memref<?xf32>
    gpu.return
  }
}
