// a % b: the adjoint to a, minus the whole quotient to b.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[R:.*]] = arith.remf %[[A]], %[[B]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V0:.*]] = arith.subf %[[R]], %[[A]]
// CHECK-NEXT: %[[V1:.*]] = arith.divf %[[V0]], %[[B]]
// CHECK-NEXT: %[[V2:.*]] = math.roundeven %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[G]], %[[V2]]
// CHECK-NEXT: %[[V4:.*]] = arith.cmpf oeq, %[[G]], %[[ZERO]]
// CHECK-NEXT: %[[V5:.*]] = arith.select %[[V4]], %[[ZERO]], %[[V3]]
// CHECK-NEXT: chi.accum add %[[V5]], %arg4[
// CHECK-NEXT: chi.accum add %[[G]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = arith.remf %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
