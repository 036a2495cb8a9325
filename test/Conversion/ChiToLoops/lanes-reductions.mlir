// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Lanes of a sum are neighbours in the block's buffer: one store writes all of
// them that are live. Where the iterations may add nothing, the neutral element
// is stored before, in all lanes. Of a group only the first number counts.
!F = !chi.field<?xf32>
!C = !chi.field<f32>
!B = !chi.field<i1>
// CHECK-LABEL: func.func private @k.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<?xi8> {llvm.noalias}, %[[M:[a-z0-9]+]]: vector<8xi1>, %[[V:[a-z0-9]+]]: vector<8xf32>,
// CHECK:         %[[BYTES:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xi8>
// CHECK:         %[[LATER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         %[[FIRST:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         scf.for %[[BLOCK:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %c1024 overflow<nsw> : index
// Groups: what is conditional is prepared, of all lanes.
// CHECK:           scf.for
// CHECK:             %[[NUMBER:.*]] = arith.subi %{{.*}}, %[[FROM:.*]] overflow<nsw> : index
// CHECK:             %[[AT:.*]] = arith.subi %[[NUMBER]], %[[START]] overflow<nsw> : index
// CHECK:             %[[NONE:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK:             vector.maskedstore %[[FIRST]][%[[AT]]], %[[ALL:.*]], %[[NONE]]
// CHECK-NOT:         vector.maskedstore %[[LATER]][%[[AT]]], %[[ALL]], %[[NONE]]
// CHECK:             vector.maskedstore %[[FIRST]][%[[AT]]], %[[M]], %[[V]]
// CHECK:             vector.maskedstore %[[LATER]][%[[AT]]], %[[ALL]], %[[V]]
// CHECK:             %[[ASBYTES:.*]] = arith.extui %[[M]] : vector<8xi1> to vector<8xi8>
// CHECK:             vector.maskedstore %[[BYTES]][%[[AT]]], %[[ALL]], %[[ASBYTES]]
// What is left, one by one, goes to the same buffers.
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[FIRST]]
// CHECK:             scf.if
// CHECK:               memref.store %{{.*}}, %[[FIRST]]
// CHECK:             memref.store %{{.*}}, %[[LATER]]
// CHECK:             memref.store %{{.*}}, %[[BYTES]]
// CHECK:           } {llvm.loop_annotation
// Then the values of the block, 16 at a time.
// CHECK:           scf.for {{.*}} -> (vector<16xf32>)
// CHECK:           scf.for {{.*}} -> (vector<16xi8>)
chi.task @k(%x: !F, %s: !C, %any: !B, %m: vector<8xi1>, %v: vector<8xf32>, %c: i1, %u: f32) (%i: i32)
    attributes {axes = ["i"], kernel = "k", lanes = 8 : i64} {
  scf.if %c {
    chi.accum add %u, %s[] strategy(deterministic) : f32, !C
  }
  chi.accum add %u, %s[] strategy(deterministic) : f32, !C
  chi.accum or %c, %any[] strategy(deterministic) : i1, !B
  chi.next
} wide {
^bb0(%x: !F, %s: !C, %any: !B, %m: vector<8xi1>, %v: vector<8xf32>, %c: i1, %u: f32, %i: i32):
  %ones = arith.constant dense<true> : vector<8xi1>
  chi.accum add %v, %s[] strategy(deterministic) mask(%m : vector<8xi1>) : vector<8xf32>, !C
  chi.accum add %v, %s[] strategy(deterministic) mask(%ones : vector<8xi1>) : vector<8xf32>, !C
  chi.accum or %m, %any[] strategy(deterministic) mask(%ones : vector<8xi1>) : vector<8xi1>, !B
  chi.next
}

// A sum of a few operations goes to the 16 sums at once, but not if it is done
// in lanes: those go through the buffer, and so does the rest.
// CHECK-LABEL: func.func private @short.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK-NOT:     scf.for %{{.*}} = %c0_i32 to %c16_i32
// CHECK:         return
chi.task @short(%s: !C, %v: vector<8xf32>, %u: f32) (%i: i32) attributes {lanes = 8 : i64} {
  chi.accum add %u, %s[] strategy(deterministic) : f32, !C
  chi.next
} wide {
^bb0(%s: !C, %v: vector<8xf32>, %u: f32, %i: i32):
  %ones = arith.constant dense<true> : vector<8xi1>
  chi.accum add %v, %s[] strategy(deterministic) mask(%ones : vector<8xi1>) : vector<8xf32>, !C
  chi.next
}
