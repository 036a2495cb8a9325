// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Rows of the axis that shares follow each other, in groups; 6 is a multiple
// of 3 and parts are cut between groups, so that nothing is left. 20 columns
// are no groups of 8, but iterations may be done again.
// CHECK-LABEL: func.func private @whole.t0.body
// CHECK:   scf.for
// CHECK:     scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:       scf.for %[[PLACE:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// Behind 20 there are numbers of the type: counted by the variable itself.
// CHECK:         %[[LAST:.*]] = arith.constant 12 : i32
// CHECK:         arith.minsi %[[PLACE]], %[[LAST]] : i32
// Lanes the other way round: the last lane's place is the first in memory.
// CHECK:         %[[LOADED:.*]] = vector.maskedload
// CHECK:         %[[TURNED:.*]] = vector.shuffle %[[LOADED]], %[[LOADED]] [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
// CHECK:         vector.maskedstore %{{.*}}, %[[TURNED]]
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func private @whole.t0.chunk
chi.task @whole.t0(%x: !chi.field<20xf32>, %y: !chi.field<6x4x20xf32>) over 1 (%i: i32, %j: i32, %k: i32) attributes {axes = ["i", "j", "k"], kernel = "whole", lanes = 8 : i64, rows = array<i64: 0, 3>} {
  %n = arith.constant 19 : i32
  %l = arith.subi %n, %k : i32
  %a = chi.load %x[%l : i32] inbounds : !chi.field<20xf32> -> f32
  chi.store %a, %y[%i, %j, %k : i32, i32, i32] inbounds : f32, !chi.field<6x4x20xf32>
  chi.next
} wide {
^bb0(%x: !chi.field<20xf32>, %y: !chi.field<6x4x20xf32>, %i: i32, %j: i32, %k: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %n = arith.constant dense<19> : vector<8xi32>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %all = vector.broadcast %k : i32 to vector<8xi32>
  %ks = arith.addi %all, %steps : vector<8xi32>
  %ls = arith.subi %n, %ks : vector<8xi32>
  %a = chi.load %x[%ls : vector<8xi32>] inbounds {unit_axis = 0 : i64, reversed} : !chi.field<20xf32> -> vector<8xf32>
  chi.store %a, %y[%i, %j, %ks : i32, i32, vector<8xi32>] inbounds {unit_axis = 2 : i64} : vector<8xf32>, !chi.field<6x4x20xf32>
  %i1 = arith.addi %i, %one : i32
  chi.store %a, %y[%i1, %j, %ks : i32, i32, vector<8xi32>] inbounds {unit_axis = 2 : i64} : vector<8xf32>, !chi.field<6x4x20xf32>
  %i2 = arith.addi %i, %two : i32
  chi.store %a, %y[%i2, %j, %ks : i32, i32, vector<8xi32>] inbounds {unit_axis = 2 : i64} : vector<8xf32>, !chi.field<6x4x20xf32>
  chi.next
}

func.func @whole(%x: !chi.field<20xf32>, %y: !chi.field<6x4x20xf32>) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %n = arith.constant 20 : i32
  chi.launch @whole.t0(%x, %y : !chi.field<20xf32>, !chi.field<6x4x20xf32>) from (%zero, %zero, %zero : i32, i32, i32) to (%six, %four, %n : i32, i32, i32)
  return
}

// What a row reads it also writes: the columns and rows that no group takes
// are done one by one. A failing check of the second row names its iteration.
// CHECK-LABEL: func.func private @rest.t0.body
// CHECK:   scf.for
// CHECK:     scf.for %[[ROW:.*]] =
// CHECK:       %[[I:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK:       arith.andi
// CHECK:       scf.for %[[J:.*]] = %{{.*}} {
// CHECK:         arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[WIDE]], %{{.*}} : i64
// CHECK:         chi.check assert %{{.*}}(%[[NUMBER]], %{{.*}} : i64, i64) {iteration = 2 : i64, row = 1 : i64
// CHECK:         vector.maskedstore
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:     scf.for
// CHECK:       scf.for
// CHECK:         memref.store
chi.task @rest.t0(%y: !chi.field<?x?xf32>, %ok: i1) over 0 (%i: i32, %j: i32) attributes {axes = ["i", "j"], kernel = "rest", lanes = 8 : i64, rows = array<i64: 0, 2>} {
  chi.check assert %ok
  %a = chi.load %y[%i, %j : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
  chi.store %a, %y[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  chi.next
} wide {
^bb0(%y: !chi.field<?x?xf32>, %ok: i1, %i: i32, %j: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %all, %steps : vector<8xi32>
  chi.check assert %ok {row = 1 : i64}
  %a = chi.load %y[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !chi.field<?x?xf32> -> vector<8xf32>
  chi.store %a, %y[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !chi.field<?x?xf32>
  chi.next
}

func.func @rest(%y: !chi.field<?x?xf32>, %ok: i1) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %m = chi.dim %y, 0 : !chi.field<?x?xf32> -> i32
  %n = chi.dim %y, 1 : !chi.field<?x?xf32> -> i32
  chi.launch @rest.t0(%y, %ok : !chi.field<?x?xf32>, i1) from (%zero, %zero : i32, i32) to (%m, %n : i32, i32)
  return
}
