// The effect of an atomic operation in an adjoint, which does not carry it out:
// what the iteration loads again, the adjoint writes again.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>
!N = !chi.field<i32>
!S = !chi.field<f32>

// A subtraction of integers, whose field is loaded later.
// CHECK-LABEL: chi.task @subtracted.adj(
// CHECK-NOT:     chi.atomic
// CHECK:         %[[MINUS:.*]] = arith.subi %c0_i32, %arg{{[0-9]+}}
// CHECK:         chi.accum add %[[MINUS]], %arg2[]
// CHECK:         %[[NOW:.*]] = chi.load %arg2[]
// CHECK:         chi.load %{{.*}}[%[[NOW]] : i32]
chi.task @subtracted(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %k = chi.atomic sub %i, %n[] inbounds : i32, !N -> i32
  %now = chi.load %n[] inbounds : !N -> i32
  %a = chi.load %x[%k : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%now : i32] inbounds : f32, !F
  chi.next
}

// A comparison and exchange: it stored where it found what it expected.
// CHECK-LABEL: chi.task @claimed.adj(
// CHECK:         %[[OLD:.*]] = chi.load %arg3[%{{.*}} : i64]
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[OLD]], %c0_i32
// CHECK:         scf.if %[[SAME]]
// CHECK:           chi.store %{{.*}}, %arg2[]
// CHECK:         chi.load %arg2[]
chi.task @claimed(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %k = chi.atomic cas %i, %n[] expects(%c0 : i32) inbounds : i32, !N -> i32
  %now = chi.load %n[] inbounds : !N -> i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%now : i32] inbounds : f32, !F
  chi.next
}

// It expects a float: found by its bits, as the device compares, so that a zero
// is not the other one and a NaN is itself.
// CHECK-LABEL: chi.task @bits.adj(
// CHECK:         %[[OLD:.*]] = chi.load %arg3[%{{.*}} : i64] inbounds : <?xf32>
// CHECK-DAG:     %[[A:.*]] = arith.bitcast %[[OLD]] : f32 to i32
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[A]], %c0_i32
// CHECK-NOT:     arith.cmpf oeq, %[[OLD]]
// CHECK:         scf.if %[[SAME]]
chi.task @bits(%x: !F, %y: !F, %s: !S) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %old = chi.atomic cas %one, %s[] expects(%zero : f32) inbounds : f32, !S -> f32
  %now = chi.load %s[] inbounds : !S -> f32
  %k = chi.to_int %now : f32 -> i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%k : i32] inbounds : f32, !F
  chi.next
}

// An atomic load has no effect: only its result is kept.
// CHECK-LABEL: chi.task @loaded.records(
// CHECK:         %[[K:.*]] = chi.atomic load
// CHECK:         chi.store %[[K]], %arg3[
// CHECK-LABEL: chi.task @loaded.adj(
// CHECK-NOT:     %arg2[]
// CHECK:         chi.load %arg3[
// CHECK-NOT:     %arg2[]
// CHECK:         chi.next
chi.task @loaded(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %k = chi.atomic load %c0, %n[] inbounds : i32, !N -> i32
  %a = chi.load %x[%k : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// The tasks are strict if a float decides: all have to take the same branches.
// CHECK-LABEL: chi.task @float.records(
// CHECK-SAME:    strict
// CHECK-LABEL: chi.task @float.adj(
// CHECK-SAME:    strict
chi.task @float(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %is = arith.cmpf ogt, %a, %zero : f32
  scf.if %is {
    %k = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%k : i32] inbounds : f32, !F
  }
  chi.next
}

// CHECK-LABEL: chi.task @integer.records(
// CHECK-NOT:     strict
// CHECK-LABEL: chi.task @integer.adj(
// CHECK-NOT:     strict
// CHECK:         chi.next
chi.task @integer(%x: !F, %y: !F, %n: !N) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %is = arith.cmpi sgt, %i, %c1 : i32
  scf.if %is {
    %k = chi.atomic add %c1, %n[] inbounds : i32, !N -> i32
    chi.accum add %a, %y[%k : i32] inbounds : f32, !F
  }
  chi.next
}
