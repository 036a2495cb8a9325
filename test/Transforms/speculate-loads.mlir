// RUN: chi-opt %s --chi-speculate-loads | FileCheck %s

func.func @launch(%u: !chi.field<64x32xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c32 = arith.constant 32 : i32
  chi.launch @left(%u : !chi.field<64x32xf32>) from(%c0, %c0 : i32, i32) to(%c64, %c32 : i32, i32)
  chi.launch @rare(%u : !chi.field<64x32xf32>) from(%c0, %c0 : i32, i32) to(%c64, %c32 : i32, i32)
  chi.launch @inner(%u : !chi.field<64x32xf32>) from(%c0, %c0 : i32, i32) to(%c64, %c32 : i32, i32)
  chi.launch @store(%u : !chi.field<64x32xf32>) from(%c0, %c0 : i32, i32) to(%c64, %c32 : i32, i32)
  return
}

// Row 0 loads from row 0, and forgets it.
// CHECK-LABEL: chi.task @left
// CHECK-SAME:    (%[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32)
// CHECK-NOT:     scf.if
// CHECK:         %[[IS_INSIDE:.*]] = arith.cmpi sgt, %[[I]]
// CHECK:         %[[BEFORE:.*]] = arith.subi %[[I]]
// CHECK:         %[[ROW:.*]] = arith.maxsi %[[BEFORE]]
// CHECK-NOT:     arith.minsi
// CHECK:         %[[V:.*]] = chi.load %{{.*}}[%[[ROW]], %[[J]] : i32, i32] inbounds
// CHECK:         %[[W:.*]] = arith.negf
// CHECK:         arith.select %[[IS_INSIDE]], %[[V]], %[[W]] : f32
chi.task @left (%u: !chi.field<64x32xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c = chi.load %u[%i, %j : i32, i32] inbounds : !chi.field<64x32xf32> -> f32
  %inside = arith.cmpi sgt, %i, %c0 : i32
  %l = scf.if %inside -> (f32) {
    %k = arith.subi %i, %c1 overflow<nsw> : i32
    %v = chi.load %u[%k, %j : i32, i32] inbounds : !chi.field<64x32xf32> -> f32
    scf.yield %v : f32
  } else {
    %w = arith.negf %c : f32
    scf.yield %w : f32
  }
  chi.store %l, %u[%i, %j : i32, i32] inbounds : f32, !chi.field<64x32xf32>
  chi.next
}

// What one row loads, the others shall not.
// CHECK-LABEL: chi.task @rare
// CHECK:         scf.if
chi.task @rare (%u: !chi.field<64x32xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c63 = arith.constant 63 : i32
  %z = arith.constant 0.0 : f32
  %first = arith.cmpi eq, %i, %c0 : i32
  %l = scf.if %first -> (f32) {
    %v = chi.load %u[%c63, %j : i32, i32] inbounds : !chi.field<64x32xf32> -> f32
    scf.yield %v : f32
  } else {
    scf.yield %z : f32
  }
  chi.store %l, %u[%i, %j : i32, i32] inbounds : f32, !chi.field<64x32xf32>
  chi.next
}

// Along a row the loop is split instead.
// CHECK-LABEL: chi.task @inner
// CHECK:         scf.if
chi.task @inner (%u: !chi.field<64x32xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %inside = arith.cmpi sgt, %j, %c0 : i32
  %l = scf.if %inside -> (f32) {
    %k = arith.subi %j, %c1 overflow<nsw> : i32
    %v = chi.load %u[%i, %k : i32, i32] inbounds : !chi.field<64x32xf32> -> f32
    scf.yield %v : f32
  } else {
    scf.yield %z : f32
  }
  chi.store %l, %u[%i, %j : i32, i32] inbounds : f32, !chi.field<64x32xf32>
  chi.next
}

// Stores are for those whose guard holds, and so is what no index bounds.
// CHECK-LABEL: chi.task @store
// CHECK-COUNT-2: scf.if
chi.task @store (%u: !chi.field<64x32xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %z = arith.constant 0.0 : f32
  %inside = arith.cmpi sgt, %i, %c0 : i32
  scf.if %inside {
    chi.store %z, %u[%i, %j : i32, i32] inbounds : f32, !chi.field<64x32xf32>
  }
  %l = scf.if %inside -> (f32) {
    %k = arith.muli %i, %j : i32
    %v = chi.load %u[%k, %j : i32, i32] inbounds : !chi.field<64x32xf32> -> f32
    scf.yield %v : f32
  } else {
    scf.yield %z : f32
  }
  chi.store %l, %u[%i, %j : i32, i32] inbounds : f32, !chi.field<64x32xf32>
  chi.next
}
