// RUN: chi-opt %s | chi-opt | FileCheck %s

// What the launches of a kernel must provide. Defaults are not printed.

// CHECK-LABEL: func.func @all
// CHECK-SAME:    #chi.kernel_abi<params = [data(0), data(1, 1), extent(0, 0), extent(0, 1), scalar(2), from(0), count(1), seed, failures, records, fieldStride(1, 0)], perThread = 8, partialBytes = 144, logWords = -1, arenaBytes = 512, restartsAll = true, hasLarge = true, shortIndices = true>
func.func @all() attributes {chi.kernel_abi = #chi.kernel_abi<
    hasLarge = true, perThread = 8, partialBytes = 144, logWords = -1, arenaBytes = 512, restartsAll = true, shortIndices = true,
    params = [data(0), data(1, 1), extent(0), extent(0, 1), scalar(2, 0), from(0), count(1), seed, failures, records, fieldStride(1, 0)]>} {
  return
}

// CHECK-LABEL: func.func @join
// CHECK-SAME:    #chi.kernel_abi<params = [partials(128), numPartials, stride], smallLaunches = true, task = "k.t0.finish">
func.func @join() attributes {chi.kernel_abi = #chi.kernel_abi<
    params = [partials(128), numPartials, stride], smallLaunches = true, task = "k.t0.finish">} {
  return
}

// CHECK-LABEL: func.func @rest
// CHECK-SAME:    #chi.kernel_abi<params = [first, last, logSize, log, arena, resume, restarted, ended, probeIterations]>
func.func @rest() attributes {chi.kernel_abi = #chi.kernel_abi<
    params = [first, last, logSize, log, arena, resume, restarted, ended, probeIterations], perThread = 1>} {
  return
}

// A kernel without parameters.
// CHECK-LABEL: func.func @none
// CHECK-SAME:    {chi.kernel_abi = #chi.kernel_abi<>}
func.func @none() attributes {chi.kernel_abi = #chi.kernel_abi<params = [], hasLarge = false, logWords = 0>} {
  return
}
