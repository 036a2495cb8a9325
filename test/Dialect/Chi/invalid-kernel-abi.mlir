// RUN: chi-opt %s --split-input-file --verify-diagnostics
// What a `chi.kernel_abi` cannot say, then where it cannot be.

// expected-error @below {{unknown parameter of a kernel: `extend`}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<params = [extend(0)]>} {
  return
}

// -----

// expected-error @below {{unknown property of a kernel: `threads`}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<threads = 8>} {
  return
}

// -----

// expected-error @below {{parameter 1, `scalar`, has a negative number}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(-1)]>} {
  return
}

// -----

// expected-error @below {{parameter 0, `extent`, has a negative number}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<params = [extent(0, -1)]>} {
  return
}

// -----

// expected-error @below {{parameter 0, `seed`, takes at most 0 numbers}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<params = [seed(1)]>} {
  return
}

// -----

// expected-error @below {{parameter 0, `scalar`, takes at most 1 numbers}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0, 1)]>} {
  return
}

// -----

// expected-error @below {{a thread executes 0 iterations}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<perThread = 0>} {
  return
}

// -----

// expected-error @below {{a launch needs -8 bytes of partial sums and 0 of the arena}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<partialBytes = -8>} {
  return
}

// -----

// expected-error @below {{a launch needs 0 bytes of partial sums and -8 of the arena}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<arenaBytes = -8>} {
  return
}

// -----

// expected-error @below {{an iteration that takes no memory of the arena cannot run out of it}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<restartsAll = true>} {
  return
}

// -----

// expected-error @below {{a kernel counts in 32 bits or in 64, not in both}}
func.func @k() attributes {chi.kernel_abi = #chi.kernel_abi<shortIndices = true, smallLaunches = true>} {
  return
}

// -----

// expected-error @below {{`chi.kernel_abi` cannot be unit}}
func.func @form() attributes {chi.kernel_abi} {
  return
}

// -----

func.func @elsewhere() {
  // expected-error @below {{`chi.kernel_abi` is not allowed here}}
  %c = arith.constant {chi.kernel_abi = #chi.kernel_abi<>} 1 : i32
  return
}
