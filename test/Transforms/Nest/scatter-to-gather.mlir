// RUN: chi-opt %s --chi-scatter-to-gather | FileCheck %s

// The adjoint of a causal convolution: a task for each of the two fields, whose iterations are its elements, in a chain before what is left. Of
// 0 <= u <= t < 64 and s = 63 - t + u, the one keeps u <= t, the other 63 - s <= t; what else is known is implied. The second one adds up over b.
// CHECK-LABEL: chi.task @convolution.sum0(
// CHECK-SAME:    (%[[B:.*]]: i32, %[[C:.*]]: i32, %[[U:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 3, domainAxes = [0, 1, -1]>, axes = ["b", "c", "k.2"]
// CHECK-SAME:    from = [= 0, = 0, = 0], to = [= 4, = 16, = 64]
// CHECK:         %[[SUM:.*]] = scf.for %[[T:.*]] = %[[U]] to %c64_i32 step %c1_i32 iter_args
// CHECK:           chi.load %arg0[%[[B]], %[[C]], %[[T]] : i32, i32, i32]
// CHECK:           chi.load %arg1[%[[C]], %{{.*}} : i32, i32]
// CHECK:         }
// CHECK:         chi.accum add %[[SUM]], %arg4[%[[B]], %[[C]], %[[U]] : i32, i32, i32]
// CHECK-LABEL: chi.task @convolution.sum1(
// CHECK-SAME:    (%[[C:.*]]: i32, %[[S:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 3, prologue = @convolution.sum0, domainAxes = [1, -1]>, axes = ["c", "w.1"]
// CHECK:         %[[FROM:[0-9]+]] = arith.subi %c63_i32{{.*}}, %[[S]]
// CHECK-NOT:     arith.maxsi
// CHECK:         scf.for %[[B:.*]] = %c0_i32{{.*}} to %c4_i32
// CHECK:           scf.for %[[T:.*]] = %[[FROM]] to %c64_i32
// CHECK:             chi.load %arg0[%[[B]], %[[C]], %[[T]] : i32, i32, i32]
// CHECK:         chi.accum add %{{.*}}, %arg5[%[[C]], %[[S]] : i32, i32]
// CHECK-LABEL: chi.task @convolution(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 3, prologue = @convolution.sum1>
// CHECK-NOT:     scf.for
// CHECK:         chi.store
chi.task @convolution(%y: !chi.field<4x16x64xf32>, %w: !chi.field<16x64xf32>, %k: !chi.field<4x16x64xf32>,
                      %yb: !chi.field<4x16x64xf32>, %kb: !chi.field<4x16x64xf32>, %wb: !chi.field<16x64xf32>) (%b: i32, %c: i32, %t: i32)
    attributes {axes = ["b", "c", "t"], adjoint = #chi.adjoint<numPrimal = 3>, facts = #chi.facts<from = [= 0, = 0, = 0], to = [= 4, = 16, = 64], inputs = [?, ?, ?, ?, ?, ?]>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %end = arith.addi %t, %c1 : i32
  %g = chi.load %y[%b, %c, %t : i32, i32, i32] inbounds : !chi.field<4x16x64xf32> -> f32
  chi.store %zero, %yb[%b, %c, %t : i32, i32, i32] inbounds : f32, !chi.field<4x16x64xf32>
  scf.for %u = %c0 to %end step %c1 : i32 {
    %d = arith.subi %t, %u : i32
    %s = arith.subi %c63, %d : i32
    %a = chi.load %w[%c, %s : i32, i32] inbounds : !chi.field<16x64xf32> -> f32
    %x = chi.load %k[%b, %c, %u : i32, i32, i32] inbounds : !chi.field<4x16x64xf32> -> f32
    %p = arith.mulf %g, %a : f32
    %q = arith.mulf %g, %x : f32
    chi.accum add %p, %kb[%b, %c, %u : i32, i32, i32] inbounds {field_name = "k"} : f32, !chi.field<4x16x64xf32>
    chi.accum add %q, %wb[%c, %s : i32, i32] inbounds {field_name = "w"} : f32, !chi.field<16x64xf32>
  }
  chi.next
}

// A window: more elements than iterations, bounds at both ends, and conditions on the way. The filter's few elements stay with the task.
// CHECK-LABEL: chi.task @window.sum0(
// CHECK-SAME:    (%[[E:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 2, domainAxes = [-1]>, axes = ["element.0"]
// CHECK-SAME:    from = [= 0], to = [= 108]
// CHECK-DAG:     %[[LOW:.*]] = arith.maxsi
// CHECK-DAG:     %[[HIGH:.*]] = arith.minsi
// CHECK:         scf.for %[[J:.*]] = %[[LOW]] to %[[HIGH]]
// CHECK:           arith.cmpi ne, %{{.*}}, %[[J]]
// CHECK:           scf.if
// CHECK:             %[[T:.*]] = arith.subi %[[E]], %[[J]]
// CHECK:             chi.load %arg0[%[[T]] : i32]
// CHECK:         chi.accum add %{{.*}}, %arg2[%[[E]] : i32]
// CHECK-LABEL: chi.task @window(
// CHECK:         scf.for
// CHECK:           chi.accum add %{{.*}}, %arg3
// CHECK-NOT:       chi.accum
chi.task @window(%y: !chi.field<100xf32>, %h: !chi.field<9xf32>, %xb: !chi.field<108xf32>, %hb: !chi.field<9xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0], to = [= 100], inputs = [?, ?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  scf.for %j = %c0 to %c9 step %c1 : i32 {
    %c = arith.cmpi ne, %t, %j : i32
    scf.if %c {
      %g = chi.load %y[%t : i32] inbounds : !chi.field<100xf32> -> f32
      %a = chi.load %h[%j : i32] inbounds : !chi.field<9xf32> -> f32
      %e = arith.addi %t, %j : i32
      %p = arith.mulf %g, %a : f32
      chi.accum add %p, %xb[%e : i32] inbounds : f32, !chi.field<108xf32>
      chi.accum add %g, %hb[%j : i32] inbounds : f32, !chi.field<9xf32>
    }
  }
  chi.next
}

// Sizes that are known at a launch only are facts of the axis. A sum that could wrap is computed in 64 bits.
// CHECK-LABEL: chi.task @dynamic.sum0(
// CHECK-SAME:    (%[[E:.*]]: i32) attributes
// CHECK-SAME:    from = [= 0], to = [= dim(1, 0)]
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[E]] : i32 to i64
// CHECK:         arith.extsi %arg2 : i32 to i64
// CHECK:         scf.for %[[T:.*]] = %[[WIDE]] to %{{.*}} : i64
// CHECK:           %[[I:.*]] = arith.trunci %[[T]] : i64 to i32
// CHECK:           chi.load %arg0[%[[I]] : i32]
chi.task @dynamic(%y: !chi.field<?xf32>, %xb: !chi.field<?xf32>, %s: i32) over 1 (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= dim(1, 0)], inputs = [?, ?, 0 to 2000000000]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = arith.addi %t, %c1 : i32
  %near = arith.subi %t, %s : i32
  %from = arith.maxsi %near, %c0 : i32
  %g = chi.load %y[%t : i32] inbounds : !chi.field<?xf32> -> f32
  scf.for %j = %from to %end step %c1 : i32 {
    chi.accum add %g, %xb[%j : i32] inbounds : f32, !chi.field<?xf32>
  }
  chi.next
}

// What stays as it was: an index that is data, an element that each iteration has for itself, a step, a value from the iteration before, what the
// task stored itself, strict sums.
// CHECK-NOT:   domainAxes
chi.task @data(%to: !chi.field<64xi32>, %xb: !chi.field<64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  scf.for %j = %c0 to %t step %c1 : i32 {
    %i = chi.load %to[%j : i32] inbounds : !chi.field<64xi32> -> i32
    chi.accum add %one, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}

chi.task @own(%x: !chi.field<64x9xf32>, %xb: !chi.field<64x9xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  scf.for %j = %c0 to %c9 step %c1 : i32 {
    %a = chi.load %x[%t, %j : i32, i32] inbounds : !chi.field<64x9xf32> -> f32
    chi.accum add %a, %xb[%t, %j : i32, i32] inbounds : f32, !chi.field<64x9xf32>
  }
  chi.next
}

chi.task @stepped(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %a = chi.load %x[%t : i32] inbounds : !chi.field<64xf32> -> f32
  scf.for %j = %c0 to %t step %c2 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}

chi.task @carried(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !chi.field<64xf32> -> f32
  %r = scf.for %j = %c0 to %c64 step %c1 iter_args(%p = %a) -> f32 : i32 {
    chi.accum add %p, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
    %q = arith.mulf %p, %a : f32
    scf.yield %q : f32
  }
  chi.next
}

chi.task @stored(%x: !chi.field<64xf32>, %yb: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !chi.field<64xf32> -> f32
  chi.store %a, %yb[%t : i32] inbounds : f32, !chi.field<64xf32>
  %g = chi.load %yb[%t : i32] inbounds : !chi.field<64xf32> -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %g, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}

chi.task @strict(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, strict, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !chi.field<64xf32> -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}
