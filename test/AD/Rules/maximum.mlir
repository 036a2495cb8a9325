// max(a, b): to the greatest; at a tie half to each.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK-NEXT: %[[B:.*]] = chi.load %arg1[
// CHECK-NEXT: %[[R:.*]] = arith.maxnumf %[[A]], %[[B]]
// CHECK-NEXT: %[[G:.*]] = chi.load %arg5[
// CHECK-NEXT: chi.store %[[ZERO]], %arg5[
// CHECK-NEXT: %[[IS_A:.*]] = arith.cmpf oeq, %[[R]], %[[A]]
// CHECK-NEXT: %[[IS_B:.*]] = arith.cmpf oeq, %[[R]], %[[B]]
// CHECK-NEXT: %[[HALF:.*]] = arith.mulf %[[G]], %{{.*}}
// CHECK-NEXT: %[[TIED:.*]] = arith.select %[[IS_B]], %[[HALF]], %[[ZERO]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.select %[[IS_B]], %[[HALF]], %[[G]]
// CHECK-NEXT: %[[V1:.*]] = arith.select %[[IS_A]], %[[BOTH]], %[[ZERO]]
// CHECK-NEXT: %[[V2:.*]] = arith.select %[[IS_A]], %[[TIED]], %[[G]]
// CHECK-NEXT: chi.accum add %[[V2]], %arg4[
// CHECK-NEXT: chi.accum add %[[V1]], %arg3[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = arith.maxnumf %a, %b : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}

// What was an update leaves all to the old value, wherever canonical form put it.
// CHECK-LABEL: chi.task @update.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[A:.*]] = chi.load %arg0[
// CHECK: %[[R:.*]] = arith.maxnumf %[[A]], %[[B:.*]] {chi.old_wins = true}
// CHECK: %[[G:.*]] = chi.load %arg5[
// CHECK: %[[IS_A:.*]] = arith.cmpf oeq, %[[R]], %[[A]]
// CHECK-NEXT: arith.select %[[IS_A]], %[[G]], %[[ZERO]]
// CHECK-NEXT: arith.select %[[IS_A]], %[[ZERO]], %[[G]]
chi.task @update(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %r = arith.maxnumf %a, %b {chi.old_wins = true} : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
// CHECK-LABEL: chi.task @constant.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00
// CHECK: %[[R:.*]] = arith.maxnumf %{{.*}}, %[[ONE]] {chi.old_wins = true}
// CHECK: %[[IS_OLD:.*]] = arith.cmpf oeq, %[[R]], %[[ONE]]
// CHECK-NEXT: arith.select %[[IS_OLD]], %[[ZERO]], %{{.*}}
chi.task @constant(%as: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %one = arith.constant 1.0 : f64
  %r = arith.maxnumf %a, %one {chi.old_wins = true} : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
