// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// The terms of an iteration stay at its place of a buffer until its block ends.
// Where an iteration may add nothing, the neutral element is stored first;
// after the last iteration, too, up to a group of 16.
!C = !chi.field<f32>
!B = !chi.field<i1>

// Under two conditions; the second operation stands under none.
// CHECK-LABEL: func.func private @sometimes.body(
// CHECK:         %[[SECOND:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         %[[FIRST:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         scf.for %[[BLOCK:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %c1024
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK:             %[[AT:.*]] = arith.subi %{{.*}}, %[[START]] overflow<nsw> : index
// A largest number: NaN is passed over by every other one.
// CHECK:             memref.store %[[NAN:.*]], %[[FIRST]][%[[AT]]]
// CHECK-NOT:         memref.store %[[NAN]], %[[SECOND]]
// CHECK:             scf.if
// CHECK:               scf.if
// CHECK:                 memref.store %[[V:.*]], %[[FIRST]][%{{.*}}]
// CHECK:             memref.store %[[V]], %[[SECOND]][%{{.*}}]
// CHECK:           %[[COUNT:.*]] = arith.subi %{{.*}}, %[[START]] overflow<nsw> : index
// CHECK:           %[[UP:.*]] = arith.addi %[[COUNT]], %c15
// CHECK:           %[[GROUPS:.*]] = arith.divui %[[UP]], %c16
// CHECK:           %[[WHOLE:.*]] = arith.muli %[[GROUPS]], %c16
// CHECK:           scf.for %[[PLACE:.*]] = %[[COUNT]] to %[[WHOLE]] step %c1 {
// CHECK-NEXT:        memref.store %{{.*}}, %[[FIRST]][%[[PLACE]]]
// CHECK-NEXT:        memref.store %{{.*}}, %[[SECOND]][%[[PLACE]]]
// CHECK-NEXT:      } {llvm.loop_annotation
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[GROUPS]] step %{{.*}} iter_args(%[[SUMS:.*]] = %{{.*}}) -> (vector<16xf32>) {
// CHECK:             %[[MORE:.*]] = arith.maxnumf %[[SUMS]], %{{.*}} : vector<16xf32>
// CHECK:             %[[MOST:.*]] = arith.maxnumf %[[MORE]], %{{.*}} : vector<16xf32>
// CHECK:             scf.yield %[[MOST]]
chi.task @sometimes(%x: !chi.field<?xf32>, %s: !C, %a: i1, %b: i1) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  scf.if %a {
    scf.if %b {
      chi.accum max %v, %s[] strategy(deterministic) : f32, !C
    }
  }
  chi.accum max %v, %s[] strategy(deterministic) : f32, !C
  chi.next
}

// A bool is a byte there as well. The load and store of a group of 16 bytes
// are as far aligned as it is long.
// CHECK-LABEL: func.func private @any.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<1024xi8>
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<16xi8>
// CHECK:         %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:         memref.store %[[BYTE]], %{{.*}} : memref<1024xi8>
// CHECK:         vector.load %{{.*}}[%{{.*}}] {alignment = 16 : i64} : memref<1024xi8>, vector<16xi8>
// CHECK:         arith.ori %{{.*}}, %{{.*}} : vector<16xi8>
// CHECK:         vector.store %{{.*}}, %{{.*}}[%c0] {alignment = 16 : i64} : memref<16xi8>, vector<16xi8>
// CHECK-LABEL: func.func private @any.finish(
// CHECK:         llvm.call @chirt_reduction_join(%{{.*}}, %{{.*}}, %c0_i32, %c7_i32)
// CHECK:         arith.ori %{{.*}}, %{{.*}} : i8
chi.task @any(%x: !chi.field<?xf64>, %s: !B) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %w = math.sin %v : f64
  %ok = arith.cmpf ogt, %v, %w : f64
  chi.accum or %ok, %s[] strategy(deterministic) : i1, !B
  chi.next
}

// Nine operations of one tree are too many for buffers: sums at once. So is
// one in a loop, and then none of that tree has one; those of others have.
// CHECK-LABEL: func.func private @nine.body(
// CHECK-NOT:     memref<1024xf32>
// CHECK:         %[[LANES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NOT:     memref<1024xf32>
// CHECK-COUNT-9: arith.mulf %{{.*}}, %{{.*}} : f32
chi.task @nine(%x: !chi.field<?xf32>, %s: !C) over 0 (%i: i32) {
  %u = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %v = math.sin %u : f32
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.accum mul %v, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// CHECK-LABEL: func.func private @mixed.body(
// CHECK:         memref.alloca() {{.*}} : memref<1024xi64>
// CHECK-NOT:     memref<1024xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               arith.addf
chi.task @mixed(%x: !chi.field<?xf32>, %s: !C, %k: !chi.field<i64>) over 0 (%i: i32) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %w = math.sin %v : f32
  scf.for %t = %z to %i step %one : i32 {
    chi.accum add %w, %s[] strategy(deterministic) : f32, !C
  }
  %b = chi.to_int %w : f32 -> i64
  chi.accum add %b, %k[] strategy(deterministic) : i64, !chi.field<i64>
  chi.accum add %w, %s[] strategy(deterministic) : f32, !C
  chi.next
}
