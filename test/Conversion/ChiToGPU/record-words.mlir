// RUN: chi-opt %s --chi-record-checks --split-input-file --verify-diagnostics | FileCheck %s
// RUN: chi-opt %s --chi-record-checks=wide-atomics --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=WIDE

// The words of a record: the site and the number of axes, the iteration from word
// 1 on, the values from word 9 on. The number of the iteration is no word of it.
// CHECK-LABEL: gpu.func @words(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[A:[a-z0-9]+]]: i16, %[[I:[a-z0-9]+]]: i64, %[[J:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i64,
// CHECK:         scf.if
// CHECK:           scf.if
// Site 0 with 2 axes: 2 * 2^32. A record has 33 words.
// CHECK:           %[[SIZE:.*]] = arith.constant 33 : index
// CHECK:           arith.constant 8589934592 : i64
// CHECK-NOT:       memref.store %[[N]]
// CHECK:           arith.constant 1 : index
// CHECK:           memref.store %[[I]],
// CHECK:           arith.constant 2 : index
// CHECK:           memref.store %[[J]],
// CHECK:           %[[WORD:.*]] = arith.extui %[[A]] : i16 to i64
// CHECK:           arith.constant 9 : index
// CHECK:           memref.store %[[WORD]],
// CHECK-NOT:       memref.store
// CHECK:         cf.br
gpu.module @kernels {
  gpu.func @words(%ok: i1, %a: i16, %i: i64, %j: i64, %n: i64, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "i, j", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), scalar(1), scalar(2), scalar(3), scalar(4), failures, records], shortIndices = true>} {
    chi.check assert %ok (%a, %i, %j, %n : i16, i64, i64, i64) {what = "a", is_unsigned, iteration = 2 : i64, numbered_iteration}
    gpu.return
  }
}

// -----

// Without a number of the iteration failures are only counted, in 64 bits where
// there are such atomics and indices are long. A kernel that cannot fail has no
// counter that could be widened.
// CHECK-LABEL: gpu.func @counted(
// CHECK-SAME:    memref<?xi32>, %
// WIDE-LABEL:  gpu.func @counted(
// WIDE-SAME:     %[[COUNT:[a-z0-9]+]]: memref<?xi64>, %
// WIDE-NOT:      maxu
// WIDE:          %[[NUMBER:.*]] = memref.atomic_rmw addi %{{.*}}, %[[COUNT]]
// WIDE-NOT:      maxu
// WIDE:          %[[MOST:.*]] = arith.constant 64 : i64
// WIDE:          arith.cmpi ult, %[[NUMBER]], %[[MOST]] : i64
// WIDE-LABEL:  gpu.func @prints(
// WIDE-SAME:     %[[B:[a-z0-9]+]]: i1, %{{[a-z0-9]+}}: memref<?xi32>, %[[LOG:[a-z0-9]+]]: memref<?xi64>)
// A bool is a word, extended by zeros.
// WIDE:          %[[WORD:.*]] = arith.extui %[[B]] : i1 to i64
// WIDE:          memref.store %[[WORD]], %[[LOG]][
gpu.module @kernels {
  gpu.func @counted(%ok: i1, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), failures, records]>} {
    chi.check assert %ok {what = "ok"}
    gpu.return
  }
  gpu.func @prints(%b: i1, %size: memref<?xi32>, %log: memref<?xi64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), logSize, log]>} {
    %i = arith.constant 7 : i64
    chi.print [{shape = array<i64>, type = "i64"}, {shape = array<i64>, type = "bool"}](%i, %b : i64, i1)
    gpu.return
  }
}

// -----

// Each kind of record needs its own parameters: those of failures are not those
// of a restart, nor of what is printed.
gpu.module @kernels {
  gpu.func @restart(%ok: i1, %i: i64, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), scalar(1), failures, records]>} {
    // expected-error @below {{'chi.check' op writes a record, but its kernel has no parameter for it}}
    chi.check bounds %ok (%i : i64) {chi.restart}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @print(%i: i64, %size: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), logSize, records]>} {
    // expected-error @below {{'chi.print' op writes a record, but its kernel has no parameter for it}}
    chi.print [{shape = array<i64>, type = "i64"}](%i : i64)
    gpu.return
  }
}
