// What the counter of atomic operations keeps of its task: a slice of all that
// their number depends on. Other operations are erased.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>
!N = !chi.field<i32>

// By a carried value: the count of an earlier loop. The sum that it carries
// besides decides nothing.
// CHECK-LABEL: chi.task @carried.counts(
// CHECK-NOT:     arith.addf
// CHECK:         %[[N:.*]] = scf.for {{.*}} iter_args
// CHECK:           arith.addi
// CHECK:         scf.for %{{.*}} to %[[N]]
// CHECK:           chi.set
// CHECK:         chi.next
chi.task @carried(%x: !F, %m: !I, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %to = chi.load %m[%i : i32] inbounds : !I -> i32
  %all:2 = scf.for %j = %c0 to %to step %c1 iter_args(%k = %c0, %s = %zero) -> (i32, f32) : i32 {
    %d = chi.load %m[%j : i32] inbounds : !I -> i32
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %l = arith.addi %k, %d : i32
    %t = arith.addf %s, %a : f32
    scf.yield %l, %t : i32, f32
  }
  scf.for %j = %c0 to %all#0 step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.store %all#1, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// By a local array: all that is written to it, and the branches around that.
// CHECK-LABEL: chi.task @array.counts(
// CHECK:         %[[L:.*]] = chi.local "l" : <4xi32>
// CHECK-NOT:     chi.local "other"
// CHECK:         scf.if
// CHECK:           chi.set %{{.*}}, %[[L]]
// CHECK:         %[[TO:.*]] = chi.get %[[L]]
// CHECK:         scf.for %{{.*}} to %[[TO]]
// CHECK:         chi.next
chi.task @array(%x: !F, %m: !I, %y: !F, %n: !N, %c: i1) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l = chi.local "l" : <4xi32>
  %o = chi.local "other" : <4xf32>
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.set %a, %o[%c0 : i32] : f32, !chi.local<4xf32>
  scf.if %c {
    %k = chi.load %m[%i : i32] inbounds : !I -> i32
    chi.set %k, %l[%c0 : i32] : i32, !chi.local<4xi32>
  }
  %to = chi.get %l[%c1 : i32] : !chi.local<4xi32> -> i32
  %b = chi.get %o[%c0 : i32] : !chi.local<4xf32> -> f32
  scf.for %j = %c0 to %to step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.store %b, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// By a field that the iteration has written: the write stays, on a copy. Writes
// of elements that are surely others go.
// CHECK-LABEL: chi.task @field.counts(
// CHECK:         %[[K:.*]] = arith.muli
// CHECK-NEXT:    chi.store %[[K]], %arg1[%[[I:.*]] : i32]
// CHECK-NEXT:    %[[TO:.*]] = chi.load %arg1[%c3_i32 : i32]
// CHECK-NOT:     chi.store %{{.*}}, %arg1
// CHECK:         scf.for %{{.*}} to %[[TO]]
// CHECK:         chi.next
chi.task @field(%x: !F, %m: !I, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %k = arith.muli %i, %c2 : i32
  chi.store %k, %m[%i : i32] inbounds : i32, !I
  chi.store %c1, %m[%c2 : i32] inbounds : i32, !I
  %to = chi.load %m[%c3 : i32] inbounds : !I -> i32
  chi.store %c1, %m[%c3 : i32] inbounds : i32, !I
  scf.for %j = %c0 to %to step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.store %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// By a while loop: its condition and what that reads, not what it carries
// besides.
// CHECK-LABEL: chi.task @until.counts(
// CHECK-NOT:     arith.mulf
// CHECK:         scf.while
// CHECK:           %[[GOES:.*]] = arith.cmpi sgt
// CHECK:           scf.condition(%[[GOES]])
// CHECK-NOT:       arith.mulf
// CHECK:           chi.set
// CHECK:         chi.next
chi.task @until(%x: !F, %m: !I, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %end:2 = scf.while (%at = %i, %p = %a) : (i32, f32) -> (i32, f32) {
    %next = chi.load %m[%at : i32] inbounds : !I -> i32
    %goes = arith.cmpi sgt, %next, %c0 : i32
    scf.condition(%goes) %next, %p : i32, f32
  } do {
  ^bb0(%at: i32, %p: f32):
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    %q = arith.mulf %p, %p : f32
    chi.store %q, %y[%slot : i32] inbounds : f32, !F
    scf.yield %at, %q : i32, f32
  }
  chi.next
}

// A check that may guard what the counter reads stays; one of a result of an
// atomic operation goes.
// CHECK-LABEL: chi.task @checked.counts(
// CHECK:         %[[IS:.*]] = arith.cmpi slt
// CHECK:         chi.check assert %[[IS]]
// CHECK-NOT:     chi.check
// CHECK:         chi.next
chi.task @checked(%x: !F, %m: !I, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %to = chi.load %m[%i : i32] inbounds : !I -> i32
  %few = arith.cmpi slt, %to, %c9 : i32
  chi.check assert %few
  scf.for %j = %c0 to %to step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    %ok = arith.cmpi slt, %slot, %c9 : i32
    chi.check assert %ok
    chi.store %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}
