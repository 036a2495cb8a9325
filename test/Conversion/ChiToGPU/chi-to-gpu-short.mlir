// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-gpu=short-indices=false | FileCheck %s --check-prefix=LONG

// Which kernels count in 32 bits: by the shapes that are known, to 2^31 - 2^24
// scalars; where a shape or the domain is known at a launch only, there are two.
// LONG-NOT: shortIndices
// LONG-NOT: .large

// CHECK-LABEL: gpu.func @small(
// CHECK-SAME:    shortIndices = true>
// CHECK-NOT:   @small.large
!S = !chi.field<2130706431xi8>
chi.task @small(%x: !S) over 0 (%i: i32) {
  %v = arith.constant 1 : i8
  chi.store %v, %x[%i : i32] inbounds : i8, !S
  chi.next
}

// CHECK-LABEL: gpu.func @many(
// CHECK-NOT:     shortIndices
// CHECK-SAME:    known_block_size
!M = !chi.field<2130706432xi8>
chi.task @many(%x: !M) over 0 (%i: i32) {
  %v = arith.constant 1 : i8
  chi.store %v, %x[%i : i32] inbounds : i8, !M
  chi.next
}

// The scalars of its elements count, those of a field that is not looped over
// too.
// CHECK-LABEL: gpu.func @scalars(
// CHECK-NOT:     shortIndices
// CHECK-SAME:    known_block_size
!V = !chi.field<1000000000x!chi.vec<3xi8>>
chi.task @scalars(%x: !V, %y: !chi.field<8xi8>) over 1 (%i: i32) {
  %v = chi.load %x[%i : i32] component 1 inbounds : !V -> i8
  chi.store %v, %y[%i : i32] inbounds : i8, !chi.field<8xi8>
  chi.next
}

// CHECK-LABEL: gpu.func @either(
// CHECK-SAME:    hasLarge = true, shortIndices = true>
// CHECK-LABEL: gpu.func @either.large(
// CHECK-NOT:     shortIndices
// CHECK-SAME:    known_block_size
// CHECK:         gpu.return
// LONG:        gpu.func @either(
!D = !chi.field<?xi8>
chi.task @either(%x: !D) over 0 (%i: i64) {
  %v = arith.constant 1 : i8
  chi.store %v, %x[%i : i64] inbounds : i8, !D
  chi.next
}

// Known fields, and a domain that is not; what joins the sums of each form
// counts in 64 bits, and has small launches where the form has.
// CHECK-LABEL: gpu.func @range(
// CHECK-SAME:    hasLarge = true, shortIndices = true>
// CHECK-LABEL: gpu.func @range.finish(
// CHECK-NOT:     shortIndices
// CHECK-SAME:    smallLaunches = true>
// CHECK-LABEL: gpu.func @range.large(
// CHECK-NOT:     shortIndices
// CHECK-SAME:    known_block_size
// CHECK-LABEL: gpu.func @range.large.finish(
// CHECK-NOT:     chi.s
// CHECK-SAME:    known_block_size
chi.task @range(%s: !chi.field<i64>) (%i: i64) {
  chi.accum add %i, %s[] inbounds strategy(deterministic) : i64, !chi.field<i64>
  chi.next
}
