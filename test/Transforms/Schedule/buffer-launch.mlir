// RUN: chi-opt %s --chi-buffer-stores | FileCheck %s --check-prefixes=CHECK,USUAL
// RUN: chi-opt %s --chi-attach-device=cache-bytes=100000000000 --chi-buffer-stores | FileCheck %s --check-prefixes=CHECK,LARGE

// What is asked at a launch and what is known before.

// How large fields are may be known at the launch only: it is asked then.
// CHECK-LABEL: chi.task @unknown.t0
// CHECK-SAME:    buffers = [#chi<buffer streaming>], chunk = 1024>
!U = !chi.field<?xf32>
chi.task @unknown.t0(%x: !U, %v: f32) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !U
  chi.next
}

// Of a large field a launch may touch little: the first row of 512 MB.
// CHECK-LABEL: chi.task @boundary.t0
// CHECK-NOT:     buffer
!B = !chi.field<16384x8192xf32>
chi.task @boundary.t0(%x: !B, %v: f32) (%j: i32)
    attributes {cost = 8 : i64, facts = #chi.facts<from = [= 0], to = [= 8192], inputs = [?, ?], noalias = [], cells = []>} {
  %c0 = arith.constant 0 : i32
  chi.store %v, %x[%c0, %j : i32, i32] inbounds : f32, !B
  chi.next
}

// A quarter of the last cache, and more: 8 MB and 16 MB of 32 MB. The larger
// one may meet a machine that has no room for it.
// CHECK-LABEL: chi.task @quarter.t0
// CHECK-NOT:     buffer
// CHECK-LABEL: chi.task @half.t0
// USUAL-SAME:    buffers = [#chi<buffer streaming>], chunk = 1024>
// LARGE-NOT:     buffer
!Q = !chi.field<2097152xf32>
!H = !chi.field<4194304xf32>
chi.task @quarter.t0(%x: !Q, %v: f32) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !Q
  chi.next
}
chi.task @half.t0(%x: !H, %v: f32) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !H
  chi.next
}
