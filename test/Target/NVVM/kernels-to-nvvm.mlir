// RUN: chi-opt %s --convert-kernels-to-nvvm | FileCheck %s

// A kernel is an entry of PTX, by a name that PTX takes, its memory bare
// pointers. Atomics are relaxed, and of the device.
// CHECK:       module @kernels
// CHECK-NOT:   gpu.
// CHECK:       llvm.func ptx_kernelcc @step$t0$C3$A9(%[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[C:.*]]: !llvm.ptr, %{{.*}}: i64)
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0), failures, count(0)], task = "step.t0\C3\A9">
// CHECK-SAME:    ["nvvm.maxntid", "256,1,1"]
// CHECK:         llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"
// CHECK:         llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ntid.x"
// CHECK:         llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
// CHECK:         llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"
// CHECK:         llvm.call @half
// CHECK:         llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic
// CHECK:         llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
// CHECK:         llvm.atomicrmw add %{{.*}} syncscope("device") monotonic
// CHECK:         llvm.return
// CHECK:       llvm.func internal @half
gpu.module @kernels {
  gpu.func @"step.t0\C3\A9"(%x: memref<?xf32> {llvm.noalias}, %count: memref<?xi32>, %n: index) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), failures, count(0)]>} {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %grid = gpu.grid_dim x
    %a = arith.addi %block, %size : index
    %b = arith.addi %thread, %grid : index
    %i = arith.addi %a, %b : index
    %v = memref.load %x[%i] : memref<?xf32>
    %h = func.call @half(%v) : (f32) -> f32
    %old = memref.atomic_rmw addf %h, %x[%n] : (f32, memref<?xf32>) -> f32
    %product = memref.generic_atomic_rmw %x[%n] : memref<?xf32> {
    ^bb0(%current: f32):
      %p = arith.mulf %current, %h : f32
      memref.atomic_yield %p : f32
    }
    %one = arith.constant 1 : i32
    %k = memref.atomic_rmw addi %one, %count[%n] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
  func.func private @half(%v: f32) -> f32 {
    %half = arith.constant 0.5 : f32
    %r = arith.mulf %v, %half : f32
    return %r : f32
  }
}

// What the threads of a block share is a variable of the block; they meet at a
// barrier. What launches need stays on the kernel.
// CHECK:       llvm.func ptx_kernelcc @join
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [partials(0)], perThread = 64, task = "join">
// CHECK:         %[[ADDRESS:.*]] = llvm.mlir.addressof @[[SHARED:.*]] : !llvm.ptr<3>
// CHECK:         llvm.addrspacecast %[[ADDRESS]] : !llvm.ptr<3> to !llvm.ptr
// CHECK:         llvm.store
// CHECK:         llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%{{.*}}) : (i32) -> ()
// CHECK:       llvm.mlir.global internal @[[SHARED]]() {addr_space = 3 : i32{{.*}} : !llvm.array<256 x f32>
// CHECK:         llvm.mlir.undef
gpu.module @shared {
  gpu.func @join(%x: memref<?xf32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [partials(0)], perThread = 64>} {
    %buffer = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %thread = gpu.thread_id x
    %v = memref.load %x[%thread] : memref<?xf32>
    memref.store %v, %buffer[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}

// Memory that a kernel reads atomically and does not write is not invariant: no
// aliasing facts are emitted where there are atomic loads.
// CHECK:       llvm.func ptx_kernelcc @look
// CHECK-NOT:     noalias
// CHECK:         llvm.load %{{.*}} atomic syncscope("device") monotonic
gpu.module @loads {
  gpu.func @look(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %thread = gpu.thread_id x
    %v = memref.generic_atomic_rmw %x[%thread] : memref<?xi32> {
    ^bb0(%current: i32):
      memref.atomic_yield %current : i32
    }
    memref.store %v, %y[%thread] : memref<?xi32>
    gpu.return
  }
}
