// RUN: chi-opt %s --chi-drop-stop-gradients | FileCheck %s

// CHECK-LABEL: chi.task @k.t0
// CHECK:         %[[V:.*]] = chi.load
// CHECK:         %[[M:.*]] = arith.maxnumf %[[V]], %{{.*}} : f32
// CHECK-NEXT:    chi.store %[[M]]
// CHECK-NOT:     stop_gradient
!F = !chi.field<8xf32>
chi.task @k.t0(%x: !F, %y: !F) over 0 (%i: i32) attributes {kernel = "k"} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %w = chi.load %y[%i : i32] inbounds : !F -> f32
  %c = chi.stop_gradient %v : f32
  %m = arith.maxnumf %c, %w {chi.old_wins = true} : f32
  chi.store %m, %y[%i : i32] inbounds : f32, !F
  chi.next
}
