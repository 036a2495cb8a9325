// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops | FileCheck %s

// The last lane group may repeat iterations only if this has no effect: they
// read nothing that is written, and do not add, print, draw or exchange.
// Otherwise a scalar loop executes the rest of a row.
!F = !chi.field<100x20xf32>

// CHECK-LABEL: func.func private @writes.body(
// CHECK:         arith.minsi %{{.*}}, %c12_i32{{.*}} : i32
// CHECK-NOT:     memref.store
// CHECK:         return
chi.task @writes(%x: !F, %y: !chi.field<100x20xf64>, %v: f64) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !F -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f64, !chi.field<100x20xf64>
  chi.next
} wide {
^bb0(%x: !F, %y: !chi.field<100x20xf64>, %v: f64, %i: i32, %j: i32):
  chi.next
}

// It reads what it writes, if only at another place.
// CHECK-LABEL: func.func private @reads.body(
// CHECK-NOT:     arith.minsi
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8_i32{{.*}}
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i32{{.*}} : i32 {
// CHECK:           memref.load
// CHECK-LABEL: func.func private @reads.chunk(
chi.task @reads(%x: !F, %k: i32) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  %a = chi.load %x[%k, %j : i32, i32] inbounds : !F -> f32
  chi.store %a, %x[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %k: i32, %i: i32, %j: i32):
  chi.next
}

// Under a cast it is the same field.
// CHECK-LABEL: func.func private @casts.body(
// CHECK-NOT:     arith.minsi
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i32{{.*}} : i32 {
// CHECK:           memref.load
// CHECK-LABEL: func.func private @casts.chunk(
chi.task @casts(%x: !F, %k: i32) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  %y = chi.cast_field %x : !F to !chi.field<?x?xf32>
  %a = chi.load %y[%k, %j : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
  chi.store %a, %x[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %k: i32, %i: i32, %j: i32):
  chi.next
}

// CHECK-LABEL: func.func private @adds.body(
// CHECK-NOT:     arith.minsi
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i32{{.*}} : i32 {
// CHECK:           memref.load
// CHECK-LABEL: func.func private @adds.chunk(
chi.task @adds(%x: !F, %v: f32) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  chi.accum add %v, %x[%i, %j : i32, i32] inbounds strategy(plain) : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %v: f32, %i: i32, %j: i32):
  chi.next
}

// Where fields overlap, iterations keep their order: one by one, all of them.
// CHECK-LABEL: func.func private @overlaps.may_alias(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK-NOT:     vector.
// CHECK:         memref.store
// CHECK:         return
chi.task @overlaps(%x: !F, %y: !F) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !F -> f32
  chi.store %a, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %y: !F, %i: i32, %j: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %all, %steps : vector<8xi32>
  %a = chi.load %x[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !F -> vector<8xf32>
  chi.store %a, %y[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !F
  chi.next
}
