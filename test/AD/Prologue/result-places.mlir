// Which atomic operations have their results kept, and where in the field of
// results each execution is.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!N = !chi.field<i32>
!S = !chi.field<f32>

// The result of nothing: no recorder. The adjoint has the effect on the float.
// CHECK-LABEL: chi.task @unused(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @unused.adj>}
// CHECK-NOT:   @unused.records
// CHECK-LABEL: chi.task @unused.adj(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 3>
// CHECK:         %[[G:.*]] = chi.load %arg4[]
// CHECK:         %[[MINUS:.*]] = arith.negf %[[G]]
// CHECK-NEXT:    chi.accum add %[[MINUS]], %arg3[
chi.task @unused(%x: !F, %s: !S, %n: !N) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = chi.atomic sub %a, %s[] inbounds : f32, !S -> f32
  %k = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
  chi.next
}

// A task that is no loop: element 0.
// CHECK-LABEL: chi.task @once.records(
// CHECK-SAME:    adjoint = #chi.adjoint<workspace = [3, -1, 3, 1]>
// CHECK-NOT:     chi.iteration
// CHECK:         chi.store %{{.*}}, %arg3[%c0_i64 : i64]
chi.task @once(%x: !F, %y: !F, %n: !N) () {
  %c1 = arith.constant 1 : i32
  %k = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
  %a = chi.load %x[%k : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%k : i32] inbounds : f32, !F
  chi.next
}

// Two loops around it: (iteration * 3 + outer) * 4 + inner.
// CHECK-LABEL: chi.task @nested.records(
// CHECK-SAME:    workspace = [3, -1, 3, 12]
// CHECK:         scf.for %[[J:.*]] = %c5_i32 to %c8_i32
// CHECK:           scf.for %[[K:.*]] = %c0_i64 to %c4_i64
// CHECK:             %[[I:.*]] = chi.iteration
// CHECK:             %[[BY3:.*]] = arith.muli %[[I]], %c3_i64
// CHECK:             %[[OUTER:.*]] = arith.subi %[[J]], %c5_i32
// CHECK:             %[[WIDE:.*]] = arith.extui %[[OUTER]] : i32 to i64
// CHECK:             %[[SUM:.*]] = arith.addi %[[BY3]], %[[WIDE]]
// CHECK:             %[[BY4:.*]] = arith.muli %[[SUM]], %c4_i64
// CHECK:             %[[AT:.*]] = arith.addi %[[BY4]], %[[K]]
// CHECK:             chi.store %{{.*}}, %arg3[%[[AT]] : i64]
chi.task @nested(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %from = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %to = arith.constant 4 : i64
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c5 to %c8 step %c1 : i32 {
    scf.for %k = %from to %to step %step : i64 {
      %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
      chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// In a branch: sixteen places may stay empty, seventeen are counted.
// CHECK-LABEL: chi.task @sixteen.records(
// CHECK-SAME:    workspace = [3, -1, 3, 16]
// CHECK-NOT:   @sixteen.counts
chi.task @sixteen(%x: !F, %y: !F, %n: !N, %c: i1) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %c16 step %c1 : i32 {
    scf.if %c {
      %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
      chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// CHECK-LABEL: chi.task @seventeen.records(
// CHECK-SAME:    prologue = @seventeen.counts, workspace = [2, -1, 4, 0, 3, 0, 3, 0]
chi.task @seventeen(%x: !F, %y: !F, %n: !N, %c: i1) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c17 = arith.constant 17 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %c17 step %c1 : i32 {
    scf.if %c {
      %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
      chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// A result decides: no task can count before, all places are there.
// CHECK-LABEL: chi.task @decides.records(
// CHECK-SAME:    workspace = [3, -1, 3, 1, 3, -1, 3, 40]
// CHECK-NOT:   @decides.counts
chi.task @decides(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c40 = arith.constant 40 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %first = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
  %c = arith.cmpi slt, %first, %c40 : i32
  scf.for %j = %c0 to %c40 step %c1 : i32 {
    scf.if %c {
      %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
      chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    }
  }
  chi.next
}
