// RUN: chi-opt %s --chi-number-random --chi-promote --canonicalize | FileCheck %s
// RUN: chi-opt %s --chi-number-random | FileCheck %s --check-prefix=SLOTS
// RUN: chi-opt %s --chi-number-random > %t && chi-opt %t --chi-number-random | diff %t -
// RUN: chi-opt %s --chi-number-random --chi-promote --canonicalize --chi-outline-tasks | FileCheck %s --check-prefix=TASKS

// The second loop draws, in each iteration of the loop around it: its launches
// are counted. What is drawn outside of loops has a counter for the whole kernel.
// CHECK-LABEL: chi.kernel @k(
// The call's ordinal is taken at the entry, whatever happens then.
// CHECK: %[[CALL:.*]] = chi.ordinal : i32
// CHECK-NOT: chi.ordinal
// CHECK: chi.random loop -1 call %[[CALL]] launch %c0_i32 iteration %c0_i64 draw %c0_i32
// CHECK: scf.for {{.*}} iter_args(%[[L:.*]] = %c0_i32) -> (i32)
// CHECK:   chi.parallel
// CHECK-NOT: chi.iteration
// CHECK:   %[[NEXT:.*]] = arith.addi %[[L]], %c1_i32
// CHECK:   chi.parallel
// CHECK:   %[[I:.*]] = chi.iteration : i64
// CHECK:   chi.random loop 1 call %[[CALL]] launch %[[L]] iteration %[[I]] draw %c0_i32
// CHECK:   %[[D:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %c1_i32)
// CHECK:     %[[M:.*]] = arith.addi %[[K]], %c1_i32
// CHECK:     chi.random loop 1 call %[[CALL]] launch %[[L]] iteration %[[I]] draw %[[K]]
// CHECK:     scf.yield %[[M]]
// CHECK:   chi.random loop 1 call %[[CALL]] launch %[[L]] iteration %[[I]] draw %[[D]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: chi.random loop -1 call %[[CALL]] launch %c0_i32 iteration %c0_i64 draw %c1_i32

// SLOTS: %[[COUNTER:.*]] = chi.local "draws"
// SLOTS: chi.set %{{.*}}, %[[COUNTER]] : i32

// Ordinal and launch index are values like others that a task is given.
// TASKS-LABEL: func.func @k(
// TASKS: %[[CALL:.*]] = chi.ordinal : i32
// TASKS: scf.for {{.*}} iter_args(%[[L:.*]] = %c0_i32
// TASKS:   chi.launch @k.t1(%{{.*}} : !chi.field<8xi64>)
// TASKS:   chi.launch @k.t2({{.*}}%[[CALL]], %[[L]]{{.*}})
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
// CHECK-NEXT: chi.ordinal
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
// CHECK-NOT: chi.ordinal
// CHECK: chi.random{{$}}
func.func @chi.script(%x: !chi.field<i64>) attributes {chi.host} {
  %r = chi.random
  chi.store %r, %x[] : i64, !chi.field<i64>
  return
}
