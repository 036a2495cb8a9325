// RUN: chi-opt %s --chi-pack-loads --split-input-file | FileCheck %s
// RUN: chi-opt %s --chi-attach-device="l2-bytes=32768 cache-bytes=1048576" --chi-pack-loads --split-input-file | FileCheck %s --check-prefix=SMALL
// Loads of a sum that are the same for all rows of a wide body.

// 512 iterations of 8 lanes of f32 are 16 KB; a row of %a is 2 KB, of which the
// strips fill an eighth of the last cache.
// CHECK-LABEL: chi.task @product
// CHECK-SAME: panel = 2048
// CHECK: wide {
// CHECK-COUNT-2: chi.load %arg0{{.*}}] inbounds :
// CHECK: chi.load %arg1{{.*}} {packed = 0 : i64, unit_axis = 1 : i64}
// SMALL-LABEL: chi.task @product
// SMALL-SAME: panel = 64
!M = !chi.field<512x512xf32>
chi.task @product(%a: !M, %b: !M, %c: !M) over 2 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 0, 2>} {
  %z = arith.constant 0.0 : f32
  chi.store %z, %c[%i, %j : i32, i32] inbounds : f32, !M
  chi.next
} wide {
^bb0(%a: !M, %b: !M, %c: !M, %i: i32, %j: i32):
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 512 : i32
  %z = arith.constant dense<0.0> : vector<8xf32>
  %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %j0 = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %j0, %numbers : vector<8xi32>
  %i1 = arith.addi %i, %c1 : i32
  %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %z, %q = %z) -> (vector<8xf32>, vector<8xf32>) : i32 {
    %x = chi.load %a[%i, %k : i32, i32] inbounds : !M -> f32
    %y = chi.load %a[%i1, %k : i32, i32] inbounds : !M -> f32
    %v = chi.load %b[%k, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !M -> vector<8xf32>
    %xs = vector.broadcast %x : f32 to vector<8xf32>
    %ys = vector.broadcast %y : f32 to vector<8xf32>
    %xv = arith.mulf %xs, %v : vector<8xf32>
    %yv = arith.mulf %ys, %v : vector<8xf32>
    %pp = arith.addf %p, %xv : vector<8xf32>
    %qq = arith.addf %q, %yv : vector<8xf32>
    scf.yield %pp, %qq : vector<8xf32>, vector<8xf32>
  }
  chi.store %s#0, %c[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !M
  chi.store %s#1, %c[%i1, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !M
  chi.next
}

// -----

// Not packed: a field that the task stores to, a load that depends on the row or
// on an earlier sum, a sum that the first cache holds.
// CHECK-LABEL: chi.task @others
// CHECK-NOT: strip
// CHECK-NOT: packed
!M = !chi.field<512x512xf32>
!I = !chi.field<512x512xi32>
chi.task @others(%b: !M, %c: !M, %d: !I) over 1 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 0, 2>} {
  %z = arith.constant 0.0 : f32
  chi.store %z, %c[%i, %j : i32, i32] inbounds : f32, !M
  chi.next
} wide {
^bb0(%b: !M, %c: !M, %d: !I, %i: i32, %j: i32):
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 512 : i32
  %z = arith.constant dense<0> : vector<8xi32>
  %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %j0 = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %j0, %numbers : vector<8xi32>
  %i1 = arith.addi %i, %c1 : i32
  %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %z, %last = %c0) -> (vector<8xi32>, i32) : i32 {
    %stored = chi.load %c[%k, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !M -> vector<8xf32>
    %row = arith.addi %i1, %k : i32
    %hung = chi.load %d[%row, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !I -> vector<8xi32>
    %next = chi.load %d[%last, %k : i32, i32] inbounds : !I -> i32
    %chased = chi.load %d[%last, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !I -> vector<8xi32>
    %whole = chi.to_int %stored : vector<8xf32> -> vector<8xi32>
    %s0 = arith.addi %p, %hung : vector<8xi32>
    %s1 = arith.addi %s0, %chased : vector<8xi32>
    %s2 = arith.addi %s1, %whole : vector<8xi32>
    scf.yield %s2, %next : vector<8xi32>, i32
  }
  chi.store %s#0, %d[%i, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xi32>, !I
  %f = arith.sitofp %s#0 : vector<8xi32> to vector<8xf32>
  chi.store %f, %c[%i1, %js : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !M
  chi.next
}

// -----

// CHECK-LABEL: chi.task @short
// CHECK-NOT: packed
// Nor where the iterations keep their order.
// CHECK-LABEL: chi.task @checked
// CHECK-NOT: packed
!M = !chi.field<512x512xf32>
chi.task @short(%b: !M, %c: !M) over 1 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 0, 2>} {
  chi.next
} wide {
^bb0(%b: !M, %c: !M, %i: i32, %j: i32):
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 63 : i32
  %z = arith.constant dense<0.0> : vector<8xf32>
  %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%p = %z) -> (vector<8xf32>) : i32 {
    %v = chi.load %b[%k, %numbers : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !M -> vector<8xf32>
    %pp = arith.addf %p, %v : vector<8xf32>
    scf.yield %pp : vector<8xf32>
  }
  chi.store %s, %c[%i, %numbers : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !M
  chi.next
}
chi.task @checked(%b: !M, %c: !M, %ok: i1) over 1 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 0, 2>} {
  chi.next
} wide {
^bb0(%b: !M, %c: !M, %ok: i1, %i: i32, %j: i32):
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 512 : i32
  %z = arith.constant dense<0.0> : vector<8xf32>
  %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  chi.check assert %ok
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%p = %z) -> (vector<8xf32>) : i32 {
    %v = chi.load %b[%k, %numbers : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : !M -> vector<8xf32>
    %pp = arith.addf %p, %v : vector<8xf32>
    scf.yield %pp : vector<8xf32>
  }
  chi.store %s, %c[%i, %numbers : i32, vector<8xi32>] inbounds {unit_axis = 1 : i64} : vector<8xf32>, !M
  chi.next
}
