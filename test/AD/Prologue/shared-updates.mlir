// `max` and `*=` of elements that iterations share: tasks before the adjoint
// compute what it depends on. See docs/design/0033-adjoint-prologues.md.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

// CHECK-LABEL: chi.task @greatest(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @greatest.adj>
chi.task @greatest(%x: !chi.field<?xf32>, %m: !chi.field<f32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = arith.mulf %a, %a : f32
  chi.accum max %b, %m[] inbounds : f32, !chi.field<f32>
  chi.next
}
// What they come to, then who that is.
// CHECK-LABEL: chi.task @greatest.adj.totals(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 2>
// CHECK:         chi.accum max %{{.*}}, %arg2[]
// CHECK-NEXT:    chi.next

// CHECK-LABEL: chi.task @greatest.adj.winners(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 2, prologue = @greatest.adj.totals>
// CHECK:         %[[N:.*]] = chi.iteration
// CHECK:         arith.cmpf oeq
// CHECK:         arith.cmpf ugt
// CHECK:         scf.if
// CHECK:           chi.accum min %{{.*}}, %arg3[]
// CHECK-NOT:     chi.accum
// CHECK:         chi.next

// What is stored where the winner is takes the adjoint.
// CHECK-LABEL: chi.task @greatest.adj(%arg0: !chi.field<?xf32>, %arg1: !chi.field<f32>, %arg2: !chi.field<f32>, %arg3: !chi.field<i64>, %arg4: !chi.field<?xf32>, %arg5: !chi.field<f32>)
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 2, prologue = @greatest.adj.winners, workspace = [0, 1, 11, 4286578688, 0, 1, 4, 9223372036854775807]>
// CHECK-SAME:    strict
// CHECK-DAG:     %[[T:.*]] = chi.load %arg2[]
// CHECK-DAG:     %[[W:.*]] = chi.load %arg3[]
// CHECK-DAG:     %[[IS:.*]] = arith.cmpf oeq, %[[B:.*]], %[[T]] : f32
// CHECK-DAG:     %[[ME:.*]] = arith.cmpi eq, %[[W]], %{{.*}} : i64
// CHECK:         %[[WON:.*]] = arith.andi %[[IS]], %[[ME]]
// CHECK:         scf.if %[[WON]]
// CHECK:           %[[G:.*]] = chi.load %arg5[]
// CHECK:           chi.store %{{.*}}, %arg5[]
// CHECK:         chi.accum add %{{.*}}, %arg4[

// A product: one prior task, and a copy of the adjoints.
// CHECK-LABEL: chi.task @product.adj.totals(
// CHECK:         %[[IS:.*]] = arith.cmpf une
// CHECK:         scf.if %[[IS]]
// CHECK:           chi.accum mul %{{.*}}, %arg2[
// CHECK:         } else {
// CHECK:           chi.accum add %{{.*}}, %arg3[
// CHECK:         chi.next
// CHECK-NOT:   @product.adj.winners
// CHECK-LABEL: chi.task @product.adj(
// CHECK-SAME:    prologue = @product.adj.totals, workspace = [0, 1, 12, 4607182418800017408, 0, 1, 4, 0, 1, 1, 12, 0]>
// CHECK:         %[[F:.*]] = chi.load %arg0
// CHECK:         %[[G:.*]] = chi.load %arg4[
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[F]]
// CHECK:         %[[D:.*]] = arith.select %[[NONE]]
// CHECK:         arith.divf %{{.*}}, %[[D]]
// CHECK:         chi.accum mul %{{.*}}, %arg6[
// CHECK:         chi.accum add %{{.*}}, %arg5[
chi.task @product(%x: !chi.field<?xf64>, %p: !chi.field<4xf64>) over 0 (%i: i32) {
  %c4 = arith.constant 4 : i32
  %k = arith.remui %i, %c4 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf64> -> f64
  chi.accum mul %a, %p[%k : i32] inbounds : f64, !chi.field<4xf64>
  chi.next
}
