// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A kernel that may run many iterations has two more parameters, counts the iterations
// of a loop at its end, and reports if they differ from the launch's number.
// CHECK-LABEL: spirv.func @many
// CHECK-SAME: chi.kernel_abi = #chi.kernel_abi<params = [data(0), ended, probeIterations]>
// CHECK: spirv.Load "PushConstant" %{{.*}} : !spirv.ptr<
// CHECK: %[[WANTED:.*]] = spirv.Load "PushConstant" %{{.*}} : i64
// CHECK: spirv.mlir.loop
// CHECK: %[[NEXT:.*]] = spirv.IAdd
// CHECK: spirv.SLessThan %[[NEXT]], %[[WANTED]]
// CHECK: %[[DONE:.*]] = spirv.Load "Function"
// CHECK: spirv.INotEqual %[[DONE]], %[[WANTED]]
// CHECK: spirv.mlir.selection
// CHECK: spirv.Store "PhysicalStorageBuffer" %{{.*}}, %cst1_i32{{.*}} : i32
// CHECK: spirv.Return

// One that takes few has none of it.
// CHECK-LABEL: spirv.func @few
// CHECK-SAME: chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>
// CHECK-NOT: spirv.mlir.loop
// CHECK: spirv.Return
gpu.module @kernels {
  gpu.func @many(%x: memref<?xi32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    gpu.return
  }
  gpu.func @few(%x: memref<?xi32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, few_iterations, known_block_size = array<i32: 256, 1, 1>} {
    gpu.return
  }
}
