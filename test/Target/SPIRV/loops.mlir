// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A loop is handed whether it goes on, and ends at its head; behind it stands
// what its head was handed, in whichever turn a thread left.
// CHECK-LABEL: spirv.func @search
// CHECK:         %[[TRUE:.*]] = spirv.Constant true
// CHECK:         spirv.mlir.loop {
// CHECK-NEXT:      spirv.Branch ^[[HEAD:bb[0-9]+]](%[[TRUE]], %{{.*}}
// CHECK-NEXT:    ^[[HEAD]](%[[GOES:.*]]: i1, %[[AT:[a-z0-9]+]]: i32
// CHECK-NEXT:      spirv.Store "Function"
// CHECK:           spirv.BranchConditional %[[GOES]], ^[[BODY:bb[0-9]+]](%[[AT]]{{.*}}), ^[[END:bb[0-9]+]]
// CHECK-NEXT:    ^[[BODY]](
// CHECK:           spirv.Branch ^[[AGAIN:bb[0-9]+]](%{{.*}} : i1, i32
// CHECK-NEXT:    ^[[AGAIN]](%[[NEXT:.*]]: i1, %[[THEN:[a-z0-9]+]]: i32
// CHECK-NEXT:      spirv.Branch ^[[HEAD]](%[[NEXT]], %[[THEN]]
// CHECK-NEXT:    ^[[END]]:
// CHECK-NEXT:      spirv.mlir.merge
// CHECK-NEXT:    }
// CHECK-NEXT:    spirv.Load "Function"
gpu.module @kernels {
  gpu.func @search(%x: memref<?xi32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %start = memref.load %x[%i] : memref<?xi32>
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    cf.br ^turn(%start : i32)
  ^turn(%at: i32):
    %square = arith.muli %at, %at : i32
    %next = arith.addi %at, %one : i32
    %left = arith.remui %square, %seven : i32
    %done = arith.cmpi eq, %left, %one : i32
    cf.cond_br %done, ^end, ^turn(%next : i32)
  ^end:
    memref.store %square, %x[%i] : memref<?xi32>
    gpu.return
  }
}
