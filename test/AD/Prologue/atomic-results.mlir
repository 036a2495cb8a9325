// Results of atomic operations depend on the order of iterations: a recorder
// runs instead of the primal and keeps them, the adjoint loads them. See
// docs/design/0038-results-of-atomics.md.
// RUN: chi-opt %s --chi-differentiate=all --split-input-file | FileCheck %s

// One for each iteration.
// CHECK-LABEL: chi.task @slots(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @slots.adj, recorder = @slots.records>
// CHECK:         chi.atomic add
// CHECK-NOT:     chi.store %{{.*}} : i32, <?xi32>
// CHECK-LABEL: chi.task @slots.records(
// CHECK-SAME:    %arg3: !chi.field<?xi32>) over 0
// CHECK-SAME:    adjoint = #chi.adjoint<workspace = [3, -1, 3, 1]>
// CHECK:         %[[I:.*]] = chi.iteration
// CHECK:         %[[K:.*]] = chi.atomic add
// CHECK-NEXT:    chi.store %[[K]], %arg3[%[[I]] : i64]
// CHECK:         chi.store %{{.*}}, %arg1[%[[K]] : i32]

// The adjoint does not carry it out.
// CHECK-LABEL: chi.task @slots.adj(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 3, workspace = [3, -1, 3, 1]>
// CHECK-NOT:     chi.atomic
// CHECK-NOT:     %arg2
// CHECK:         %[[I:.*]] = chi.iteration
// CHECK:         %[[K:.*]] = chi.load %arg3[%[[I]] : i64]
// CHECK:         chi.load %arg5[%[[K]] : i32]
// CHECK:         chi.store %{{.*}}, %arg5[%[[K]] : i32]
// CHECK:         chi.accum add %{{.*}}, %arg4
// CHECK:         chi.next
chi.task @slots(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = arith.mulf %a, %a : f32
  %slot = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
  chi.store %b, %y[%slot : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

// Twenty for each iteration, by the number of the turn.
// CHECK-LABEL: chi.task @turns.records(
// CHECK-SAME:    adjoint = #chi.adjoint<workspace = [3, -1, 3, 20]>
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[FIRST:.*]] = arith.muli %{{.*}}, %c20_i64
// CHECK:           %[[TURN:.*]] = arith.divui %{{.*}}, %c2_i64
// CHECK:           %[[AT:.*]] = arith.addi %[[FIRST]], %[[TURN]]
// CHECK:           %[[K:.*]] = chi.atomic add
// CHECK-NEXT:      chi.store %[[K]], %arg3[%[[AT]] : i64]
// CHECK-LABEL: chi.task @turns.adj(
// CHECK-NOT:     chi.scratch
// CHECK:         scf.for
// CHECK:           %[[K:.*]] = chi.load %arg3[
// CHECK:           chi.load %arg5[%[[K]] : i32]
chi.task @turns(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %c40 = arith.constant 40 : i32
  %c2 = arith.constant 2 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  scf.for %j = %c0 to %c40 step %c2 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
    chi.store %a, %y[%slot : i32] inbounds : f32, !chi.field<?xf32>
  }
  chi.next
}

// -----

// As many as data says, and a float: all tasks are strict. The recorder stops
// where it has others than were counted.
// CHECK-LABEL: chi.task @counted.records(
// CHECK-SAME:    %arg4: !chi.field<?xi64>, %arg5: !chi.field<?xi32>)
// CHECK-SAME:    adjoint = #chi.adjoint<prologue = @counted.counts, workspace = [2, -1, 4, 0, 3, 0, 3, 0]>
// CHECK-SAME:    strict
// CHECK:         %[[START:.*]] = chi.load %arg4[
// CHECK:         %[[END:.*]] = chi.load %arg4[
// CHECK:         scf.if
// CHECK:           %[[NOW:.*]] = chi.get
// CHECK:           %[[AT:.*]] = arith.addi %[[START]], %[[NOW]]
// CHECK:           %[[OK:.*]] = arith.cmpi slt, %[[AT]], %[[END]]
// CHECK:           chi.check assert %[[OK]]
// CHECK:           %[[K:.*]] = chi.atomic add
// CHECK-NEXT:      chi.store %[[K]], %arg5[%[[AT]] : i64]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %{{.*}}, %[[END]]
// CHECK:         chi.check assert %[[OK]]

// The counter keeps the operations that the count depends on: not the sum.
// CHECK-LABEL: chi.task @counted.counts(
// CHECK-SAME:    %arg4: !chi.field<?xi64>) over 0
// CHECK-SAME:    strict
// CHECK-NOT:     chi.atomic
// CHECK-NOT:     arith.addf
// CHECK:         %[[TO:.*]] = chi.load %arg1[
// CHECK:         scf.for %{{.*}} to %[[TO]]
// CHECK:           chi.load %arg0[
// CHECK:           scf.if
// CHECK:             chi.set
// CHECK:         %[[COUNT:.*]] = chi.get
// CHECK:         chi.store %[[COUNT]], %arg4[
// CHECK-NOT:     chi.store
// CHECK:         chi.next

// CHECK-LABEL: chi.task @counted.adj(
// CHECK-SAME:    strict
// CHECK:         %[[START:.*]] = chi.load %arg4[
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             %[[NOW:.*]] = chi.get
// CHECK:             %[[AT:.*]] = arith.addi %[[START]], %[[NOW]]
// CHECK:             %[[K:.*]] = chi.load %arg5[%[[AT]] : i64]
// CHECK:             chi.load %arg7[%[[K]] : i32]
chi.task @counted(%x: !chi.field<?xf32>, %m: !chi.field<?xi32>, %y: !chi.field<?xf32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %to = chi.load %m[%i : i32] inbounds : !chi.field<?xi32> -> i32
  %sum = scf.for %j = %c0 to %to step %c1 iter_args(%s = %zero) -> (f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !chi.field<?xf32> -> f32
    %more = arith.addf %s, %a : f32
    %is = arith.cmpf ogt, %a, %zero : f32
    scf.if %is {
      %slot = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
      chi.store %a, %y[%slot : i32] inbounds : f32, !chi.field<?xf32>
    }
    scf.yield %more : f32
  }
  chi.store %sum, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

// The claim decides; the constant that is exchanged ends the adjoint of what
// was there. Its result is not looked at: there is no field for it.
// CHECK-LABEL: chi.task @claimed.records(
// CHECK-SAME:    %arg4: !chi.field<?xi32>) over 0
// CHECK:         chi.atomic exchange
// CHECK-LABEL: chi.task @claimed.adj(
// CHECK-NOT:     chi.atomic
// CHECK:         %[[OLD:.*]] = chi.load %arg4[
// CHECK:         %[[WON:.*]] = arith.cmpi eq, %[[OLD]]
// CHECK-DAG:     chi.store %cst, %arg7[]
// CHECK-DAG:     scf.if %[[WON]]
chi.task @claimed(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %f: !chi.field<f32>, %o: !chi.field<?xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %old = chi.atomic cas %i, %o[%i : i32] expects(%c0 : i32) inbounds : i32, !chi.field<?xi32> -> i32
  %won = arith.cmpi eq, %old, %c0 : i32
  scf.if %won {
    chi.store %a, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  }
  %before = chi.atomic exchange %one, %f[] inbounds : f32, !chi.field<f32> -> f32
  chi.next
}

// -----

// A counted loop that may be left is bounded too, though a result decides.
// CHECK-LABEL: chi.task @left.records(
// CHECK-SAME:    adjoint = #chi.adjoint<workspace = [3, -1, 3, 30]>
chi.task @left(%x: !chi.field<?xf32>, %n: !chi.field<i32>, %s: !chi.field<f32>) over 0 (%i: i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c60 = arith.constant 60 : i32
  %end:2 = scf.while (%k = %c1, %on = %true) : (i32, i1) -> (i32, i1) {
    %less = arith.cmpi slt, %k, %c60 : i32
    %goes = arith.andi %less, %on : i1
    scf.condition(%goes) %k, %on : i32, i1
  } do {
  ^bb0(%k: i32, %on: i1):
    %at = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
    %more = arith.cmpi slt, %at, %c60 : i32
    %a = chi.load %x[%at : i32] inbounds : !chi.field<?xf32> -> f32
    chi.accum add %a, %s[] inbounds : f32, !chi.field<f32>
    %next = arith.addi %k, %c2 : i32
    scf.yield %next, %more : i32, i1
  }
  chi.next
}
