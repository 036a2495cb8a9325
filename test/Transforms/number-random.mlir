// RUN: chi-opt %s --chi-number-random --chi-promote --canonicalize | FileCheck %s
// RUN: chi-opt %s --chi-number-random | FileCheck %s --check-prefix=SLOTS
// RUN: chi-opt %s --chi-number-random > %t && chi-opt %t --chi-number-random | diff %t -
// RUN: chi-opt %s --chi-number-random --chi-promote --canonicalize --chi-outline-tasks | FileCheck %s --check-prefix=TASKS

// The second loop draws, in each turn of the loop around it: its pass is
// counted. What is drawn outside of loops has a counter for the whole kernel.
// CHECK-LABEL: chi.kernel @k(
// CHECK-SAME: attributes {chi.draws}
// CHECK: %[[FIRST:.*]] = chi.random(%c0_i32) loop -1
// CHECK: scf.for {{.*}} iter_args(%[[PASS:.*]] = %c0_i32) -> (i32)
// CHECK:   chi.parallel
// CHECK:   %[[NEXT:.*]] = arith.addi %[[PASS]], %c1_i32
// CHECK:   chi.parallel
// CHECK:   chi.random(%c0_i32) loop 1 launch %[[PASS]]
// CHECK:   %[[D:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %c1_i32)
// CHECK:     %[[L:.*]] = arith.addi %[[K]], %c1_i32
// CHECK:     chi.random(%[[K]]) loop 1 launch %[[PASS]]
// CHECK:     scf.yield %[[L]]
// CHECK:   chi.random(%[[D]]) loop 1 launch %[[PASS]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: chi.random(%c1_i32) loop -1

// SLOTS: %[[COUNTER:.*]] = chi.local "draws"
// SLOTS: chi.set %{{.*}}, %[[COUNTER]] : i32

// The pass is a value like others that a task is given.
// TASKS-LABEL: func.func @k(
// TASKS-SAME: attributes {chi.control, chi.draws}
// TASKS: scf.for {{.*}} iter_args(%[[PASS:.*]] = %c0_i32
// TASKS:   chi.launch @k.t1(%{{.*}} : !chi.field<8xi64>)
// TASKS:   chi.launch @k.t2({{.*}}%[[PASS]]{{.*}})
!F = !chi.field<8xi64>
chi.kernel @k(%x: !F, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = chi.random
  chi.accum add %s, %x[%n : i32] : i64, !F
  scf.for %t = %zero to %n step %one : i32 {
    chi.parallel (%i : i32) over %x : !F {
      %i64 = arith.extsi %i : i32 to i64
      chi.store %i64, %x[%i : i32] : i64, !F
      chi.next
    }
    chi.parallel (%i : i32) over %x : !F {
      %a = chi.random
      chi.accum add %a, %x[%i : i32] : i64, !F
      scf.for %k = %zero to %n step %one : i32 {
        %b = chi.random
        chi.accum add %b, %x[%i : i32] : i64, !F
      }
      %c = chi.random
      chi.accum add %c, %x[%i : i32] : i64, !F
      chi.next
    }
  }
  %u = chi.random
  chi.accum add %u, %x[%one : i32] : i64, !F
  chi.return
}

// A draw that nothing reads still makes this a kernel that draws.
// CHECK-LABEL: chi.kernel @unused(
// CHECK-SAME: attributes {chi.draws}
// CHECK-NOT: chi.random
chi.kernel @unused(%x: !F) {
  chi.parallel (%i : i32) over %x : !F {
    %a = chi.random
    chi.next
  }
  chi.return
}

// The host has a stream of its own.
// CHECK-LABEL: func.func @chi.script
// CHECK-SAME: chi.draws
// CHECK: chi.random
// CHECK-NOT: loop
func.func @chi.script(%x: !chi.field<i64>) attributes {chi.host} {
  %r = chi.random
  chi.store %r, %x[] : i64, !chi.field<i64>
  return
}
