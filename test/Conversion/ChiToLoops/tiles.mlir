// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// The store runs along memory by the outer variable: tiles of 16 by 16.
// CHECK-LABEL: func.func private @transpose.t0.body(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 memref.load
// CHECK:                 memref.store
// CHECK-LABEL: func.func @transpose(
// Parts are cut at rows of tiles: 16 * 256.
// CHECK:         llvm.call @chirt_parallel({{.*}}, %c65536_i64, %c4096_i64{{.*}},
// In place nothing is tiled.
// CHECK-LABEL: func.func private @scale.t0.body(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK:             memref.store
!F = !chi.field<256x256xf32>
chi.task @transpose.t0(%a: !F, %b: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "transpose", axes = ["i", "j"]} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !F -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !F
  chi.next
}
func.func @transpose(%a: !F, %b: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 256 : i32
  chi.launch @transpose.t0(%a, %b : !F, !F) from (%c0, %c0 : i32, i32)
    to (%n, %n : i32, i32)
  return
}
chi.task @scale.t0(%a: !F, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {kernel = "scale", axes = ["i", "j"]} {
  chi.store %v, %a[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
func.func @scale(%a: !F, %v: f32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 256 : i32
  chi.launch @scale.t0(%a, %v : !F, f32) from (%c0, %c0 : i32, i32)
    to (%n, %n : i32, i32)
  return
}
