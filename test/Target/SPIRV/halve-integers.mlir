// RUN: chi-opt %s --chi-halve-integers | FileCheck %s
// RUN: chi-opt %s --chi-halve-integers --canonicalize --convert-kernels-to-spirv | FileCheck %s --check-prefix=SPIRV

// What a record has is two numbers of 32 bits, and so is what branches hand on.
// CHECK-LABEL: gpu.module @records
// CHECK-NOT:     i64
// CHECK:         gpu.func @k(%{{.*}}: memref<?xvector<2xi32>>, %{{.*}}: memref<?xf32>, %{{.*}}: vector<2xi32>)
// CHECK:         arith.mului_extended
// CHECK:         cf.br ^bb1(%{{.*}} : vector<2xi32>)
// CHECK:       ^bb1(%{{.*}}: vector<2xi32>):
// CHECK:         memref.store %{{.*}} : memref<?xvector<2xi32>>
// CHECK:         gpu.return
// SPIRV-LABEL: spirv.module @__spv__records
// SPIRV-NOT:     i64
// SPIRV:         spirv.GlobalVariable @k.words : !spirv.ptr<!spirv.struct<(!spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<2xi32>, stride=8> [0])>, PhysicalStorageBuffer> [0], !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, PhysicalStorageBuffer> [8], vector<2xi32> [16])>, PushConstant>
// SPIRV:         spirv.func @k() {{.*}}workgroup_attributions = 0 : i64
// SPIRV-NOT:     i64
// SPIRV:         spirv.Store "PhysicalStorageBuffer" %{{.*}}, %{{.*}} ["Aligned", 8] : vector<2xi32>
// SPIRV-NOT:     i64
gpu.module @records {
  gpu.func @k(%told: memref<?xi64>, %x: memref<?xf32>, %seed: i64) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [records, data(0), seed], shortIndices = true>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %n = arith.index_cast %i : index to i32
    %number = arith.extsi %n : i32 to i64
    %product = arith.muli %number, %seed : i64
    %v = memref.load %x[%i] : memref<?xf32>
    %bits = arith.bitcast %v : f32 to i32
    %word = arith.extui %bits : i32 to i64
    %sum = arith.addi %product, %word : i64
    cf.br ^bb1(%sum : i64)
  ^bb1(%s: i64):
    memref.store %s, %told[%i] : memref<?xi64>
    gpu.return
  }
}

// The program's own numbers stay as they are, quotients too, and all of a
// kernel with large launches.
// CHECK-LABEL: gpu.module @own
// CHECK:         gpu.func @own(%{{.*}}: memref<?xi64>)
// SPIRV-LABEL: spirv.module @__spv__own
// SPIRV:         rtarray<i64, stride=8>
gpu.module @own {
  gpu.func @own(%x: memref<?xi64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = true>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi64>
    memref.store %v, %x[%i] : memref<?xi64>
    gpu.return
  }
}
// CHECK-LABEL: gpu.module @quotient
// CHECK:         arith.divui %{{.*}} : i64
gpu.module @quotient {
  gpu.func @quotient(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], smallLaunches = true>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extui %v : i32 to i64
    %q = arith.divui %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.module @large
// CHECK:         arith.addi %{{.*}} : i64
// SPIRV-LABEL: spirv.module @__spv__large
// SPIRV:         spirv.IAdd %{{.*}} : i64
gpu.module @large {
  gpu.func @large(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extui %v : i32 to i64
    %q = arith.addi %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}
