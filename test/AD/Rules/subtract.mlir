// a - b: the adjoint to a, its negative to b.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V0:.*]] = arith.negf %[[G]]
// CHECK-NEXT: chi.accum add %[[V0]], %arg4[
// CHECK-NEXT: chi.accum add %[[G]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = arith.subf %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
