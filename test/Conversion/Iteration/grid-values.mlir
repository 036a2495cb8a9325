// What an iteration knows of itself and of its fields: its number, the extents,
// random numbers, and what it reports.
// RUN: chi-opt %s --chi-test-lower-iteration | FileCheck %s

!V = !chi.field<?x!chi.vec<2xf32>>
!M = !chi.field<?x7xf32>

// The number of an iteration counts over all axes.
// CHECK-LABEL: func.func private @number.grid(
// CHECK:         scf.for %[[NUMBER:.*]] =
// CHECK:           %[[N:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:           memref.store %[[N]],
chi.task @number(%x: !chi.field<?x?xi64>) (%i: i32, %j: i32) {
  %n = chi.iteration : i64
  chi.store %n, %x[%i, %j : i32, i32] inbounds : i64, !chi.field<?x?xi64>
  chi.next
}

// Extents: one comes with the field, the other one is known. A field in another
// type has those that it came with.
// CHECK-LABEL: func.func private @extents.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index,
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK:         scf.for
// CHECK:           %[[ROWS:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK:           arith.constant 7 : i64
// CHECK:           %[[CAST:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK-NOT:       chi.
// CHECK:         return
chi.task @extents(%x: !M, %y: !chi.field<3xi64>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %wide = chi.cast_field %x : !M to !chi.field<?x?xf32>
  %a = chi.dim %x, 0 : !M -> i32
  %b = chi.dim %x, 1 : !M -> i64
  %c = chi.dim %wide, 0 : !chi.field<?x?xf32> -> i32
  %d = arith.addi %a, %c : i32
  %e = arith.extsi %d : i32 to i64
  %f = arith.addi %e, %b : i64
  chi.store %f, %y[%c0 : i32] inbounds : i64, !chi.field<3xi64>
  chi.next
}

// A random number: ten rounds on the number of the iteration, its draw, call
// and launch; the key is the seed, whose high word each loop changes.
// CHECK-LABEL: func.func private @random.grid(
// CHECK-SAME:    %[[SEED:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index)
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[SEED]], %c32_i64
// CHECK:         %[[WORD:.*]] = arith.trunci %[[HIGH]] : i64 to i32
// 3 * 0x9E3779B9, modulo the width.
// CHECK:         %[[LOOP:.*]] = arith.constant -626627285 : i32
// CHECK:         %[[KEY:.*]] = arith.addi %[[WORD]], %[[LOOP]]
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c10
// CHECK:           arith.muli {{.*}} : i64
// CHECK:           arith.muli {{.*}} : i64
// CHECK:           arith.addi %{{.*}}, %c-1640531527_i32
// CHECK:           arith.addi %{{.*}}, %c-1150833019_i32
// CHECK:           scf.yield {{.*}} : i32, i32, i32, i32, i32, i32
chi.task @random(%x: !chi.field<?xi64>) over 0 (%i: i32) {
  %c5 = arith.constant 5 : i32
  %n = chi.iteration : i64
  %r = chi.random loop 3 call %i launch %c5 iteration %n draw %c5
  chi.store %r, %x[%i : i32] inbounds : i64, !chi.field<?xi64>
  chi.next
}

// A check reports the indices of all axes, in their order, widened with their
// signs; in a task that is no loop it reports none.
// CHECK-LABEL: func.func private @checks.grid(
// CHECK:         %[[J:.*]] = arith.index_cast %{{.*}} : index to i8
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         %[[WI:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:         %[[WJ:.*]] = arith.extsi %[[J]] : i8 to i64
// CHECK:         chi.check assert %{{.*}} (%[[WI]], %[[WJ]] : i64, i64) {iteration = 2 : i64
// CHECK-LABEL: func.func private @check.grid(
// CHECK:         chi.check assert %{{.*}} {iteration = 0 : i64
chi.task @checks(%c: i1) (%i: i32, %j: i8) {
  chi.check assert %c
  chi.next
}
chi.task @check(%c: i1) () {
  chi.check assert %c
  chi.next
}

// An access that a check of races has marked is reported before it happens,
// with its scalar and with the number of the iteration.
// CHECK-LABEL: func.func private @marked.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>,
// CHECK:         scf.for %[[NUMBER:.*]] =
// CHECK:           %[[PAIR:.*]] = arith.muli %{{.*}}, %c2
// CHECK:           %[[AT:.*]] = arith.addi %[[PAIR]], %c1
// CHECK:           %[[N:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:           chi.record_access %[[X]][%[[AT]]] by %[[N]] kind 0 of "x"
// CHECK:           memref.load %[[X]]
// CHECK-NOT:       chi.record_access
// CHECK:           memref.store
chi.task @marked(%x: !V) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] component 1 inbounds {race_kind = 0 : i32, field_name = "x"} : !V -> f32
  chi.store %v, %x[%i : i32] component 0 inbounds : f32, !V
  chi.next
}

// Two places of a field of vecs are stored to: scalars of different components
// do not overlap: the attributes say so.
// CHECK-LABEL: func.func private @apart.grid(
// CHECK:         memref.store {{.*}} {alias_scopes = [#[[A:.*]]], noalias_scopes = [#[[B:.*]]]}
// CHECK:         memref.store {{.*}} {alias_scopes = [#[[B]]], noalias_scopes = [#[[A]]]}
// CHECK:         memref.store {{.*}} {alias_scopes = [#[[A]]], noalias_scopes = [#[[B]]]}
// One place only, or more components than four: there are no attributes.
// CHECK-LABEL: func.func private @one.grid(
// CHECK-NOT:     alias_scopes
// CHECK-LABEL: func.func private @five.grid(
// CHECK-NOT:     alias_scopes
chi.task @apart(%x: !V, %v: f32, %k: i32) over 0 (%i: i32) {
  chi.store %v, %x[%i : i32] component 0 inbounds : f32, !V
  chi.store %v, %x[%i : i32] component 1 inbounds : f32, !V
  chi.store %v, %x[%k : i32] component 0 inbounds : f32, !V
  chi.next
}
chi.task @one(%x: !V, %v: f32) over 0 (%i: i32) {
  chi.store %v, %x[%i : i32] component 0 inbounds : f32, !V
  chi.store %v, %x[%i : i32] component 1 inbounds : f32, !V
  chi.next
}
chi.task @five(%x: !chi.field<?x!chi.vec<5xf32>>, %v: f32, %k: i32) over 0 (%i: i32) {
  chi.store %v, %x[%i : i32] component 0 inbounds : f32, !chi.field<?x!chi.vec<5xf32>>
  chi.store %v, %x[%k : i32] component 0 inbounds : f32, !chi.field<?x!chi.vec<5xf32>>
  chi.next
}
