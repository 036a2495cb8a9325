// The parameters of a kernel: as they are, or in memory if they are more than a
// kernel takes; and the names of what PTX sees.
// RUN: chi-opt %s --convert-kernels-to-nvvm | FileCheck %s

// Few are parameters of their own.
// CHECK-LABEL: llvm.func ptx_kernelcc @few(
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: f32, %{{.*}}: i8)
// CHECK-NOT:     invariant
// CHECK:         llvm.return
gpu.module @kernels {
  gpu.func @few(%x: memref<?xf32> {llvm.noalias}, %n: index, %v: f32, %b: i8) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), count(0), scalar(1), scalar(2)]>} {
    memref.store %v, %x[%n] : memref<?xf32>
    gpu.return
  }
}

// A function of the module is not a kernel: it is internal, and has no bounds
// of a block. None of them unwinds.
// CHECK-LABEL: llvm.func ptx_kernelcc @calls(
// CHECK-SAME:    passthrough = ["nounwind", ["nvvm.maxntid", "256,1,1"]]
// CHECK-LABEL: llvm.func internal @own(
// CHECK-SAME:    passthrough = ["nounwind"]
// CHECK-NOT:     maxntid
// CHECK:         llvm.return
gpu.module @functions {
  gpu.func @calls(%x: memref<?xf32>, %v: f32) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %i = gpu.thread_id x
    %r = func.call @own(%v) : (f32) -> f32
    memref.store %r, %x[%i] : memref<?xf32>
    gpu.return
  }
  func.func private @own(%v: f32) -> f32 {
    %r = arith.mulf %v, %v : f32
    return %r : f32
  }
}

// Digits, letters and `_` stay in a name; a dot and all else are written with a
// dollar, so that no two names become one.
// CHECK-LABEL: llvm.func ptx_kernelcc @a_1$b$2Dc$20d(
// CHECK-SAME:    task = "a_1.b-c d"
gpu.module @names {
  gpu.func @"a_1.b-c d"() kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = []>} {
    gpu.return
  }
}

// Two memories of a block are two variables, by the kernel's name.
// CHECK-LABEL: module @blocks
// CHECK-DAG:     llvm.mlir.global internal @two$shared0() {addr_space = 3 : i32, alignment = 16 : i64{{.*}} : !llvm.array<256 x f32>
// CHECK-DAG:     llvm.mlir.global internal @two$shared1() {addr_space = 3 : i32, alignment = 16 : i64{{.*}} : !llvm.array<8 x i64>
gpu.module @blocks {
  gpu.func @two() kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = []>} {
    %i = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    %k = arith.constant 1 : i64
    %a = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<8xi64, #gpu.address_space<workgroup>>
    memref.store %v, %a[%i] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %k, %b[%i] : memref<8xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// Elementary functions of the device: those of f32 have the suffix, those of
// f64 none. They stay declarations, without Chi's traits.
// CHECK-LABEL: module @elementary
// CHECK:         llvm.func ptx_kernelcc @sines
// CHECK:         llvm.call @__nv_sinf(%{{.*}}) : (f32) -> f32
// CHECK:         llvm.call @__nv_sin(%{{.*}}) : (f64) -> f64
// CHECK-DAG:     llvm.func @__nv_sinf(f32) -> f32
// CHECK-DAG:     llvm.func @__nv_sin(f64) -> f64
gpu.module @elementary {
  gpu.func @sines(%x: memref<?xf32>, %y: memref<?xf64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %w = memref.load %y[%i] : memref<?xf64>
    %r = func.call @chi.native.sin.f32(%v) : (f32) -> f32
    %s = func.call @chi.native.sin.f64(%w) : (f64) -> f64
    memref.store %r, %x[%i] : memref<?xf32>
    memref.store %s, %y[%i] : memref<?xf64>
    gpu.return
  }
  func.func private @chi.native.sin.f32(f32) -> f32
  func.func private @chi.native.sin.f64(f64) -> f64
}
