// RUN: chi-opt %s --chi-launch-facts --chi-speculate-loads | FileCheck %s

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

// The short circuit of `c == 3 or (c == 2 and a[i, j] == 1)`: the element lies
// among its neighbours, which are loaded anyway.
// CHECK-LABEL: chi.task @among
// CHECK-NOT:     scf.if
// CHECK:         chi.load %{{.*}}[%{{.*}}, %{{.*}} : i32, i32] inbounds
// CHECK:         chi.load
// CHECK:         chi.load
// CHECK:         arith.select
// CHECK:         arith.select
// CHECK:         chi.store
chi.task @among (%a: !chi.field<?x?xi8>, %b: !chi.field<?x?xi8>) over 0 (%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %true = arith.constant true
  %false = arith.constant false
  %up = arith.subi %i, %one overflow<nsw> : i32
  %left = arith.subi %j, %one overflow<nsw> : i32
  %down = arith.addi %i, %one overflow<nsw> : i32
  %right = arith.addi %j, %one overflow<nsw> : i32
  %p = chi.load %a[%up, %right : i32, i32] inbounds : !chi.field<?x?xi8> -> i8
  %q = chi.load %a[%down, %left : i32, i32] inbounds : !chi.field<?x?xi8> -> i8
  %c = arith.addi %p, %q : i8
  %three = arith.cmpi eq, %c, %c1 : i8
  %r = scf.if %three -> (i1) {
    scf.yield %true : i1
  } else {
    %two = arith.cmpi eq, %c, %c2 : i8
    %s = scf.if %two -> (i1) {
      %m = chi.load %a[%i, %j : i32, i32] inbounds : !chi.field<?x?xi8> -> i8
      %n = arith.cmpi eq, %m, %c1 : i8
      scf.yield %n : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %s : i1
  }
  %v = arith.extui %r : i1 to i8
  chi.store %v, %b[%i, %j : i32, i32] inbounds : i8, !chi.field<?x?xi8>
  chi.next
}

// Nothing behind it on the second axis is loaded; an index that may overflow,
// one made under the guard, or another field tells nothing; divisions stay.
// CHECK-LABEL: chi.task @beside
// CHECK-COUNT-5: scf.if
// CHECK-NOT:     arith.select
// CHECK:         chi.next
chi.task @beside (%a: !chi.field<?x?xi32>, %b: !chi.field<?x?xi32>) over 1 (%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %left = arith.subi %j, %one overflow<nsw> : i32
  %right = arith.addi %j, %one overflow<nsw> : i32
  %wraps = arith.subi %j, %one : i32
  %p = chi.load %a[%i, %left : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
  %q = chi.load %b[%i, %j : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
  %g = arith.cmpi sgt, %p, %q : i32
  %r0 = scf.if %g -> (i32) {
    %m = chi.load %a[%i, %j : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
    scf.yield %m : i32
  } else {
    scf.yield %zero : i32
  }
  %r1 = scf.if %g -> (i32) {
    %m = chi.load %b[%i, %right : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
    scf.yield %m : i32
  } else {
    scf.yield %zero : i32
  }
  %r2 = scf.if %g -> (i32) {
    %m = chi.load %a[%i, %wraps : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
    scf.yield %m : i32
  } else {
    scf.yield %zero : i32
  }
  %r3 = scf.if %g -> (i32) {
    %k = arith.subi %j, %one overflow<nsw> : i32
    %m = chi.load %a[%i, %k : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
    scf.yield %m : i32
  } else {
    scf.yield %zero : i32
  }
  %r4 = scf.if %g -> (i32) {
    %m = chi.load %b[%i, %j : i32, i32] inbounds : !chi.field<?x?xi32> -> i32
    %d = arith.divsi %m, %p : i32
    scf.yield %d : i32
  } else {
    scf.yield %zero : i32
  }
  %s0 = arith.addi %r0, %r1 : i32
  %s1 = arith.addi %s0, %r2 : i32
  %s2 = arith.addi %s1, %r3 : i32
  %s3 = arith.addi %s2, %r4 : i32
  chi.store %s3, %b[%i, %j : i32, i32] inbounds : i32, !chi.field<?x?xi32>
  chi.next
}
