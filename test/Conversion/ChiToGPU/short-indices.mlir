// RUN: chi-opt %s --chi-short-indices | FileCheck %s

// What a kernel counts are i32s; thread numbers and what memory takes are cast.
// The user's numbers are what they were, and one of 64 bits is an index at once.
// CHECK-LABEL: gpu.func @short
// CHECK-SAME:    (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: i32, %[[J:.*]]: i64)
// CHECK:         %[[ID:.*]] = gpu.block_id
// CHECK:         %[[THREAD:.*]] = arith.index_cast %[[ID]] : index to i32
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         scf.for %[[K:.*]] = %[[THREAD]] to %[[N]] step %[[ONE]] : i32 {
// CHECK:           %[[ROW:.*]] = arith.divui %[[K]], %[[N]] : i32
// CHECK:           %[[I:.*]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[J]] : i64
// CHECK:           %[[SHORT:.*]] = arith.trunci %[[NEXT]] : i64 to i32
// CHECK:           %[[PLACE:.*]] = arith.muli %[[SHORT]], %[[N]] overflow<nsw> : i32
// CHECK:           %[[INDEX:.*]] = arith.index_cast %[[PLACE]] : i32 to index
// CHECK:           %[[V:.*]] = memref.load %[[X]][%[[INDEX]]]
// CHECK:           %[[LONG:.*]] = arith.index_cast %[[NEXT]] : i64 to index
// CHECK:           memref.store %[[V]], %[[X]][%[[LONG]]]
// CHECK:           memref.store %[[V]], %[[X]][%[[ID]]]
gpu.module @kernels {
  gpu.func @short(%x: memref<?xf32>, %n: index, %j: i64) kernel attributes {chi.kernel_abi = #chi.kernel_abi<shortIndices = true>} {
    %thread = gpu.block_id x
    %one = arith.constant 1 : index
    scf.for %k = %thread to %n step %one {
      %row = arith.divui %k, %n : index
      %i = arith.index_cast %row : index to i64
      %next = arith.addi %i, %j : i64
      %at = arith.index_cast %next : i64 to index
      %place = arith.muli %at, %n overflow<nsw> : index
      %v = memref.load %x[%place] : memref<?xf32>
      memref.store %v, %x[%at] : memref<?xf32>
      memref.store %v, %x[%thread] : memref<?xf32>
    }
    gpu.return
  }

// Casts without a sign, numbers of fewer bits, values of branches and loops, an
// access that is recorded.
// CHECK-LABEL: gpu.func @casts
// CHECK-SAME:    %[[B:[a-z0-9]+]]: i8, %[[W:[a-z0-9]+]]: i32
// CHECK:         %[[A:.*]] = arith.extui %[[B]] : i8 to i32
// CHECK:         %[[C:.*]] = arith.extsi %[[B]] : i8 to i32
// CHECK:         %[[D:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:           scf.yield %[[W]] : i32
// CHECK:         arith.extui %[[D]] : i32 to i64
// CHECK:         %[[OLD:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK:         memref.atomic_rmw addi %[[W]], %{{.*}}[%[[OLD]]]
// CHECK:         %[[LOG:.*]] = arith.index_cast %[[D]] : i32 to index
// CHECK:         chi.record_access %{{.*}}[%[[LOG]]]
  gpu.func @casts(%x: memref<?xi32>, %b: i8, %w: i32, %c: i1) kernel attributes {chi.kernel_abi = #chi.kernel_abi<shortIndices = true>} {
    %a = arith.index_castui %b : i8 to index
    %s = arith.index_cast %b : i8 to index
    %i = arith.index_cast %w : i32 to index
    %d = scf.if %c -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %s : index
    }
    %l = arith.index_castui %d : index to i64
    %old = memref.atomic_rmw addi %w, %x[%a] : (i32, memref<?xi32>) -> i32
    chi.record_access %x[%d] by %l kind 0 : memref<?xi32>
    gpu.return
  }

// A kernel for all launches stays as it is.
// CHECK-LABEL: gpu.func @long
// CHECK-SAME:    %{{.*}}: index
// CHECK:         arith.addi %{{.*}} : index
  gpu.func @long(%x: memref<?xf32>, %n: index, %v: f32) kernel {
    %m = arith.addi %n, %n : index
    memref.store %v, %x[%m] : memref<?xf32>
    gpu.return
  }
}
