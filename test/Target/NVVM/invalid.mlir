// What does not belong to kernels at this stage is an error at its place.
// RUN: chi-opt %s --convert-kernels-to-nvvm --split-input-file --verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{'llvm.func' op does not exist on a device}}
  func.func private @puts(i32)
  gpu.func @calls(%v: i32) kernel {
    func.call @puts(%v) : (i32) -> ()
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{is not an operation of this stage}}
  llvm.mlir.global internal @n(7 : i32) : i32
  gpu.func @none() kernel {
    gpu.return
  }
}
