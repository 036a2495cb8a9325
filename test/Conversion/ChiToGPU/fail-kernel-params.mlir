// RUN: chi-opt %s --chi-record-checks --split-input-file --verify-diagnostics

// What leaves a record needs the parameters that convert-chi-to-gpu gives.
gpu.module @kernels {
  gpu.func @check(%ok: i1, %i: i64) kernel {
    // expected-error @below {{'chi.check' op writes a record, but its kernel has no parameter for it (chi.kernel_abi)}}
    chi.check assert %ok (%i : i64) {iteration = 1 : i64, parts = ["wrong"], what = "ok"}
    gpu.return
  }
}
