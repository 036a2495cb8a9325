// RUN: chi-opt %s --chi-instrument-races | FileCheck %s

// One's own element needs no watch, nor does what is only read; a scattered
// store does, and the loads beside it.
// CHECK-LABEL: chi.task @scatter
// CHECK:       chi.load {{.*}} -> i32
// CHECK:       chi.load {{.*}} {race_kind = 0 : i32}
// CHECK:       chi.store {{.*}} {race_kind = 1 : i32}
// CHECK:       chi.store {{.*}} : f32, <9xf32>
// CHECK:       chi.store {{.*}} {race_kind = 2 : i32}
// CHECK:       chi.accum {{.*}} {race_kind = 4 : i32}
// CHECK:       chi.atomic {{.*}} {race_kind = 3 : i32}
chi.task @scatter (%k: !chi.field<8xi32>, %x: !chi.field<8xf32>, %y: !chi.field<9xf32>, %z: !chi.field<7xf32>, %s: !chi.field<f32>, %a: f32, %n: !chi.field<6xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<8xi32> -> i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %w = arith.addf %v, %v : f32
  chi.store %w, %x[%j : i32] : f32, !chi.field<8xf32>
  chi.store %w, %y[%i : i32] : f32, !chi.field<9xf32>
  chi.store %a, %z[%j : i32] : f32, !chi.field<7xf32>
  chi.accum mul %w, %s[] : f32, !chi.field<f32>
  %old = chi.atomic sub %j, %n[%j : i32] : i32, !chi.field<6xi32> -> i32
  chi.next
}

// A call may pass one field twice; fields of other elements or extents it
// cannot. Neighbours of two names are watched, one's own elements not.
// CHECK-LABEL: chi.task @names
// CHECK:       chi.load {{.*}} {race_kind = 0 : i32}
// CHECK:       chi.store {{.*}} {race_kind = 1 : i32}
// CHECK:       chi.load {{.*}} : <?xi32> -> i32
// CHECK:       chi.store {{.*}} : i32, <?xi32>
// CHECK:       chi.load {{.*}} : <4xi64> -> i64
// CHECK:       chi.store {{.*}} : i64, <5xi64>
chi.task @names (%u: !chi.field<?xf32>, %v: !chi.field<?xf32>, %k: !chi.field<?xi32>, %l: !chi.field<?xi32>, %p: !chi.field<4xi64>, %q: !chi.field<5xi64>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %j = arith.addi %i, %one : i32
  %v0 = chi.load %v[%j : i32] : !chi.field<?xf32> -> f32
  chi.store %v0, %u[%i : i32] : f32, !chi.field<?xf32>
  %k0 = chi.load %k[%i : i32] : !chi.field<?xi32> -> i32
  chi.store %k0, %l[%i : i32] : i32, !chi.field<?xi32>
  %p0 = chi.load %p[%j : i32] : !chi.field<4xi64> -> i64
  chi.store %p0, %q[%i : i32] : i64, !chi.field<5xi64>
  chi.next
}
