// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// The words are push constants, 8 bytes apart; a field is its address, which is
// no integer. Control flow is structured.
// CHECK-LABEL: spirv.module @__spv__kernels PhysicalStorageBuffer64 GLSL450
// CHECK:       spirv.GlobalVariable @k.words : !spirv.ptr<!spirv.struct<(!spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, PhysicalStorageBuffer> [0], !spirv.ptr<!spirv.struct<(!spirv.rtarray<f16, stride=2> [0])>, PhysicalStorageBuffer> [8], !spirv.ptr<!spirv.struct<(!spirv.rtarray<i8, stride=1> [0])>, PhysicalStorageBuffer> [16], !spirv.ptr<!spirv.struct<(!spirv.rtarray<f64, stride=8> [0])>, PhysicalStorageBuffer> [24], !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, PhysicalStorageBuffer> [32], i64 [40], f32 [48], !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, PhysicalStorageBuffer> [56], i64 [64])>, PushConstant>
// CHECK:       spirv.func @k() "None"
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1),
// Its exchange loops may take any number of turns: see find-ended-loops.mlir.
// CHECK-SAME:    ended, probeIterations]>
// CHECK-SAME:    spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [256, 1, 1]>
// CHECK:         spirv.Load "PushConstant" %{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, PhysicalStorageBuffer>

// Arithmetic that may be contracted, and that may not.
// CHECK:         %[[LOOSE:.*]] = spirv.FMul %{{.*}}, %[[F:.*]] : f32
// CHECK:         %[[TIGHT:.*]] = spirv.FAdd %[[LOOSE]], %[[F]] {no_contraction} : f32

// Casts saturate, and NaN gives 0.
// CHECK:         %[[CAST:.*]] = spirv.ConvertFToS %[[TIGHT]] : f32 to i32
// CHECK:         spirv.FOrdGreaterThanEqual %[[TIGHT]]
// CHECK:         spirv.Select %{{.*}}, %cst2147483647_i32, %[[CAST]]
// CHECK:         spirv.Select %{{.*}}, %cst-2147483648_i32
// CHECK:         spirv.IsNan %[[TIGHT]]
// CHECK:         %[[K:.*]] = spirv.Select %{{.*}}, %cst0_i32{{.*}} : i1, i32

// The upper half of a product shows overflow.
// CHECK:         spirv.SMulExtended %[[K]], %[[K]]
// CHECK:         spirv.INotEqual

// The minimum ignores a NaN, and of two zeros it is the negative one.
// CHECK:         spirv.BitwiseOr
// CHECK:         spirv.FOrdLessThan %[[TIGHT]], %[[F]]
// CHECK:         spirv.FOrdEqual %[[TIGHT]], %[[F]]
// CHECK:         %[[LEAST:.*]] = spirv.Select

// Atomics: native, of the bits, or a loop round an exchange of the bits.
// CHECK:         spirv.EXT.AtomicFAdd <Device> <None> %{{.*}}, %[[LEAST]]
// CHECK:         spirv.AtomicIAdd <Device> <None>
// CHECK:         spirv.AtomicExchange <Device> <None> %{{.*}} : !spirv.ptr<i32, PhysicalStorageBuffer>
// CHECK:         spirv.mlir.loop
// CHECK:           spirv.FAdd %{{.*}} : f64
// CHECK:           spirv.AtomicCompareExchange {{.*}} : !spirv.ptr<i64, PhysicalStorageBuffer>
// One of 16 bits changes the word around it.
// CHECK:         spirv.BitwiseAnd %{{.*}}, %cst1_i64
// CHECK:         spirv.Bitcast %{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f16, stride=2> [0])>, PhysicalStorageBuffer> to !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, PhysicalStorageBuffer>
// CHECK:         spirv.mlir.loop
// CHECK:           spirv.FAdd %{{.*}} : f16
// CHECK:           spirv.AtomicCompareExchange {{.*}} : !spirv.ptr<i32, PhysicalStorageBuffer>
// CHECK:         spirv.mlir.selection
// CHECK-NOT:     unrealized

// More than 16 words lie where the one push constant points to. Those that are
// not used are not there.
// CHECK:       spirv.GlobalVariable @many.words : !spirv.ptr<!spirv.struct<(!spirv.ptr<!spirv.struct<(!spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, PhysicalStorageBuffer> [0], i32 [128])>, PhysicalStorageBuffer> [0])>, PushConstant>
// CHECK:       spirv.func @many() "None"
// CHECK:         %[[BLOCK:.*]] = spirv.Load "PushConstant"
// CHECK:         %[[PLACE:.*]] = spirv.AccessChain %[[BLOCK]][%cst1_i32
// CHECK:         spirv.Load "PhysicalStorageBuffer" %[[PLACE]] ["Aligned", 8] : i32
gpu.module @kernels {
  gpu.func @k(%x: memref<?xf32>, %h: memref<?xf16>, %b: memref<?xi8>, %d: memref<?xf64>, %c: memref<?xi32>, %n: index, %f: f32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1), data(2), data(3), data(4), count(0), scalar(5)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %loose = arith.mulf %v, %f fastmath<contract> : f32
    %tight = arith.addf %loose, %f : f32
    %k = chi.to_int %tight : f32 -> i32
    %bad = chi.overflow mul %k, %k : i32
    %least = arith.minnumf %tight, %f : f32
    %half = arith.truncf %least : f32 to f16
    %byte = arith.extui %bad : i1 to i8
    %wide = arith.extf %least : f32 to f64
    %a = memref.atomic_rmw addf %least, %x[%n] : (f32, memref<?xf32>) -> f32
    %e = memref.atomic_rmw addi %k, %c[%n] : (i32, memref<?xi32>) -> i32
    %g = memref.atomic_rmw assign %least, %x[%n] : (f32, memref<?xf32>) -> f32
    %p = memref.atomic_rmw addf %wide, %d[%n] : (f64, memref<?xf64>) -> f64
    %q = memref.atomic_rmw addf %half, %h[%n] : (f16, memref<?xf16>) -> f16
    %r = memref.atomic_rmw ori %byte, %b[%n] : (i8, memref<?xi8>) -> i8
    %s = memref.generic_atomic_rmw %x[%n] : memref<?xf32> {
    ^bb0(%old: f32):
      memref.atomic_yield %old : f32
    }
    cf.cond_br %bad, ^bb1, ^bb2
  ^bb1:
    memref.store %s, %x[%i] : memref<?xf32>
    gpu.return
  ^bb2:
    gpu.return
  }
  gpu.func @many(%a: memref<?xi32>, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32, %i: i32, %j: i32, %k: i32, %l: i32, %m: i32, %n: i32, %o: i32, %p: i32, %q: i32) kernel attributes {few_iterations, known_block_size = array<i32: 256, 1, 1>} {
    %at = arith.constant 0 : index
    memref.store %q, %a[%at] : memref<?xi32>
    gpu.return
  }
}

// What the threads of a block share; they meet at a barrier.
// CHECK-LABEL: spirv.module @__spv__shared
// CHECK:       spirv.GlobalVariable @[[SHARED:.*]] : !spirv.ptr<!spirv.struct<(!spirv.array<256 x f32>)>, Workgroup>
// CHECK:       spirv.func @join
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [partials(0)], perThread = 64>
// CHECK:         %[[BASE:.*]] = spirv.mlir.addressof @[[SHARED]]
// CHECK:         %[[PLACE:.*]] = spirv.AccessChain %[[BASE]]
// CHECK:         spirv.Store "Workgroup" %[[PLACE]]
// CHECK:         spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>
gpu.module @shared {
  gpu.func @join(%x: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [partials(0)], perThread = 64>} {
    %buffer = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %thread = gpu.thread_id x
    %v = memref.load %x[%thread] : memref<?xf32>
    memref.store %v, %buffer[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}

// Floats of a block's memory that are updated atomically lie there as words.
// CHECK-LABEL: spirv.module @__spv__copies
// CHECK:       spirv.GlobalVariable @{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.array<8 x i32>)>, Workgroup>
// CHECK:       spirv.func @adds
// CHECK:         %[[PLACE:.*]] = spirv.AccessChain
// CHECK:         spirv.mlir.loop
// CHECK:           spirv.FAdd
// CHECK:           spirv.AtomicCompareExchange {{.*}} : !spirv.ptr<i32, Workgroup>
// CHECK:         %[[WORD:.*]] = spirv.Load "Workgroup" %{{.*}} : i32
// CHECK:         spirv.Bitcast %[[WORD]] : i32 to f32
gpu.module @copies {
  gpu.func @adds(%x: memref<?xf32>, %v: f32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %buffer = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    %place = arith.constant 3 : index
    %old = memref.atomic_rmw addf %v, %buffer[%place] : (f32, memref<8xf32, #gpu.address_space<workgroup>>) -> f32
    %sum = memref.load %buffer[%place] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %sum, %x[%place] : memref<?xf32>
    gpu.return
  }
}

// Where launches are small an index has 32 bits.
// CHECK-LABEL: spirv.module @__spv__small
// CHECK:       spirv.GlobalVariable @narrow.words : !spirv.ptr<!spirv.struct<(!spirv.ptr<!spirv.struct<(!spirv.rtarray<i8, stride=1> [0])>, PhysicalStorageBuffer> [0], i32 [8], {{.*}}, i32 [24])>, PushConstant>
// CHECK:       spirv.func @narrow() {{.*}}workgroup_attributions = 0 : i64
// CHECK-NOT:     i64
// CHECK:         spirv.AtomicCompareExchange {{.*}} : !spirv.ptr<i32, PhysicalStorageBuffer>
// CHECK-NOT:     i64
// CHECK:         spirv.Return
gpu.module @small {
  gpu.func @narrow(%x: memref<?xi8>, %n: index) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), extent(0, 0)], shortIndices = true>, few_iterations, known_block_size = array<i32: 256, 1, 1>} {
    %one = arith.constant 1 : i8
    %r = memref.atomic_rmw addi %one, %x[%n] : (i8, memref<?xi8>) -> i8
    gpu.return
  }
}
