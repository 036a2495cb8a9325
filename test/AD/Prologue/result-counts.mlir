// Results that a task before the recorder counts, and loops whose constants say
// how many there are at most.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!N = !chi.field<i32>

// Bounds that only the run knows: counted. So are those of an unsigned loop.
// CHECK-LABEL: chi.task @unknown.records(
// CHECK-SAME:    prologue = @unknown.counts
chi.task @unknown(%x: !F, %y: !F, %n: !N, %m: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %m step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// CHECK-LABEL: chi.task @unsigned.records(
// CHECK-SAME:    prologue = @unsigned.counts
chi.task @unsigned(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for unsigned %j = %c0 to %c4 step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// A while loop whose test is on the right of an `and` is counted by constants;
// one that counts down is not.
// CHECK-LABEL: chi.task @up.records(
// CHECK-SAME:    workspace = [3, -1, 3, 8]
chi.task @up(%x: !F, %y: !F, %n: !N, %c: i1) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %end = scf.while (%k = %c0) : (i32) -> i32 {
    %less = arith.cmpi slt, %k, %c8 : i32
    %goes = arith.andi %c, %less : i1
    scf.condition(%goes) %k : i32
  } do {
  ^bb0(%k: i32):
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    %next = arith.addi %k, %c1 : i32
    scf.yield %next : i32
  }
  chi.next
}

// CHECK-LABEL: chi.task @down.records(
// CHECK-SAME:    prologue = @down.counts
chi.task @down(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %end = scf.while (%k = %c8) : (i32) -> i32 {
    %goes = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%goes) %k : i32
  } do {
  ^bb0(%k: i32):
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
    %next = arith.subi %k, %c1 : i32
    scf.yield %next : i32
  }
  chi.next
}

// Two that are counted: the fields of counts come first, in their order.
// CHECK-LABEL: chi.task @counts.records(
// CHECK-SAME:    %arg4: !chi.field<?xi64>, %arg5: !chi.field<?xi64>, %arg6: !chi.field<?xi32>, %arg7: !chi.field<?xi32>)
// CHECK-SAME:    workspace = [2, -1, 4, 0, 2, -1, 4, 0, 3, 0, 3, 0, 3, 1, 3, 0]
// CHECK-LABEL: chi.task @counts.counts(
// CHECK-SAME:    %arg4: !chi.field<?xi64>, %arg5: !chi.field<?xi64>) over 0
chi.task @counts(%x: !F, %y: !F, %n: !N, %m: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %m step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
  }
  scf.for %j = %c0 to %i step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}

// Workspace fields are apart from all others, and the counter has those only
// that it captures.
// CHECK-LABEL: chi.task @facts.records(
// CHECK-SAME:    inputs = [?, ?, ?, ?, ?, ?], noalias = [1, 4, 5]>
// CHECK-LABEL: chi.task @facts.counts(
// CHECK-SAME:    inputs = [?, ?, ?, ?, ?], noalias = [1, 4]>
chi.task @facts(%x: !F, %y: !F, %n: !N, %m: i32) over 0 (%i: i32)
    attributes {facts = #chi.facts<from = [?], to = [?], inputs = [?, ?, ?, ?], noalias = [1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %m step %c1 : i32 {
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%slot : i32] inbounds : f32, !F
  }
  chi.next
}
