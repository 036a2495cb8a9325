// 1 / (sqrt(a - 1) sqrt(a + 1)), 0 where the adjoint is.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[V0:.*]] = arith.constant 1.000000e+00
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[G:.*]] = chi.load %arg3[
// CHECK-NEXT: chi.store %[[ZERO]], %arg3[
// CHECK-NEXT: %[[V1:.*]] = arith.subf %[[A]], %[[V0]]
// CHECK-NEXT: %[[R1:.*]] = math.sqrt %[[V1]]
// CHECK-NEXT: %[[V2:.*]] = arith.addf %[[A]], %[[V0]]
// CHECK-NEXT: %[[R2:.*]] = math.sqrt %[[V2]]
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[R1]], %[[R2]]
// CHECK-NEXT: %[[V5:.*]] = arith.divf %[[G]], %[[V4]]
// CHECK-NEXT: %[[V6:.*]] = arith.cmpf oeq, %[[G]], %[[ZERO]]
// CHECK-NEXT: %[[V7:.*]] = arith.select %[[V6]], %[[ZERO]], %[[V5]]
// CHECK-NEXT: chi.accum add %[[V7]], %arg2[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.acosh %a : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
