// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse > %t
// RUN: FileCheck %s < %t

// A sum that does not depend on the number of threads: iteration i adds to sum
// i mod 16 of block i / 1024, the sums of a block are joined pairwise, and so
// are the blocks, by the run time. The way in which an iteration adds to its
// sum (at once, or through a buffer) does not change that.
!F = !chi.field<?xf32>
!C = !chi.field<f32>

// An iteration that adds several times within a loop has no buffer: it adds to
// the sum of its number at once, in the order of the program.
// CHECK-LABEL: func.func private @loop.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %[[EXTENT:[a-z0-9]+]]: index, %[[PARTIAL:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[LANES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NOT:     memref.alloca
// The part's blocks, the last of which may be a part of one.
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN]], %c1024 : index
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %c1023 overflow<nsw> : index
// CHECK:         %[[LAST:.*]] = arith.divui %[[UP]], %c1024 : index
// CHECK:         scf.for %[[BLOCK:.*]] = %[[FIRST]] to %[[LAST]] step %c1 {
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %c1024 overflow<nsw> : index
// CHECK:           %[[NEXT:.*]] = arith.addi %[[START]], %c1024 overflow<nsw> : index
// CHECK:           %[[STOP:.*]] = arith.minsi %[[NEXT]], %[[END]] : index
// Nothing added yet is -0, which leaves every sum as it is, +0 and -0 too.
// CHECK:           %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-COUNT-16:  memref.store %[[NONE]], %[[LANES]]
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK:             %[[NUMBER:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:             scf.for %{{.*}} = %c0_i32 to %c3_i32
// CHECK:               %[[LANE:.*]] = arith.andi %{{.*}}, %c15 : index
// CHECK:               %[[OLD:.*]] = memref.load %[[LANES]][%[[LANE]]]
// CHECK-NEXT:          %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : f32
// CHECK-NEXT:          memref.store %[[NEW]], %[[LANES]][%[[LANE]]]
// Neighbours first: 0 and 1, 2 and 3, then those sums.
// CHECK:           %[[S0:.*]] = memref.load %[[LANES]][%c0{{(_[0-9]+)?}}]
// CHECK-NEXT:      %[[S1:.*]] = memref.load %[[LANES]][%c1{{(_[0-9]+)?}}]
// CHECK:           %[[S2:.*]] = memref.load %[[LANES]][%c2]
// CHECK:           %[[S3:.*]] = memref.load %[[LANES]][%c3]
// CHECK:           %[[P0:.*]] = arith.addf %[[S0]], %[[S1]] : f32
// CHECK-NEXT:      %[[P1:.*]] = arith.addf %[[S2]], %[[S3]] : f32
// CHECK-COUNT-6:   arith.addf
// CHECK:           %[[Q0:.*]] = arith.addf %[[P0]], %[[P1]] : f32
// CHECK-COUNT-5:   arith.addf
// CHECK:           %[[ALL:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:      memref.store %[[ALL]], %[[PARTIAL]][%[[BLOCK]]]
chi.task @loop(%x: !F, %s: !C) over 0 (%i: i32) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 3 : i32
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %t = %z to %n step %one : i32 {
    chi.accum add %v, %s[] strategy(deterministic) : f32, !C
  }
  chi.next
}

// The end: joins the blocks, then adds their sum to what is there, at the
// place that the indices name, which are computed again from what is captured.
// CHECK-LABEL: func.func private @loop.finish(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: memref<?xf32>, %[[SUMS:[a-z0-9]+]]: memref<?xf32>, %[[BLOCKS:[a-z0-9]+]]: index)
// CHECK:         %[[AT:.*]] = builtin.unrealized_conversion_cast %[[SUMS]] : memref<?xf32> to !llvm.ptr
// CHECK:         %[[N:.*]] = arith.index_cast %[[BLOCKS]] : index to i64
// f32 and add as the run time numbers them.
// CHECK:         llvm.call @chirt_reduction_join(%[[AT]], %[[N]], %c11_i32, %c0_i32)
// CHECK:         %[[SUM:.*]] = memref.load %[[SUMS]][%c0]
// CHECK-NEXT:    %[[OLD:.*]] = memref.load %[[S]][%c0]
// CHECK-NEXT:    %[[TOTAL:.*]] = arith.addf %[[OLD]], %[[SUM]] : f32
// CHECK-NEXT:    memref.store %[[TOTAL]], %[[S]][%c0]
// CHECK-NEXT:    return

// Two targets are two trees with a buffer each; two accumulations to one
// target are one tree with two buffers. Constants are equal by their value.
!V = !chi.field<4x!chi.vec<2xi64>>
// CHECK-LABEL: func.func private @several.body(
// CHECK-SAME:    %[[P0:[a-z0-9]+]]: memref<?xi64> {llvm.noalias}, %[[P1:[a-z0-9]+]]: memref<?xi64> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index)
// CHECK:         %[[C:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi64>
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<16xi64>
// CHECK:         %[[B:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi64>
// CHECK:         %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi64>
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<16xi64>
// CHECK-NOT:     memref.alloca
// CHECK:         memref.store %[[V:.*]], %[[A]][%[[AT:.*]]] : memref<1024xi64>
// CHECK:         memref.store %{{.*}}, %[[C]][%[[AT]]] : memref<1024xi64>
// CHECK:         memref.store %[[V]], %[[B]][%[[AT]]] : memref<1024xi64>
// Of a tree with two, the first one's values come first, whatever the group.
// CHECK:         %[[SUMS:.*]] = scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args(%[[SOFAR:.*]] = %{{.*}}) -> (vector<16xi64>) {
// CHECK:           %[[FROMA:.*]] = vector.load %[[A]][%{{.*}}] {alignment = 64 : i64} : memref<1024xi64>, vector<16xi64>
// CHECK-NEXT:      %[[WITHA:.*]] = arith.addi %[[SOFAR]], %[[FROMA]] : vector<16xi64>
// CHECK:           %[[FROMB:.*]] = vector.load %[[B]][%{{.*}}] {alignment = 64 : i64} : memref<1024xi64>, vector<16xi64>
// CHECK-NEXT:      %[[WITHB:.*]] = arith.addi %[[WITHA]], %[[FROMB]] : vector<16xi64>
// CHECK-NEXT:      scf.yield %[[WITHB]]
// CHECK:         memref.store %{{.*}}, %[[P0]]
// CHECK:         memref.store %{{.*}}, %[[P1]]
// The place of the second one depends on a captured number.
// CHECK-LABEL: func.func private @several.finish(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xi64>, %[[K:[a-z0-9]+]]: i32,
// CHECK:         llvm.call @chirt_reduction_join
// CHECK-NOT:     %[[K]]
// CHECK:         llvm.call @chirt_reduction_join
// CHECK:         arith.index_cast %[[K]] : i32 to index
// CHECK-NOT:     llvm.call @chirt_reduction_join
// CHECK:         return
chi.task @several(%x: !V, %k: i32, %f: f64) (%i: i32) {
  %one = arith.constant 1 : i32
  %uno = arith.constant 1 : i32
  // A call to the library's keeps the iteration long.
  %g = math.sin %f : f64
  %v = chi.to_int %g : f64 -> i64
  chi.accum add %v, %x[%one : i32] component 1 inbounds strategy(deterministic) : i64, !V
  chi.accum add %v, %x[%k : i32] component 1 inbounds strategy(deterministic) : i64, !V
  chi.accum add %v, %x[%uno : i32] component 1 inbounds strategy(deterministic) : i64, !V
  chi.next
}
