// Loads whose place is proved whatever the condition is.
// RUN: chi-opt %s --chi-speculate-loads | FileCheck %s

// Proved without the condition: where the loop is, and a column that wraps.
// CHECK-LABEL: chi.task @proved
// CHECK-NOT:     scf.if
// CHECK:         %[[NEXT:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw>
// CHECK:         %[[WRAPPED:.*]] = chi.floormod %[[NEXT]]
// CHECK:         chi.load %{{.*}}[%{{.*}}, %[[WRAPPED]] : i32, i32] inbounds
// CHECK:         arith.select
chi.task @proved (%a: !chi.field<8x64xi8>, %b: !chi.field<8x64xi8>) over 0 (%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0 : i8
  %p = chi.load %b[%i, %j : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
  %g = arith.cmpi eq, %p, %zero : i8
  %r = scf.if %g -> (i8) {
    %next = arith.addi %j, %one overflow<nsw> : i32
    %k = chi.floormod %next, %c64 : i32
    %m = chi.load %a[%i, %k : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
    scf.yield %m : i8
  } else {
    %m = chi.load %a[%i, %j : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
    scf.yield %m : i8
  }
  chi.store %r, %b[%i, %j : i32, i32] inbounds : i8, !chi.field<8x64xi8>
  chi.next
}

// Only under the condition: a place that it bounds, a divisor that it keeps
// from zero. And what lies anywhere is not loaded for nothing.
// CHECK-LABEL: chi.task @guarded
// CHECK-COUNT-3: scf.if
// CHECK-NOT:     arith.select
// CHECK:         chi.next
chi.task @guarded (%a: !chi.field<256xi8>, %d: i32, %b: !chi.field<256xi8>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : i8
  %p = chi.load %b[%i : i32] inbounds : !chi.field<256xi8> -> i8
  %wide = arith.extui %p : i8 to i32
  %inside = arith.cmpi sgt, %i, %wide : i32
  %r0 = scf.if %inside -> (i8) {
    %k = arith.subi %i, %one overflow<nsw> : i32
    %m = chi.load %a[%k : i32] inbounds : !chi.field<256xi8> -> i8
    scf.yield %m : i8
  } else {
    scf.yield %none : i8
  }
  %divides = arith.cmpi sgt, %d, %wide : i32
  %r1 = scf.if %divides -> (i8) {
    %k = chi.floormod %i, %d : i32
    %m = chi.load %a[%k : i32] inbounds : !chi.field<256xi8> -> i8
    scf.yield %m : i8
  } else {
    scf.yield %none : i8
  }
  %r2 = scf.if %inside -> (i8) {
    %m = chi.load %a[%wide : i32] inbounds : !chi.field<256xi8> -> i8
    scf.yield %m : i8
  } else {
    scf.yield %none : i8
  }
  %s0 = arith.xori %r0, %r1 : i8
  %s1 = arith.xori %s0, %r2 : i8
  chi.store %s1, %b[%i : i32] inbounds : i8, !chi.field<256xi8>
  chi.next
}
