// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// The reciprocal of a root is a quotient, as on a processor.
// CHECK-LABEL: spirv.func @roots
// CHECK-NOT:     InverseSqrt
// CHECK:         %[[ONE:.*]] = spirv.Constant 1.000000e+00 : f32
// CHECK:         %[[ROOT:.*]] = spirv.GL.Sqrt %{{.*}} : f32
// CHECK:         spirv.FDiv %[[ONE]], %[[ROOT]] {no_contraction} : f32
gpu.module @kernels {
  gpu.func @roots(%x: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = math.rsqrt %v : f32
    memref.store %r, %x[%i] : memref<?xf32>
    gpu.return
  }
}
