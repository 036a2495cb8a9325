// RUN: chi-opt %s --convert-kernels-to-spirv --split-input-file --verify-diagnostics

// A word is added to those that a kernel says it has.
gpu.module @kernels {
  // expected-error @below {{'gpu.func' op may have many iterations, but does not describe its parameters (chi.kernel_abi)}}
  gpu.func @turns(%n: index) kernel {
    gpu.return
  }
}
