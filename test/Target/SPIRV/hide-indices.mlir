// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// Indices of local arrays that are no constants are sums with the number of the
// block along an axis that has one; those of fields are as they are.
// CHECK-LABEL: spirv.func @gather
// CHECK: %[[BLOCK:.*]] = spirv.Load "Input" %{{.*}} : vector<3xi32>
// CHECK: %[[ZERO:.*]] = spirv.CompositeExtract %[[BLOCK]][1 : i32]
// CHECK: %[[WIDE:.*]] = spirv.UConvert %[[ZERO]] : i32 to i64
// CHECK: %[[LOCAL:.*]] = spirv.Variable
// CHECK: spirv.AccessChain %[[LOCAL]][%{{.*}}, %[[TWO:cst2_i64[_0-9]*]]]
// CHECK: %[[INDEX:.*]] = spirv.IAdd %[[AT:.*]], %[[WIDE]] : i64
// CHECK: spirv.AccessChain %[[LOCAL]][%{{.*}}, %[[INDEX]]]
// CHECK-NOT: spirv.IAdd %{{.*}}, %[[WIDE]]
gpu.module @kernels {
  gpu.func @gather(%x: memref<?xi32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %two = arith.constant 2 : index
    %seven = arith.constant 7 : i32
    %a = memref.alloca() : memref<4xi32>
    memref.store %seven, %a[%two] : memref<4xi32>
    %at = memref.load %x[%b] : memref<?xi32>
    %index = arith.index_cast %at : i32 to index
    %v = memref.load %a[%index] : memref<4xi32>
    memref.store %v, %x[%index] : memref<?xi32>
    gpu.return
  }
}
