// What stays away from zero has bounded partial derivatives, which need no guard: 1 / sqrt(a2 + 0.01). Of a quotient whose numerator may be infinite the partial by the divisor is guarded still, and where the divisor may be zero both are.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @soft.adj(
// CHECK-NOT: arith.select
// CHECK: chi.accum add
// CHECK: chi.next
chi.task @soft(%as: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %eps = arith.constant 0.01 : f64
  %one = arith.constant 1.0 : f64
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %q = arith.mulf %a, %a : f64
  %s = arith.addf %q, %eps : f64
  %d = math.sqrt %s : f64
  %r = arith.divf %one, %d : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
// CHECK-LABEL: chi.task @numerator.adj(
// CHECK-COUNT-1: arith.select
// CHECK-NOT: arith.select
// CHECK-LABEL: chi.task @hard.adj(
// CHECK-COUNT-2: arith.select
// CHECK-NOT: arith.select
chi.task @numerator(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f64
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %e = math.exp %b : f64
  %d = arith.addf %e, %one : f64
  %r = arith.divf %a, %d : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
chi.task @hard(%as: !chi.field<?xf64>, %bs: !chi.field<?xf64>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %one = arith.constant -1.0 : f64
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %b = chi.load %bs[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %e = math.exp %b : f64
  %d = arith.addf %e, %one : f64
  %r = arith.divf %a, %d : f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
// Too near to zero for the powers of its reciprocal in f32.
// CHECK-LABEL: chi.task @near.adj(
// CHECK: arith.select
chi.task @near(%as: !chi.field<?xf32>, %rs: !chi.field<?xf32>) over 0 (%i: i32) {
  %eps = arith.constant 1.0e-12 : f32
  %one = arith.constant 1.0 : f32
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %q = arith.mulf %a, %a : f32
  %s = arith.addf %q, %eps : f32
  %r = arith.divf %one, %s : f32
  chi.store %r, %rs[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
