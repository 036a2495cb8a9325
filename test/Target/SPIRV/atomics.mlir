// Atomic updates: those that SPIR-V has an instruction for, and loops around an
// exchange of the bits for all others.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// Integers of 32 bits. They never run long: no test whether a loop was ended.
// CHECK-LABEL: spirv.func @integers
// CHECK-SAME:    params = [data(0), scalar(1), count(0)]>
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         spirv.AtomicIAdd <Device> <None>
// CHECK:         spirv.AtomicSMax <Device> <None>
// CHECK:         spirv.AtomicUMax <Device> <None>
// CHECK:         spirv.AtomicSMin <Device> <None>
// CHECK:         spirv.AtomicUMin <Device> <None>
// CHECK:         spirv.AtomicAnd <Device> <None>
// CHECK:         spirv.AtomicOr <Device> <None>
// CHECK:         spirv.AtomicXor <Device> <None>
// CHECK:         spirv.AtomicExchange <Device> <None>
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         spirv.Return
gpu.module @m_integers {
  gpu.func @integers(%x: memref<?xi32>, %v: i32, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %addi = memref.atomic_rmw addi %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %maxs = memref.atomic_rmw maxs %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %maxu = memref.atomic_rmw maxu %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %mins = memref.atomic_rmw mins %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %minu = memref.atomic_rmw minu %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %andi = memref.atomic_rmw andi %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %ori = memref.atomic_rmw ori %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %xori = memref.atomic_rmw xori %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %assign = memref.atomic_rmw assign %v, %x[%n] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}

// Of 64 bits as well; an f64 is exchanged as its bits.
// CHECK-LABEL: spirv.func @longs
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         spirv.AtomicIAdd <Device> <None> {{.*}} : !spirv.ptr<i64, PhysicalStorageBuffer>
gpu.module @m_longs {
  gpu.func @longs(%x: memref<?xi64>, %v: i64, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %addi = memref.atomic_rmw addi %v, %x[%n] : (i64, memref<?xi64>) -> i64
    gpu.return
  }
}

// CHECK-LABEL: spirv.func @exchange
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         %[[BITS:.*]] = spirv.Bitcast %{{.*}} : f64 to i64
// CHECK:         spirv.AtomicExchange <Device> <None> %{{.*}}, %[[BITS]] : !spirv.ptr<i64, PhysicalStorageBuffer>
gpu.module @m_exchange {
  gpu.func @exchange(%x: memref<?xf64>, %v: f64, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %assign = memref.atomic_rmw assign %v, %x[%n] : (f64, memref<?xf64>) -> f64
    gpu.return
  }
}

// Two bytes of a word: they begin at a multiple of 16 bits, and the others
// stay. Such a loop may run long.
// CHECK-LABEL: spirv.func @shorts
// CHECK-SAME:    ended, probeIterations]>
// CHECK:         %[[WORD:.*]] = spirv.UDiv %[[N:.*]], %cst2_i64
// CHECK:         %[[PART:.*]] = spirv.BitwiseAnd %[[N]], %cst1_i64
// CHECK:         %[[SHIFT:.*]] = spirv.IMul %{{.*}}, %cst16_i32
// CHECK:         %[[MASK:.*]] = spirv.ShiftLeftLogical %cst65535_i32, %[[SHIFT]]
// CHECK:         %[[OTHERS:.*]] = spirv.BitwiseXor %[[MASK]], %cst-1_i32
// CHECK:         spirv.mlir.loop
// CHECK:           %[[LOW:.*]] = spirv.ShiftRightLogical %[[OLD:.*]], %[[SHIFT]]
// CHECK:           spirv.SConvert %[[LOW]] : i32 to i16
// CHECK:           spirv.GL.SMax %{{.*}} : i16
// CHECK:           %[[KEPT:.*]] = spirv.BitwiseAnd %[[OLD]], %[[OTHERS]]
// CHECK:           spirv.BitwiseOr %[[KEPT]]
// CHECK:           spirv.AtomicCompareExchange <Device> <None> <None>
gpu.module @m_shorts {
  gpu.func @shorts(%x: memref<?xi16>, %w: i32, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %v = arith.trunci %w : i32 to i16
    %maxs = memref.atomic_rmw maxs %v, %x[%n] : (i16, memref<?xi16>) -> i16
    gpu.return
  }
}

// An exchange of a byte is a loop on its word, too.
// CHECK-LABEL: spirv.func @bytes
// CHECK:         spirv.UDiv %{{.*}}, %cst4_i64
// CHECK:         spirv.IMul %{{.*}}, %cst8_i32
// CHECK:         spirv.ShiftLeftLogical %cst255_i32
// CHECK:         spirv.AtomicCompareExchange
gpu.module @m_bytes {
  gpu.func @bytes(%x: memref<?xi8>, %w: i32, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %v = arith.trunci %w : i32 to i8
    %assign = memref.atomic_rmw assign %v, %x[%n] : (i8, memref<?xi8>) -> i8
    gpu.return
  }
}

// An update of any kind, of f32: on its bits. What it loads first is aligned.
// CHECK-LABEL: spirv.func @update
// CHECK-SAME:    ended, probeIterations]>
// CHECK:         %[[AT:.*]] = spirv.Bitcast %{{.*}} : !spirv.ptr<f32, PhysicalStorageBuffer> to !spirv.ptr<i32, PhysicalStorageBuffer>
// CHECK:         spirv.Load "PhysicalStorageBuffer" %[[AT]] ["Aligned", 4] : i32
// CHECK:         spirv.mlir.loop
// CHECK:           %[[OLD:.*]] = spirv.Bitcast %{{.*}} : i32 to f32
// CHECK:           %[[NEW:.*]] = spirv.FMul %[[OLD]], %{{.*}} : f32
// CHECK:           %[[BITS:.*]] = spirv.Bitcast %[[NEW]] : f32 to i32
// CHECK:           %[[SEEN:.*]] = spirv.AtomicCompareExchange <Device> <None> <None> %[[AT]], %[[BITS]], %[[WAS:.*]] : !spirv.ptr<i32, PhysicalStorageBuffer>
// CHECK:           spirv.INotEqual %[[SEEN]], %[[WAS]]
gpu.module @m_update {
  gpu.func @update(%x: memref<?xf32>, %v: f32, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %o = memref.generic_atomic_rmw %x[%n] : memref<?xf32> {
    ^bb0(%c: f32):
      %p = arith.mulf %c, %v : f32
      memref.atomic_yield %p : f32
    }
    gpu.return
  }
}

// Integers in a block's memory: the same instructions, on its own pointers.
// CHECK-LABEL: spirv.func @shared
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         spirv.AtomicIAdd <Device> <None> {{.*}} : !spirv.ptr<i32, Workgroup>
// CHECK:         spirv.Load "Workgroup" %{{.*}} : i32
gpu.module @m_shared {
  gpu.func @shared(%x: memref<?xi32>, %v: i32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %buffer = memref.alloc() : memref<8xi32, #gpu.address_space<workgroup>>
    %at = arith.constant 3 : index
    %o = memref.atomic_rmw addi %v, %buffer[%at] : (i32, memref<8xi32, #gpu.address_space<workgroup>>) -> i32
    %s = memref.load %buffer[%at] : memref<8xi32, #gpu.address_space<workgroup>>
    memref.store %s, %x[%at] : memref<?xi32>
    gpu.return
  }
}

// A float that a block only loads and stores stays a float.
// CHECK:       spirv.GlobalVariable @{{.*}} : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32>)>, Workgroup>
// CHECK-LABEL: spirv.func @plain
gpu.module @m_plain {
  gpu.func @plain(%x: memref<?xf32>, %v: f32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %buffer = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    %at = arith.constant 3 : index
    memref.store %v, %buffer[%at] : memref<8xf32, #gpu.address_space<workgroup>>
    %s = memref.load %buffer[%at] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %s, %x[%at] : memref<?xf32>
    gpu.return
  }
}
