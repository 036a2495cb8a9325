// RUN: chi-opt %s --chi-add-sum-variants | FileCheck %s
// RUN: chi-opt %s --chi-add-sum-variants --convert-kernels-to-spirv | FileCheck %s --check-prefix=SPIRV
// RUN: chi-opt %s --chi-add-sum-variants --convert-kernels-to-spirv | FileCheck %s --check-prefix=PLAIN

// A module that sums f32 in a field is followed by a copy for devices that
// cannot. Both have the same parameters: none of them detects ended loops.
// CHECK-LABEL: gpu.module @sums {
// CHECK:         memref.atomic_rmw addf
// CHECK-LABEL: gpu.module @sums.exchange_sums attributes {exchange_sums} {
// CHECK:         gpu.func @add({{.*}}) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>, few_iterations, known_block_size
// CHECK:         memref.atomic_rmw addf
// SPIRV-LABEL: spirv.module @__spv__sums
// SPIRV-NOT:     spirv.mlir.loop
// SPIRV:         spirv.EXT.AtomicFAdd <Device> <None>
// SPIRV-LABEL: spirv.module @__spv__sums.exchange_sums
// SPIRV-SAME:    Vulkan
// SPIRV:         spirv.func @add
// SPIRV-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>
// SPIRV-NOT:     spirv.EXT.AtomicFAdd
// SPIRV:         %[[WORD:.*]] = spirv.Bitcast %{{.*}} : !spirv.ptr<f32, PhysicalStorageBuffer> to !spirv.ptr<i32, PhysicalStorageBuffer>
// SPIRV:         spirv.mlir.loop
// SPIRV:           %[[OLD:.*]] = spirv.Bitcast %{{.*}} : i32 to f32
// SPIRV:           %[[SUM:.*]] = spirv.FAdd %[[OLD]], %{{.*}} : f32
// SPIRV:           %[[BITS:.*]] = spirv.Bitcast %[[SUM]] : f32 to i32
// SPIRV:           spirv.AtomicCompareExchange <Device> <None> <None> %[[WORD]], %[[BITS]]
// SPIRV-NOT:     AtomicFAdd
// SPIRV-LABEL: spirv.module @__spv__others
gpu.module @sums {
  gpu.func @add(%x: memref<?xf32>, %v: f32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>, known_block_size = array<i32: 256, 1, 1>} {
    %at = arith.constant 3 : index
    %old = memref.atomic_rmw addf %v, %x[%at] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}

// No copy for others: integers, f64, exchanges, and sums in a block's memory.
// CHECK-LABEL: gpu.module @others {
// CHECK-NOT:   gpu.module
// PLAIN:       spirv.module @__spv__others
// PLAIN-NOT:   spirv.module
gpu.module @others {
  gpu.func @update(%x: memref<?xf32>, %k: memref<?xi32>, %d: memref<?xf64>, %v: f32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1), data(2), scalar(3)]>, known_block_size = array<i32: 256, 1, 1>} {
    %at = arith.constant 3 : index
    %one = arith.constant 1 : i32
    %wide = arith.extf %v : f32 to f64
    %buffer = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    %a = memref.atomic_rmw addi %one, %k[%at] : (i32, memref<?xi32>) -> i32
    %b = memref.atomic_rmw addf %wide, %d[%at] : (f64, memref<?xf64>) -> f64
    %c = memref.atomic_rmw assign %v, %x[%at] : (f32, memref<?xf32>) -> f32
    %e = memref.atomic_rmw addf %v, %buffer[%at] : (f32, memref<8xf32, #gpu.address_space<workgroup>>) -> f32
    gpu.return
  }
}
