// RUN: chi-opt %s --chi-buffer-stores | FileCheck %s

!L = !chi.field<16777216xf32>
!G = !chi.field<4096x8192xf32>
!S = !chi.field<8192x8192xf32>

// All buffers together take half of the first cache: 24 bytes an element leave
// room for 682, and pieces are powers of two, so that they end where lines do.
// A period that divides none of them up to 1024 is none; of one of 4 iterations
// 256 are enough.
// CHECK-LABEL: chi.task @vec3.t0
// CHECK-SAME:    chunk = 512>
// CHECK-LABEL: chi.task @long.t0
// CHECK-SAME:    chunk = 1024>
// CHECK-LABEL: chi.task @short.t0
// CHECK-SAME:    chunk = 256, period = 4>
!W = !chi.field<1048576x!chi.vec<3xf64>>
chi.task @vec3.t0(%x: !W, %y: !L, %v: f64) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  %w = chi.load %y[%i : i32] inbounds : !L -> f32
  chi.store %v, %x[%i : i32] component 2 inbounds : f64, !W
  chi.store %v, %x[%i : i32] component 0 inbounds : f64, !W
  chi.store %v, %x[%i : i32] component 1 inbounds : f64, !W
  chi.next
}
!H = !chi.field<100xf32>
chi.task @long.t0(%x: !G, %t: !H) over 0 (%i: i32, %j: i32)
    attributes {cost = 16 : i64} {
  %n = arith.constant 100 : i32
  %r = chi.floormod %j, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !H -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
!Q = !chi.field<4xf32>
chi.task @short.t0(%x: !G, %t: !Q) over 0 (%i: i32, %j: i32)
    attributes {cost = 16 : i64} {
  %n = arith.constant 4 : i32
  %r = chi.floormod %j, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !Q -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}

// Fields share the tile's buffers: 64 * 64 * 8 bytes are too many, 32 * 32 * 8
// fit.
// CHECK-LABEL: chi.task @two.t0
// CHECK-SAME:    tile = <outer = 0, inner = 1, edge = 32>
!I = !chi.field<8192x8192xi32>
chi.task @two.t0(%a: !S, %b: !S, %c: !I, %w: i32) over 0 (%i: i32, %j: i32)
    attributes {cost = 8 : i64} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !S -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !S
  chi.store %w, %c[%j, %i : i32, i32] inbounds : i32, !I
  chi.next
}
