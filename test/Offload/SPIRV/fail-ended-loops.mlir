// RUN: chi-opt %s --convert-kernels-to-spirv --split-input-file --verify-diagnostics

// A word is added to those that a kernel says it has.
gpu.module @kernels {
  // expected-error @below {{'gpu.func' op may take many turns, and does not say what its parameters are (chi.words)}}
  gpu.func @turns(%n: index) kernel {
    gpu.return
  }
}
