// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Which iterations go in groups of lanes: all of a row, if it is known to be
// whole groups; if iterations may be done twice, the last group ends where the
// row ends; else what is left goes one by one.
!F = !chi.field<?xf32>
!G = !chi.field<100x64xf32>
!R = !chi.field<100x60xf32>

// 64 columns are eight groups of 8, whole rows known.
// CHECK-LABEL: func.func private @whole.body(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1 {
// CHECK:           %[[SIZE:.*]] = arith.constant 8 : i32
// CHECK:           scf.for %[[J:.*]] = %c0_i32 to %c64_i32 step %[[SIZE]] : i32 {
// CHECK-NOT:         arith.minsi
// CHECK:             vector.maskedstore
// CHECK-NOT:       scf.for
// CHECK-NOT:       scf.if
// CHECK:         return
chi.task @whole(%x: !G, %v: vector<8xf32>, %s: f32) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  chi.store %s, %x[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
} wide {
^bb0(%x: !G, %v: vector<8xf32>, %s: f32, %i: i32, %j: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %all, %steps : vector<8xi32>
  chi.store %v, %x[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !G
  chi.next
}

// 60 columns: the eighth group begins at 52, where it does four of the seventh
// again. 60 is more than 8, so that no row is too short.
// CHECK-LABEL: func.func private @again.body(
// CHECK:           scf.for %[[J:.*]] = %c0_i32 to %c60_i32 step %c8_i32 : i32 {
// CHECK:             %[[AT:.*]] = arith.minsi %[[J]], %c52_i32 : i32
// CHECK:             vector.broadcast %[[AT]]
// CHECK-NOT:       scf.for
// CHECK-NOT:       scf.if
// CHECK:         return
chi.task @again(%x: !R, %v: vector<8xf32>, %s: f32) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64} {
  chi.store %s, %x[%i, %j : i32, i32] inbounds : f32, !R
  chi.next
} wide {
^bb0(%x: !R, %v: vector<8xf32>, %s: f32, %i: i32, %j: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %all, %steps : vector<8xi32>
  chi.store %v, %x[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !R
  chi.next
}

// A row of unknown length may be shorter than a group.
// CHECK-LABEL: func.func private @short.body(
// CHECK:         %[[LOW:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         %[[HIGH:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         %[[COUNT:.*]] = arith.subi %{{.*}}, %{{.*}} overflow<nsw> : index
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[COUNT]], %c0 : index
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %[[SOME]], %c8 : index
// CHECK:         scf.if %[[LONG]] {
// CHECK:           scf.for %[[PLACE:.*]] = %c0 to %[[COUNT]] step %c8 {
// CHECK:             %[[END:.*]] = arith.subi %[[COUNT]], %c8
// CHECK:             %[[AT:.*]] = arith.minsi %[[PLACE]], %[[END]] : index
// CHECK:             %[[OFFSET:.*]] = arith.index_cast %[[AT]] : index to i32
// CHECK:             arith.addi %[[LOW]], %[[OFFSET]] overflow<nsw> : i32
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} = %[[LOW]] to %[[HIGH]] step %{{.*}} : i32 {
// CHECK:             memref.store
// CHECK:           } {llvm.loop_annotation
chi.task @short(%x: !F, %v: vector<8xf32>, %s: f32) over 0 (%i: i32) attributes {lanes = 8 : i64} {
  chi.store %s, %x[%i : i32] inbounds : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %v: vector<8xf32>, %s: f32, %i: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %i : i32 to vector<8xi32>
  %is = arith.addi %all, %steps : vector<8xi32>
  chi.store %v, %x[%is : vector<8xi32>] inbounds {unit_axis = 0 : i64} : vector<8xf32>, !F
  chi.next
}

// What is added may not be added twice: the rest goes one by one, and with the
// number of 8 bits that has nothing behind 120 + 8, groups count from zero.
// CHECK-LABEL: func.func private @once.body(
// CHECK:         %[[WHOLE:.*]] = arith.andi %{{.*}}, %c-8 : index
// CHECK:         scf.for %[[PLACE:.*]] = %c0 to %[[WHOLE]] step %c8 {
// CHECK-NOT:       arith.minsi
// CHECK:           arith.index_cast %[[PLACE]] : index to i8
// CHECK:           vector.maskedload
// CHECK:           vector.maskedstore
// CHECK:         %[[DONE:.*]] = arith.index_cast %[[WHOLE]] : index to i8
// CHECK:         %[[REST:.*]] = arith.addi %{{.*}}, %[[DONE]] overflow<nsw> : i8
// CHECK:         scf.for %{{.*}} = %[[REST]] to %{{.*}} step %{{.*}} : i8 {
// CHECK:           memref.load
// CHECK:           memref.store
// CHECK:         } {llvm.loop_annotation
!S = !chi.field<122xf32>
chi.task @once(%x: !S, %v: vector<8xf32>, %s: f32) over 0 (%i: i8) attributes {lanes = 8 : i64} {
  chi.accum add %s, %x[%i : i8] inbounds strategy(plain) : f32, !S
  chi.next
} wide {
^bb0(%x: !S, %v: vector<8xf32>, %s: f32, %i: i8):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi8>
  %all = vector.broadcast %i : i8 to vector<8xi8>
  %is = arith.addi %all, %steps : vector<8xi8>
  chi.accum add %v, %x[%is : vector<8xi8>] inbounds strategy(plain) {unit_axis = 0 : i64} : vector<8xf32>, !S
  chi.next
}

// The same without leave for a last group that goes back.
// RUN: chi-opt %s --chi-launch-facts --chi-schedule="without=last-lane-group" --convert-chi-to-loops --cse | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: func.func private @again.body(
// ONCE-NOT:     arith.minsi
// ONCE:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8_i32 : i32 {
// ONCE:           vector.maskedstore
// ONCE:         scf.for %{{.*}} = %{{.*}} to %c60_i32 step %c1_i32 : i32 {
// ONCE:           memref.store

// Parts begin at lanes where a line of the cache is shorter: at 32.
// CHECK-LABEL: func.func @launches(
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %c32_i64, %c160_i64)
chi.task @many(%x: !F, %s: f32) over 0 (%i: i32) attributes {lanes = 32 : i64} {
  chi.store %s, %x[%i : i32] inbounds : f32, !F
  chi.next
} wide {
^bb0(%x: !F, %s: f32, %i: i32):
  chi.next
}
func.func @launches(%x: !F, %s: f32, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @many(%x, %s : !F, f32) from (%c0 : i32) to (%n : i32)
  return
}
