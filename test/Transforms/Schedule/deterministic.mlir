// RUN: chi-opt %s --chi-launch-facts --chi-choose-strategies=deterministic | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-choose-strategies | FileCheck %s --check-prefix=FREE

// --deterministic: which tasks have sums, or results of atomic operations, whose
// order threads must not determine.

// FREE-NOT: chi.fixed_parts
// FREE-NOT: chi.ordered

// Copies of parts.
// CHECK-LABEL: chi.task @scattered
// CHECK-SAME:    chi.fixed_parts
// CHECK-NOT:     chi.ordered
// CHECK:         strategy(privatized)
chi.task @scattered (%x: !chi.field<?xf32>, %v: f32, %k: !chi.field<?xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<?xi32> -> i32
  chi.accum add %v, %x[%j : i32] : f32, !chi.field<?xf32>
  chi.next
}

// Integers have one sum.
// CHECK-LABEL: chi.task @counted
// CHECK-NOT:     chi.fixed_parts
// CHECK-NOT:     chi.ordered
// CHECK:         strategy(privatized)
chi.task @counted (%x: !chi.field<?xi32>, %v: i32, %k: !chi.field<?xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<?xi32> -> i32
  chi.accum add %v, %x[%j : i32] : i32, !chi.field<?xi32>
  chi.next
}

// Two kinds of updates have no copies: one worker.
// CHECK-LABEL: chi.task @mixed
// CHECK-SAME:    chi.ordered
chi.task @mixed (%x: !chi.field<?xf32>, %v: f32, %k: !chi.field<?xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<?xi32> -> i32
  chi.accum add %v, %x[%j : i32] : f32, !chi.field<?xf32>
  chi.accum mul %v, %x[%j : i32] : f32, !chi.field<?xf32>
  chi.next
}

// The result of an atomic operation on a shared element.
// CHECK-LABEL: chi.task @numbered
// CHECK-SAME:    chi.ordered
chi.task @numbered (%x: !chi.field<?xi32>, %v: i32, %k: !chi.field<?xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<?xi32> -> i32
  %old = chi.atomic add %v, %x[%j : i32] : i32, !chi.field<?xi32> -> i32
  chi.store %old, %k[%i : i32] : i32, !chi.field<?xi32>
  chi.next
}

// One's own element: only another argument that is the same field could share
// it.
// CHECK-LABEL: chi.task @own
// CHECK-SAME:    chi.fixed_parts
// CHECK-NOT:     chi.ordered
// CHECK:         strategy(plain)
chi.task @own (%x: !chi.field<?xf32>, %v: f32) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}
