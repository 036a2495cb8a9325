// RUN: chi-opt %s --chi-split-kernels | FileCheck %s

// Each kernel has a module with what it uses, and what that uses.
// CHECK-LABEL: gpu.module @kernels.first
// CHECK-NOT:     @table
// CHECK:         func.func private @inner
// CHECK:         func.func private @outer
// CHECK:         gpu.func @first
// CHECK-LABEL: gpu.module @kernels.second
// CHECK-NOT:     @outer
// CHECK:         memref.global {{.*}}@table
// CHECK:         func.func private @inner
// CHECK:         gpu.func @second
// CHECK-NOT:   gpu.module @kernels {
gpu.module @kernels {
  memref.global "private" constant @table : memref<2xi32> = dense<[1, 2]>
  func.func private @inner(%v: i32) -> i32 {
    return %v : i32
  }
  func.func private @outer(%v: i32) -> i32 {
    %w = func.call @inner(%v) : (i32) -> i32
    return %w : i32
  }
  gpu.func @first(%v: i32) kernel {
    %w = func.call @outer(%v) : (i32) -> i32
    gpu.return
  }
  gpu.func @second(%v: i32) kernel {
    %t = memref.get_global @table : memref<2xi32>
    %w = func.call @inner(%v) : (i32) -> i32
    gpu.return
  }
}

// One that is alone stays where it is.
// CHECK:       gpu.module @single {
// CHECK-NEXT:    gpu.func @only
gpu.module @single {
  gpu.func @only() kernel {
    gpu.return
  }
}
