// min(a, b): to a where it is the least, also at a tie, else to b.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[R:.*]] = arith.minnumf %[[A]], %[[B]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V0:.*]] = arith.cmpf oeq, %[[R]], %[[A]]
// CHECK-NEXT: %[[V1:.*]] = arith.select %[[V0]], %[[G]], %[[ZERO]]
// CHECK-NEXT: %[[V2:.*]] = arith.select %[[V0]], %[[ZERO]], %[[G]]
// CHECK-NEXT: chi.accum add %[[V2]], %arg4[
// CHECK-NEXT: chi.accum add %[[V1]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = arith.minnumf %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
