// How the reverse sweep obtains values of the primal: again, from a record of
// each iteration, or out of the branch that has computed them.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>

// Pure operations, the loop's variable and loads of what the iteration does not
// write are computed again: there is one loop, and no record.
// CHECK-LABEL: chi.task @recomputed.adj(
// CHECK-NOT:     chi.scratch
// CHECK:         scf.for %[[J:.*]] = %c0_i32
// CHECK-NEXT:      %[[K:.*]] = arith.muli %[[J]], %c3_i32
// CHECK-NEXT:      %[[X:.*]] = chi.load %arg0[%[[K]] : i32]
// CHECK-NEXT:      %[[SIN:.*]] = math.sin %[[X]]
// CHECK-NEXT:      %[[G:.*]] = chi.load %arg4[%[[K]] : i32]
// CHECK-DAG:       arith.mulf %[[G]], %[[X]]
// CHECK-DAG:       arith.mulf %[[G]], %[[SIN]]
// CHECK-DAG:       math.cos %[[X]]
// CHECK:           chi.accum add %{{.*}}, %arg3[%[[K]] : i32]
// CHECK-NOT:     scf.for
// CHECK:         chi.next
chi.task @recomputed(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %k = arith.muli %j, %c3 : i32
    %a = chi.load %x[%k : i32] inbounds : !F -> f32
    %b = math.sin %a : f32
    %c = arith.mulf %b, %a : f32
    chi.accum add %c, %y[%k : i32] inbounds : f32, !F
  }
  chi.next
}

// A carried value is recorded before the iteration changes it. What depends on
// it is computed again from the record.
// CHECK-LABEL: chi.task @carried.adj(
// CHECK:         %[[TAPE:.*]] = chi.scratch : <?xf32>
// CHECK:         chi.reserve %[[TAPE]], %{{.*}}
// CHECK:         scf.for %[[J:.*]] = {{.*}} iter_args(%[[T:.*]] = %
// CHECK-NEXT:      %[[AT:.*]] = arith.extsi %[[J]]
// CHECK-NEXT:      chi.set %[[T]], %[[TAPE]][%[[AT]] : i64]
// CHECK-NOT:       chi.set
// CHECK-NOT:       chi.accum
// CHECK:         scf.for %[[Q:.*]] = {{.*}} iter_args(%[[LATER:.*]] = %
// CHECK:           %[[T:.*]] = chi.get %[[TAPE]]
// CHECK-NEXT:      %[[A:.*]] = chi.load %arg0
// CHECK-NEXT:      %[[U:.*]] = arith.addf %[[T]], %[[A]]
// CHECK:           arith.mulf %{{.*}}, %[[U]]
// CHECK:           chi.accum add %[[SUM:.*]], %arg3
// CHECK-NEXT:      scf.yield %[[SUM]]
chi.task @carried(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%t = %zero) -> (f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %u = arith.addf %t, %a : f32
    %q = arith.mulf %u, %u : f32
    chi.accum add %q, %y[%j : i32] inbounds : f32, !F
    scf.yield %u : f32
  }
  chi.next
}

// The place of an access is needed, though an integer has no derivative.
// CHECK-LABEL: chi.task @index.adj(
// CHECK:         %[[TAPE:.*]] = chi.scratch : <?xi32>
// CHECK:         scf.for {{.*}} iter_args(%[[AT:.*]] = %arg6)
// CHECK:           chi.set %[[AT]], %[[TAPE]]
// CHECK-NEXT:      chi.load %arg2[%[[AT]] : i32]
// CHECK-NOT:       chi.load %arg0
// CHECK:         scf.for
// CHECK:           %[[AT:.*]] = chi.get %[[TAPE]]
// CHECK-NEXT:      %[[G:.*]] = chi.load %arg5
// CHECK-NEXT:      chi.accum add %[[G]], %arg4[%[[AT]] : i32]
chi.task @index(%x: !F, %y: !F, %m: !I, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%at = %i) -> (i32) : i32 {
    %a = chi.load %x[%at : i32] inbounds : !F -> f32
    chi.accum add %a, %y[%j : i32] inbounds : f32, !F
    %next = chi.load %m[%at : i32] inbounds : !I -> i32
    scf.yield %next : i32
  }
  chi.next
}

// An array of the iteration has changed by then: what was read is recorded.
// CHECK-LABEL: chi.task @array.adj(
// CHECK-DAG:     %[[TAPE:.*]] = chi.scratch : <?xf32>
// CHECK-DAG:     %[[L:.*]] = chi.local "l" : <4xf32>
// CHECK:         scf.for
// CHECK:           %[[B:.*]] = chi.get %[[L]][%c0_i32 : i32]
// CHECK-NEXT:      chi.set %[[B]], %[[TAPE]]
// CHECK:         %[[ADJ:.*]] = chi.local "l" : <4xf32>
// CHECK:         scf.for
// CHECK-NOT:       chi.get %[[L]]
// CHECK:           chi.get %[[TAPE]]
chi.task @array(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l = chi.local "l" : <4xf32>
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    chi.set %a, %l[%c1 : i32] : f32, !chi.local<4xf32>
    %b = chi.get %l[%c0 : i32] : !chi.local<4xf32> -> f32
    %c = arith.mulf %b, %b : f32
    chi.accum add %c, %y[%j : i32] inbounds : f32, !F
  }
  chi.next
}

// Outside of loops such a value comes out of its branches; if the branch is not
// taken, a zero does, which nothing uses.
// CHECK-LABEL: chi.task @escapes.adj(
// CHECK-NOT:     chi.scratch
// CHECK:         %[[IS:.*]] = arith.cmpi slt
// CHECK:         %[[OUT:.*]] = scf.if %[[IS]] -> (f32) {
// CHECK:           %[[IN:.*]] = scf.if
// CHECK:             %[[B:.*]] = chi.get
// CHECK-NEXT:        scf.yield %[[B]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %cst
// CHECK:           scf.yield %[[IN]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %cst
// CHECK:         scf.if %[[IS]]
// CHECK:           scf.if
// CHECK:             arith.mulf %{{.*}}, %[[OUT]]
chi.task @escapes(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %l = chi.local "l" : <4xf32>
  %k = chi.load %m[%i : i32] inbounds : !I -> i32
  %is = arith.cmpi slt, %k, %c0 : i32
  scf.if %is {
    %far = arith.cmpi sgt, %i, %c9 : i32
    scf.if %far {
      %a = chi.load %x[%i : i32] inbounds : !F -> f32
      chi.set %a, %l[%c0 : i32] : f32, !chi.local<4xf32>
      %b = chi.get %l[%k : i32] : !chi.local<4xf32> -> f32
      %c = arith.mulf %b, %a : f32
      chi.accum add %c, %y[%i : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// What only a sum reads has no source at all: a sum's rule needs no value.
// CHECK-LABEL: chi.task @unneeded.adj(
// CHECK-NOT:     chi.load %arg0
// CHECK-NOT:     math.exp
// CHECK:         %[[G:.*]] = chi.load %arg3
// CHECK-NEXT:    chi.accum add %[[G]], %arg2
// CHECK-NEXT:    chi.next
chi.task @unneeded(%x: !F, %y: !F) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = arith.addf %a, %one : f32
  chi.accum add %b, %y[%i : i32] inbounds : f32, !F
  chi.next
}
