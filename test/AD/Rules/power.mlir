// a ** b: b a^(b-1) to a, r log a to b; 0 to b where a is 0, an error below.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[V0:.*]] = arith.constant 1.000000e+00
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[R:.*]] = math.powf %[[A]], %[[B]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[V1:.*]] = arith.subf %[[B]], %[[V0]]
// CHECK-NEXT: %[[V2:.*]] = math.powf %[[A]], %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[G]], %[[B]]
// CHECK-NEXT: %[[V4:.*]] = arith.mulf %[[V3]], %[[V2]]
// CHECK-NEXT: %[[V5:.*]] = arith.cmpf oeq, %[[B]], %[[ZERO]]
// CHECK-NEXT: %[[V6:.*]] = arith.select %[[V5]], %[[ZERO]], %[[V4]]
// CHECK-NEXT: %[[V7:.*]] = arith.cmpf oeq, %[[G]], %[[ZERO]]
// CHECK-NEXT: %[[V8:.*]] = arith.select %[[V7]], %[[ZERO]], %[[V6]]
// CHECK-NEXT: %[[SIGN:.*]] = arith.cmpf uge, %[[A]], %[[ZERO]]
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SIGN]], %[[V7]]
// CHECK-NEXT: chi.check power %[[OK]] (%[[A]], %[[B]] : f64, f64)
// CHECK-NEXT: %[[V9:.*]] = arith.mulf %[[G]], %[[R]]
// CHECK-NEXT: %[[V10:.*]] = math.log %[[A]]
// CHECK-NEXT: %[[V11:.*]] = arith.mulf %[[V9]], %[[V10]]
// CHECK-NEXT: %[[V12:.*]] = arith.cmpf oeq, %[[A]], %[[ZERO]]
// CHECK-NEXT: %[[V13:.*]] = arith.cmpf ogt, %[[B]], %[[ZERO]]
// CHECK-NEXT: %[[V14:.*]] = arith.andi %[[V12]], %[[V13]]
// CHECK-NEXT: %[[V15:.*]] = arith.select %[[V14]], %[[ZERO]], %[[V11]]
// CHECK-NEXT: %[[V16:.*]] = arith.select %[[V7]], %[[ZERO]], %[[V15]]
// CHECK-NEXT: chi.accum add %[[V16]], %arg4[
// CHECK-NEXT: chi.accum add %[[V8]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = math.powf %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
