// a b + c: to each factor the other one, to c the adjoint.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[G:.*]] = chi.load %arg7[
// CHECK-NEXT: chi.store %[[ZERO]], %arg7[
// CHECK-NEXT: %[[V0:.*]] = arith.mulf %[[G]], %[[B]]
// CHECK-NEXT: %[[V1:.*]] = arith.mulf %[[G]], %[[A]]
// CHECK-NEXT: chi.accum add %[[G]], %arg6[
// CHECK-NEXT: chi.accum add %[[V1]], %arg5[
// CHECK-NEXT: chi.accum add %[[V0]], %arg4[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %cs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %c = chi.load %cs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.fma %a, %b, %c : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
