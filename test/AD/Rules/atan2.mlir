// atan2(y, x): x / r / r to y, -y / r / r to x, where r is hypot(x, y); 0 at the
// origin and at infinity.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7FF0000000000000
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[R:.*]] = chi.hypot %[[B]], %[[A]]
// CHECK-NEXT: %[[NONE:.*]] = arith.cmpf oeq, %[[R]], %[[ZERO]]
// CHECK-NEXT: %[[FAR:.*]] = arith.cmpf oeq, %[[R]], %[[INF]]
// CHECK-NEXT: %[[V3:.*]] = arith.ori %[[NONE]], %[[FAR]]
// CHECK-NEXT: %[[COS:.*]] = arith.divf %[[B]], %[[R]]
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[G]], %[[COS]]
// CHECK-NEXT: %[[V5:.*]] = arith.divf %[[V4]], %[[R]]
// CHECK-NEXT: %[[V6:.*]] = arith.select %[[V3]], %[[ZERO]], %[[V5]]
// CHECK-NEXT: %[[SIN:.*]] = arith.divf %[[A]], %[[R]]
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[G]], %[[SIN]]
// CHECK-NEXT: %[[V8:.*]] = arith.divf %[[V7]], %[[R]]
// CHECK-NEXT: %[[V9:.*]] = arith.select %[[V3]], %[[ZERO]], %[[V8]]
// CHECK-NEXT: %[[V10:.*]] = arith.negf %[[V9]]
// CHECK-NEXT: chi.accum add %[[V10]], %arg4[
// CHECK-NEXT: chi.accum add %[[V6]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.atan2 %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
