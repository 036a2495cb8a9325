// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" | FileCheck %s

// The entry of an adjoint task whose axes have bounds: the first one is the domain's, clipped to the extent of `x`; the second one goes from the
// greatest of its bounds to the least, whatever the domain is. An empty axis stays empty in 32 bits.
// CHECK-LABEL: func.func private @k.t0.adj.launch(
// CHECK:         %[[X:.*]] = builtin.unrealized_conversion_cast
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK:         %[[XBAR:.*]] = builtin.unrealized_conversion_cast
// CHECK:         %[[FROM:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[TO:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[EXTENT:.*]] = chi.dim %[[XBAR]], 0
// CHECK:         %[[CLIPPED:.*]] = arith.minsi %[[TO]], %[[EXTENT]] : i64
// CHECK:         %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK:         arith.maxsi %[[FROM]], %[[LEAST]] : i64
// CHECK:         arith.maxsi %[[CLIPPED]], %{{.*}} : i64
// CHECK:         %[[GREATEST:.*]] = arith.constant 2147483647 : i64
// CHECK:         %[[CLAMPED:.*]] = arith.minsi %{{.*}}, %[[GREATEST]] : i64
// CHECK:         arith.trunci %[[CLAMPED]] : i64 to i32
// CHECK:         %[[FIRST:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:         %[[SHIFTED:.*]] = arith.addi %[[FIRST]], %{{.*}} : i64
// CHECK:         arith.maxsi %[[SHIFTED]], %{{.*}} : i64
// CHECK:         %[[PAST:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:         %[[OTHER:.*]] = chi.dim %[[XBAR]], 0
// CHECK:         arith.minsi %[[PAST]], %[[OTHER]] : i64
!F = !chi.field<?xf32>
chi.task @k.t0(%x: !F, %n: i32) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"], adjoint = #chi.adjoint<task = @k.t0.adj>,
                effects = #chi.effects<reads = [], writes = [0], overwrites = []>} {
  %one = arith.constant 1.0 : f32
  chi.store %one, %x[%i : i32] inbounds {field_name = "x"} : f32, !F
  chi.next
}
chi.task @k.t0.adj(%x: !F, %n: i32, %x_adj: !F) (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"], adjoint = #chi.adjoint<numPrimal = 2, domainAxes = [0, -1]>,
                chi.axis_bounds = [[], [#chi.known<= dim(2, 0)>], [#chi.known<= 0>, #chi.known<= -3 + arg(1)>], [#chi.known<= arg(1)>, #chi.known<= dim(2, 0)>]],
                facts = #chi.facts<from = [= 0, 0 to 2147483647], to = [0 to 2147483647, -2147483648 to 2147483647], inputs = [?, ?, ?]>,
                effects = #chi.effects<reads = [2], writes = [2], overwrites = []>} {
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %x_adj[%j : i32] inbounds strategy(plain) : f32, !F
  chi.next
}
func.func @k(%x: !F, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %e = chi.dim %x, 0 : !F -> i32
  chi.launch @k.t0(%x, %n : !F, i32) from (%c0 : i32) to (%e : i32)
  return
}
