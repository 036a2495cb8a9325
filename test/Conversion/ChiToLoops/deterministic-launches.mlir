// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// A launch with sums: memory for the results of blocks, on the stack if it is
// known to be small, parts that are cut between blocks, then the function that
// joins them, if there was any block.
!F = !chi.field<?xf32>
!C = !chi.field<f64>
!K = !chi.field<i32>

// Groups of 16 in rows that are whole groups: the place in the row is computed
// once a group, by a division, and rows are not cut.
// CHECK-LABEL: func.func private @grid.body(
// CHECK:         %[[LANES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK:         scf.for %[[BLOCK:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %c1024
// CHECK:           %[[COUNT:.*]] = arith.subi %{{.*}}, %[[START]]
// CHECK:           %[[GROUPS:.*]] = arith.divui %[[COUNT]], %c16
// CHECK:           scf.for %[[GROUP:.*]] = %c0 to %[[GROUPS]] step %c1 {
// CHECK:             %[[BEFORE:.*]] = arith.muli %[[GROUP]], %c16
// CHECK:             %[[NUMBER:.*]] = arith.addi %[[START]], %[[BEFORE]]
// CHECK:             %[[ROW:.*]] = arith.divui %[[NUMBER]], %c48
// CHECK:             %[[I:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK:             %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %c48
// CHECK:             %[[J:.*]] = arith.index_cast %[[COLUMN]] : index to i32
// CHECK:             scf.for %[[LANE:.*]] = %c0_i32 to %c16_i32 step %c1_i32 : i32 {
// CHECK:               %[[JJ:.*]] = arith.addi %[[J]], %[[LANE]] overflow<nsw> : i32
// CHECK-DAG:           arith.index_cast %[[I]] : i32 to index
// CHECK-DAG:           arith.index_cast %[[JJ]] : i32 to index
// CHECK:             } {llvm.loop_annotation
// Rows are whole groups, so nothing is left of a block.
// CHECK-NOT:       scf.for
// CHECK:           memref.load %[[LANES]]
!G = !chi.field<100x48xf32>
chi.task @grid(%x: !G, %s: !chi.field<f32>) over 0 (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !G -> f32
  chi.accum add %v, %s[] strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}

// Rows of 50 are no groups: a buffer.
// CHECK-LABEL: func.func private @ragged.body(
// CHECK:         memref.alloca() {{.*}} : memref<1024xf32>
!R = !chi.field<100x50xf32>
chi.task @ragged(%x: !R, %s: !chi.field<f32>) over 0 (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !R -> f32
  chi.accum add %v, %s[] strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}

// The last group of rank 1 may be a part: one by one.
// CHECK-LABEL: func.func private @line.body(
// CHECK:           scf.for
// CHECK:             scf.for %{{.*}} = %c0_i32 to %c16_i32
// CHECK:           %[[DONE:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:           scf.for %[[NUMBER:.*]] = %[[DONE]] to %{{.*}} step %c1 {
// CHECK:             arith.andi %[[NUMBER]], %c15 : index
// CHECK:           } {llvm.loop_annotation
chi.task @line(%x: !F, %s: !C, %k: !K) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %w = arith.extf %v : f32 to f64
  chi.accum add %w, %s[] strategy(deterministic) : f64, !C
  chi.accum add %i, %k[] strategy(deterministic) : i32, !K
  chi.next
}

// An unknown number of blocks: scratch memory of the run time, given back in
// reverse order.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %[[N:.*]] = arith.select
// CHECK:         %[[UP:.*]] = arith.addi %[[N]], %c1023_i64 : i64
// CHECK:         %[[BLOCKS:.*]] = arith.divui %[[UP]], %c1024_i64 : i64
// CHECK:         %[[BYTES0:.*]] = arith.muli %[[BLOCKS]], %c8_i64 : i64
// CHECK:         %[[M0:.*]] = llvm.call @chirt_scratch_push(%[[BYTES0]])
// CHECK:         %[[BYTES1:.*]] = arith.muli %[[BLOCKS]], %c4_i64 : i64
// CHECK:         %[[M1:.*]] = llvm.call @chirt_scratch_push(%[[BYTES1]])
// CHECK:         llvm.store %[[M0]],
// CHECK:         llvm.store %[[M1]],
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %[[N]], %c1024_i64, %c160_i64)
// CHECK:         %[[ANY:.*]] = arith.cmpi sgt, %[[BLOCKS]], %c0_i64 : i64
// CHECK:         scf.if %[[ANY]] {
// CHECK-DAG:       %[[S0:.*]] = builtin.unrealized_conversion_cast %[[M0]] : !llvm.ptr to memref<?xf64>
// CHECK-DAG:       %[[S1:.*]] = builtin.unrealized_conversion_cast %[[M1]] : !llvm.ptr to memref<?xi32>
// CHECK-DAG:       %[[B:.*]] = arith.index_cast %[[BLOCKS]] : i64 to index
// CHECK:           func.call @line.finish(%{{.*}}, %[[S0]], %[[S1]], %[[B]])
// CHECK:         }
// CHECK:         llvm.call @chirt_scratch_pop(%[[M1]])
// CHECK-NEXT:    llvm.call @chirt_scratch_pop(%[[M0]])
func.func @unknown(%x: !F, %s: !C, %k: !K) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !F -> i32
  chi.launch @line(%x, %s, %k : !F, !C, !K) from (%c0 : i32) to (%n : i32)
  return
}

// 4800 iterations are five blocks: twenty bytes of the stack.
// CHECK-LABEL: func.func @known(
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : i64
// CHECK:         %[[SUMS:.*]] = llvm.alloca %[[FIVE]] x f32
// CHECK-NOT:     chirt_scratch
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c4800_i64, %c1024_i64, %c160_i64)
// CHECK:         call @grid.finish(
// CHECK-NOT:     chirt_scratch
// CHECK:         return
func.func @known(%x: !G, %s: !chi.field<f32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %m = arith.constant 100 : i32
  %n = arith.constant 48 : i32
  chi.launch @grid(%x, %s : !G, !chi.field<f32>) from (%c0, %c0 : i32, i32) to (%m, %n : i32, i32)
  return
}
