// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A kernel that may take many turns has two parameters more, counts the turns
// of a loop at its end, and tells if they are not as many as the launch says.
// CHECK-LABEL: spirv.func @many
// CHECK-SAME: chi.words = array<i32: 0, 0, 0, 18, 0, 0, 19, 0, 0>
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
// CHECK-SAME: chi.words = array<i32: 0, 0, 0>
// CHECK-NOT: spirv.mlir.loop
// CHECK: spirv.Return
gpu.module @kernels {
  gpu.func @many(%x: memref<?xi32>) kernel attributes {chi.words = array<i32: 0, 0, 0>, known_block_size = array<i32: 256, 1, 1>} {
    gpu.return
  }
  gpu.func @few(%x: memref<?xi32>) kernel attributes {chi.words = array<i32: 0, 0, 0>, few_turns, known_block_size = array<i32: 256, 1, 1>} {
    gpu.return
  }
}
