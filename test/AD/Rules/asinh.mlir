// 1 / hypot(1, a), which does not overflow where 1 + a2 does.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[V0:.*]] = arith.constant 1.000000e+00
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[G:.*]] = chi.load %arg3[
// CHECK-NEXT: chi.store %[[ZERO]], %arg3[
// CHECK-NEXT: %[[V3:.*]] = chi.hypot %[[V0]], %[[A]]
// CHECK-NEXT: %[[V4:.*]] = arith.divf %[[G]], %[[V3]]
// CHECK-NEXT: chi.accum add %[[V4]], %arg2[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.asinh %a : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
