// Loops of the reverse sweep: their bounds, their step, and what they carry.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>

// A step other than one: the last value is less than the end by what remains,
// and the number of a record is the distance divided by the step.
// CHECK-LABEL: chi.task @steps.adj(
// CHECK:         %[[COUNT:.*]] = arith.ceildivsi %{{.*}}, %c3_i64
// CHECK:         %[[ROOM:.*]] = arith.maxsi %[[COUNT]], %c0_i64
// CHECK:         chi.reserve %{{.*}}, %[[ROOM]]
// CHECK:         scf.for %[[J:.*]] = %c1_i32 to %arg2 step %c3_i32
// CHECK:           %[[NUMBER:.*]] = arith.divsi %{{.*}}, %c3_i64
// CHECK:           chi.set %{{.*}}, %{{.*}}[%[[NUMBER]] : i64]
// CHECK:         %[[END:.*]] = arith.subi %arg2, %c1_i32
// CHECK:         %[[SPAN:.*]] = arith.subi %arg2, %c2_i32
// CHECK:         %[[REST:.*]] = arith.remui %[[SPAN]], %c3_i32
// CHECK:         %[[LAST:.*]] = arith.subi %[[END]], %[[REST]]
// CHECK:         %[[SUM:.*]] = arith.addi %[[LAST]], %c1_i32
// CHECK:         scf.for %[[Q:.*]] = %c1_i32 to %arg2 step %c3_i32
// CHECK:           %[[J:.*]] = arith.subi %[[SUM]], %[[Q]]
// CHECK:           chi.load %arg0[%[[J]] : i32]
chi.task @steps(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %one = arith.constant 1.0 : f32
  %r = scf.for %j = %c1 to %n step %c3 iter_args(%t = %one) -> (f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %b = arith.mulf %t, %a : f32
    scf.yield %b : f32
  }
  chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// An unsigned loop stays unsigned, and its bounds are widened without a sign.
// CHECK-LABEL: chi.task @unsigned.adj(
// CHECK-NOT:     arith.extsi
// CHECK:         %[[N:.*]] = arith.extui %arg2 : i32 to i64
// CHECK:         scf.for unsigned
// CHECK-NOT:     arith.extsi
// CHECK:         scf.for unsigned
// CHECK-NOT:     arith.extsi
// CHECK:         chi.next
chi.task @unsigned(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %r = scf.for unsigned %j = %c0 to %n step %c1 iter_args(%t = %one) -> (f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %b = arith.mulf %t, %a : f32
    scf.yield %b : f32
  }
  chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// What all iterations use gets its adjoint from all: the loop carries it.
// CHECK-LABEL: chi.task @free.adj(
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %cst) -> (f32)
// CHECK:           %[[MORE:.*]] = arith.addf %[[T]], %{{.*}}
// CHECK:           scf.yield %[[MORE]]
// CHECK:         chi.accum add %[[SUM]], %arg3[
chi.task @free(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %b = chi.load %x[%j : i32] inbounds : !F -> f32
    %c = arith.mulf %a, %b : f32
    chi.accum add %c, %y[%j : i32] inbounds : f32, !F
  }
  chi.next
}

// A value that iterations pass on and none reads keeps its adjoint; one that is
// carried as an integer has none.
// CHECK-LABEL: chi.task @passed.adj(
// CHECK:         %[[G:.*]] = chi.load %arg5[
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %[[G]], %[[Q:.*]] = %cst) -> (f32, f32)
// CHECK:           scf.yield %[[Q]], %[[P]]
// CHECK-DAG:     chi.accum add %[[R]]#0, %arg4[%arg6 : i32]
// CHECK-DAG:     chi.accum add %[[R]]#1, %arg4[%c0_i32 : i32]
chi.task @passed(%x: !F, %y: !F, %m: !I, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = chi.load %x[%c0 : i32] inbounds : !F -> f32
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %k = %i) -> (f32, f32, i32) : i32 {
    %l = arith.addi %k, %c1 : i32
    scf.yield %q, %p, %l : f32, f32, i32
  }
  chi.accum add %r#0, %y[%i : i32] inbounds : f32, !F
  chi.store %r#2, %m[%i : i32] inbounds : i32, !I
  chi.next
}

// Room for all records is there before the task writes anything, if their
// number is known by then.
// CHECK-LABEL: chi.task @early.adj(
// CHECK:         chi.reserve
// CHECK:         chi.store %{{.*}}, %arg1[
// CHECK:         scf.for
chi.task @early(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%t = %a) -> (f32) : i32 {
    %b = chi.load %y[%j : i32] inbounds : !F -> f32
    %c = arith.mulf %t, %b : f32
    scf.yield %c : f32
  }
  chi.accum add %r, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// CHECK-LABEL: chi.task @late.adj(
// CHECK:         chi.store %{{.*}}, %arg1[
// CHECK:         %[[N:.*]] = chi.load %arg2[
// CHECK:         chi.reserve
// CHECK:         scf.for %{{.*}} to %[[N]]
chi.task @late(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  %n = chi.load %m[%i : i32] inbounds : !I -> i32
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%t = %a) -> (f32) : i32 {
    %b = chi.load %y[%j : i32] inbounds : !F -> f32
    %c = arith.mulf %t, %b : f32
    scf.yield %c : f32
  }
  chi.accum add %r, %x[%i : i32] inbounds : f32, !F
  chi.next
}
