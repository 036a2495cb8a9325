// hypot(a, b): a / r and b / r; 0 at the origin.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[R:.*]] = chi.hypot %[[A]], %[[B]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V0:.*]] = arith.cmpf oeq, %[[R]], %[[ZERO]]
// CHECK-NEXT: %[[V1:.*]] = arith.mulf %[[G]], %[[A]]
// CHECK-NEXT: %[[V2:.*]] = arith.divf %[[V1]], %[[R]]
// CHECK-NEXT: %[[V3:.*]] = arith.select %[[V0]], %[[ZERO]], %[[V2]]
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[G]], %[[B]]
// CHECK-NEXT: %[[V5:.*]] = arith.divf %[[V4]], %[[R]]
// CHECK-NEXT: %[[V6:.*]] = arith.select %[[V0]], %[[ZERO]], %[[V5]]
// CHECK-NEXT: chi.accum add %[[V6]], %arg4[
// CHECK-NEXT: chi.accum add %[[V3]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = chi.hypot %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
