// the size of a with the sign of b: the product of both signs to a, nothing to b.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[V0:.*]] = arith.constant 1.000000e+00
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V1:.*]] = math.copysign %[[V0]], %[[A]]
// CHECK-NEXT: %[[V2:.*]] = math.copysign %[[V0]], %[[B]]
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[V1]], %[[V2]]
// CHECK-NEXT: %[[V4:.*]] = arith.cmpf oeq, %[[A]], %[[ZERO]]
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[G]], %[[V3]]
// CHECK-NEXT: %[[V6:.*]] = arith.select %[[V4]], %[[ZERO]], %[[V5]]
// CHECK-NEXT: chi.accum add %[[V6]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.copysign %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
