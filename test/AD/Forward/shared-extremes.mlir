// `min` and `max` of an element by many iterations: tasks that run before the tangent
// task find the winner, which that one stores, with its tangent.
// RUN: chi-opt %s --chi-tangents=all | FileCheck %s

!F = !chi.field<?xf32>

// CHECK-DAG:   chi.task @largest({{.*}}chi.tangent = @largest.tan
// CHECK-DAG:   chi.task @largest.tan.totals(
// CHECK-DAG:   chi.task @largest.tan.winners({{.*}}prologue = @largest.tan.totals
// CHECK-LABEL: chi.task @largest.tan(
// CHECK-SAME:    numPrimal = 2, prologue = @largest.tan.winners, workspace =
// CHECK:         %[[DA:.*]] = chi.load %arg4[
// CHECK:         scf.if
// CHECK:           chi.store %{{.*}}, %arg1[
// CHECK:           chi.store %[[DA]], %arg5[
chi.task @largest(%x: !F, %m: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum max %a, %m[%c0 : i32] inbounds : f32, !F
  chi.next
}
