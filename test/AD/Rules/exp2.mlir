// The result times log 2.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[V0:.*]] = arith.constant 0.69314718055994529
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[R:.*]] = math.exp2 %[[A]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg3[
// CHECK-NEXT: chi.store %[[ZERO]], %arg3[
// CHECK-NEXT: %[[V1:.*]] = arith.mulf %[[G]], %[[V0]]
// CHECK-NEXT: %[[V2:.*]] = arith.mulf %[[V1]], %[[R]]
// CHECK-NEXT: chi.accum add %[[V2]], %arg2[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.exp2 %a : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
