// RUN: chi-opt %s --chi-watch-races | FileCheck %s

// One's own element needs no watch, nor does what is only read; a scattered
// store does, and the loads beside it.
// CHECK-LABEL: chi.task @scatter
// CHECK:       chi.load {{.*}} -> i32
// CHECK:       chi.load {{.*}} {chi.watch = 0 : i32}
// CHECK:       chi.store {{.*}} {chi.watch = 1 : i32}
// CHECK:       chi.store {{.*}} : f32, <8xf32>
// CHECK:       chi.store {{.*}} {chi.watch = 2 : i32}
// CHECK:       chi.accum {{.*}} {chi.watch = 4 : i32}
// CHECK:       chi.atomic {{.*}} {chi.watch = 3 : i32}
chi.task @scatter (%k: !chi.field<8xi32>, %x: !chi.field<8xf32>, %y: !chi.field<8xf32>, %z: !chi.field<8xf32>, %s: !chi.field<f32>, %a: f32, %n: !chi.field<8xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<8xi32> -> i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %w = arith.addf %v, %v : f32
  chi.store %w, %x[%j : i32] : f32, !chi.field<8xf32>
  chi.store %w, %y[%i : i32] : f32, !chi.field<8xf32>
  chi.store %a, %z[%j : i32] : f32, !chi.field<8xf32>
  chi.accum mul %w, %s[] : f32, !chi.field<f32>
  %old = chi.atomic sub %j, %n[%j : i32] : i32, !chi.field<8xi32> -> i32
  chi.next
}
