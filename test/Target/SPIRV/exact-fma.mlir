// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A strict kernel's fused operation is made of f64 sums; what the last one loses
// decides its last bit. Another kernel's is the driver's.
// CHECK-LABEL: spirv.func @exact
// CHECK-NOT:     GL.Fma
// CHECK:         spirv.FConvert %{{.*}} : f32 to f64
// CHECK:         %[[PRODUCT:.*]] = spirv.FMul %{{.*}} {no_contraction} : f64
// CHECK:         %[[SUM:.*]] = spirv.FAdd %[[PRODUCT]], %{{.*}} {no_contraction} : f64
// CHECK:         %[[BITS:.*]] = spirv.Bitcast %[[SUM]] : f64 to i64
// CHECK:         %[[ODD:.*]] = spirv.IAdd %[[BITS]]
// CHECK:         spirv.Select %{{.*}}, %[[ODD]], %[[BITS]]
// CHECK:         spirv.FConvert %{{.*}} : f64 to f32
// CHECK-LABEL: spirv.func @wide
// CHECK:         spirv.FMul %{{.*}}, %cst_f64{{.*}} {no_contraction} : f64
// CHECK:         %[[PLAIN:.*]] = spirv.GL.Fma
// CHECK:         spirv.Select %{{.*}}, %{{.*}}, %[[PLAIN]]
// CHECK-LABEL: spirv.func @loose
// CHECK-NOT:     f64
// CHECK:         spirv.GL.Fma
gpu.module @kernels {
  gpu.func @exact(%x: memref<?xf32>) kernel attributes {strict, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = math.fma %v, %v, %v : f32
    memref.store %r, %x[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @wide(%x: memref<?xf64>) kernel attributes {strict, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf64>
    %r = math.fma %v, %v, %v : f64
    memref.store %r, %x[%i] : memref<?xf64>
    gpu.return
  }
  gpu.func @loose(%x: memref<?xf32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = math.fma %v, %v, %v : f32
    memref.store %r, %x[%i] : memref<?xf32>
    gpu.return
  }
}
