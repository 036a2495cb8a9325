// Memory of kernels: atomics and their scope, constants, arrays of a thread, and
// what may be said of aliasing.
// RUN: chi-opt %s --convert-kernels-to-nvvm | FileCheck %s

// Updates that the device has are one instruction, others exchange in a loop;
// bytes, too. All are of the device, and relaxed.
// CHECK-LABEL: llvm.func ptx_kernelcc @updates(
// CHECK:         llvm.atomicrmw max %{{.*}} syncscope("device") monotonic {{.*}} i32
// CHECK:         llvm.atomicrmw xchg %{{.*}} syncscope("device") monotonic {{.*}} i32
// CHECK:         llvm.atomicrmw _or %{{.*}} syncscope("device") monotonic {{.*}} i32
// CHECK:         llvm.cmpxchg %{{.*}} syncscope("device") monotonic monotonic
// CHECK-NOT:     syncscope("system")
// CHECK:         llvm.return
gpu.module @atomics {
  gpu.func @updates(%x: memref<?xi32>, %v: i32, %n: index) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), count(0)]>} {
    %a = memref.atomic_rmw maxs %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %b = memref.atomic_rmw assign %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %c = memref.atomic_rmw ori %v, %x[%n] : (i32, memref<?xi32>) -> i32
    %d = memref.generic_atomic_rmw %x[%n] : memref<?xi32> {
    ^bb0(%old: i32):
      %p = arith.muli %old, %v : i32
      memref.atomic_yield %p : i32
    }
    gpu.return
  }
}

// A float in the memory of a block is updated there: the scope is the device's
// as well, which includes the block.
// CHECK-LABEL: llvm.func ptx_kernelcc @block(
// CHECK:         llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic {{.*}} f32
gpu.module @own {
  gpu.func @block(%x: memref<?xf32>, %v: f32) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %at = arith.constant 3 : index
    %buffer = memref.alloc() : memref<8xf32, #gpu.address_space<workgroup>>
    %a = memref.atomic_rmw addf %v, %buffer[%at] : (f32, memref<8xf32, #gpu.address_space<workgroup>>) -> f32
    %b = memref.load %buffer[%at] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %b, %x[%at] : memref<?xf32>
    gpu.return
  }
}

// An atomic load in one kernel: no kernel of the module says anything of
// aliasing. In a module without one they all do.
// CHECK-LABEL: module @some
// CHECK:         llvm.func ptx_kernelcc @loads(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:         llvm.func ptx_kernelcc @beside(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-LABEL: module @none
// CHECK:         llvm.func ptx_kernelcc @plain(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias})
gpu.module @some {
  gpu.func @loads(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.generic_atomic_rmw %x[%i] : memref<?xi32> {
    ^bb0(%old: i32):
      memref.atomic_yield %old : i32
    }
    memref.store %v, %y[%i] : memref<?xi32>
    gpu.return
  }
  gpu.func @beside(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>
    gpu.return
  }
}
gpu.module @none {
  gpu.func @plain(%x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// A table of constants is a global of the module, an array of the thread is its
// own memory.
// CHECK-LABEL: module @arrays
// CHECK-DAG:     llvm.mlir.global internal {{.*}}constant @numbers(dense<[7, 8, 9]> : {{.*}} : !llvm.array<3 x i32>
// CHECK-DAG:     llvm.func ptx_kernelcc @fill(
// CHECK:         llvm.alloca %{{.*}} x i32
// CHECK:         llvm.mlir.addressof @numbers
gpu.module @arrays {
  memref.global "private" constant @numbers : memref<3xi32> = dense<[7, 8, 9]>
  gpu.func @fill(%x: memref<?xi32>, %n: index) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), count(0)]>} {
    %a = memref.alloca() : memref<4xi32>
    %t = memref.get_global @numbers : memref<3xi32>
    %v = memref.load %t[%n] : memref<3xi32>
    memref.store %v, %a[%n] : memref<4xi32>
    %w = memref.load %a[%n] : memref<4xi32>
    memref.store %w, %x[%n] : memref<?xi32>
    gpu.return
  }
}
