// Spaces whose ends only launches know: `chi.axis_bounds` gives all bounds, and nothing is left of them in the task.
// RUN: chi-opt %s --chi-scatter-to-gather --canonicalize | FileCheck %s
// RUN: chi-opt %s --chi-scatter-to-gather=known-ends-only | FileCheck %s --check-prefix=KNOWN
// Kernels for devices go over the primal's domain.
// KNOWN-NOT: domainAxes

// The causal convolution of fields of any extents. Of `k`, all axes are the domain's, inside of the field. Of `w`, the axis of the channels is
// the domain's, and the other one goes from the first weight that meets an input, inside of the field.
// CHECK-LABEL: chi.task @convolution.sum0(
// CHECK-SAME:    (%[[B:.*]]: i32, %[[C:.*]]: i32, %[[U:.*]]: i32) attributes
// CHECK-SAME:    domainAxes = [0, 1, -1]
// CHECK-SAME:    chi.axis_bounds = [
// CHECK-SAME:      [], [#chi.known<= dim(4, 0)>, #chi.known<0 to 2147483647 = dim(0, 0)>],
// CHECK-SAME:      [], [#chi.known<= dim(4, 1)>, #chi.known<0 to 2147483647 = dim(0, 1)>],
// CHECK-SAME:      [#chi.known<= 0>], [#chi.known<= dim(0, 2)>, #chi.known<= dim(4, 2)>]]
// CHECK-SAME:    facts = #chi.facts<from = [= 0, = 0, = 0], to = [0 to 2147483647, 0 to 2147483647, -2147483648 to 2147483647]
// CHECK-NOT:     scf.if
// CHECK:         scf.for %[[T:.*]] = %[[U]] to
// CHECK-LABEL: chi.task @convolution.sum1(
// CHECK-SAME:    (%[[C:.*]]: i32, %[[S:.*]]: i32) attributes
// CHECK-SAME:    domainAxes = [1, -1]
// CHECK-SAME:    chi.axis_bounds = [
// CHECK-SAME:      [], [#chi.known<= dim(5, 0)>, #chi.known<0 to 2147483647 = dim(0, 1)>],
// CHECK-SAME:      [#chi.known<= dim(1, 1) + -1 * dim(0, 2)>, #chi.known<= 0>], [#chi.known<= dim(1, 1)>, #chi.known<= dim(5, 1)>]]
// CHECK-NOT:     arith.maxsi
// CHECK-NOT:     scf.if
// CHECK:         chi.accum add %{{.*}}, %arg5[%[[C]], %[[S]] : i32, i32]
// CHECK-LABEL: chi.task @convolution(
// CHECK-NOT:     chi.axis_bounds
// CHECK-NOT:     scf.for
// CHECK:         chi.store
chi.task @convolution(%y: !chi.field<?x?x?xf32>, %w: !chi.field<?x?xf32>, %k: !chi.field<?x?x?xf32>,
                      %yb: !chi.field<?x?x?xf32>, %kb: !chi.field<?x?x?xf32>, %wb: !chi.field<?x?xf32>) over 0 (%b: i32, %c: i32, %t: i32)
    attributes {axes = ["b", "c", "t"], adjoint = #chi.adjoint<numPrimal = 3>,
                facts = #chi.facts<from = [= 0, = 0, = 0],
                                   to = [0 to 2147483647 = dim(0, 0), 0 to 2147483647 = dim(0, 1), 0 to 2147483647 = dim(0, 2)],
                                   inputs = [?, ?, ?, ?, ?, ?]>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.addi %t, %c1 : i32
  %g = chi.load %yb[%b, %c, %t : i32, i32, i32] inbounds : !chi.field<?x?x?xf32> -> f32
  chi.store %zero, %yb[%b, %c, %t : i32, i32, i32] inbounds : f32, !chi.field<?x?x?xf32>
  scf.for %u = %c0 to %end step %c1 : i32 {
    %n = chi.dim %w, 1 : !chi.field<?x?xf32> -> i32
    %last = arith.subi %n, %c1 : i32
    %d = arith.subi %t, %u : i32
    %s = arith.subi %last, %d : i32
    %a = chi.load %w[%c, %s : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
    %x = chi.load %k[%b, %c, %u : i32, i32, i32] inbounds : !chi.field<?x?x?xf32> -> f32
    %p = arith.mulf %g, %a : f32
    %q = arith.mulf %g, %x : f32
    chi.accum add %p, %kb[%b, %c, %u : i32, i32, i32] inbounds {field_name = "k"} : f32, !chi.field<?x?x?xf32>
    chi.accum add %q, %wb[%c, %s : i32, i32] inbounds {field_name = "w"} : f32, !chi.field<?x?xf32>
  }
  chi.next
}

// The taps of a filter may be few: its elements stay with the task. Those of the signal are as many as the iterations, except for a few. An index
// that is inside of its field has not wrapped, yet the ends of all indices need 64 bits.
// CHECK-LABEL: chi.task @filter.sum0(
// CHECK-SAME:    (%[[E:.*]]: i64) attributes
// CHECK-SAME:    domainAxes = [-1]>, axes = ["x.0"]
// CHECK-SAME:    chi.axis_bounds = {{\[}}[#chi.known<= 0>], [#chi.known<= -1 + arg(2) + dim(0, 0)>, #chi.known<= dim(3, 0)>]]
// CHECK:         chi.accum add %{{.*}}, %arg3[%[[E]] : i64]
// CHECK-LABEL: chi.task @filter(
// CHECK:         chi.accum add %{{.*}}, %arg4
chi.task @filter(%y: !chi.field<?xf32>, %h: !chi.field<?xf32>, %m: i32, %xb: !chi.field<?xf32>, %hb: !chi.field<?xf32>) over 0 (%t: i32)
    attributes {axes = ["t"], adjoint = #chi.adjoint<numPrimal = 3>,
                facts = #chi.facts<from = [= 0], to = [0 to 2147483647 = dim(0, 0)], inputs = [?, ?, 1 to 1000, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = chi.load %y[%t : i32] inbounds : !chi.field<?xf32> -> f32
  scf.for %j = %c0 to %m step %c1 : i32 {
    %e = arith.addi %t, %j : i32
    %a = chi.load %h[%j : i32] inbounds : !chi.field<?xf32> -> f32
    %p = arith.mulf %g, %a : f32
    chi.accum add %p, %xb[%e : i32] inbounds {field_name = "x"} : f32, !chi.field<?xf32>
    chi.accum add %g, %hb[%j : i32] inbounds {field_name = "h"} : f32, !chi.field<?xf32>
  }
  chi.next
}

// The second index of the diagonal has the bounds of no axis: outside of the field there may be an iteration without terms.
// CHECK-NOT:   domainAxes
chi.task @diagonal(%y: !chi.field<?x?xf32>, %xb: !chi.field<?x?xf32>) over 0 (%b: i32, %t: i32)
    attributes {axes = ["b", "t"], adjoint = #chi.adjoint<numPrimal = 1>,
                facts = #chi.facts<from = [= 0, = 0], to = [0 to 2147483647 = dim(0, 0), 0 to 2147483647 = dim(0, 1)], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.addi %t, %c1 : i32
  %g = chi.load %y[%b, %t : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
  scf.for %u = %c0 to %end step %c1 : i32 {
    chi.accum add %g, %xb[%u, %u : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  }
  chi.next
}
