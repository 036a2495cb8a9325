// Casts of floats: the adjoint in the type of the operand; adjoints of f16 are f32.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s
// CHECK-LABEL: chi.task @rule.adj(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[G:.*]] = chi.load %arg3[
// CHECK-NEXT: chi.store %[[ZERO]], %arg3[
// CHECK-NEXT: %[[V0:.*]] = arith.truncf %[[G]]
// CHECK-NEXT: chi.accum add %[[V0]], %arg2[
// CHECK-NEXT: chi.next
chi.task @rule(%as: !chi.field<?xf16>, %rs: !chi.field<?xf64>) over 0 (%i: i32) {
  %a = chi.load %as[%i : i32] inbounds : !chi.field<?xf16> -> f16
  %w = arith.extf %a : f16 to f32
  %r = arith.extf %w : f32 to f64
  chi.store %r, %rs[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
