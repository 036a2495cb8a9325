// RUN: chi-opt %s --chi-outline-tasks --chi-number-random | FileCheck %s
// RUN: chi-opt %s --chi-outline-tasks --chi-number-random > %t && chi-opt %t --chi-number-random | diff %t -

// The second task draws, in each turn of the loop: its pass is counted.
// CHECK-LABEL: func.func @k(
// CHECK-SAME: attributes {chi.control, chi.draws}
// CHECK: scf.for {{.*}} iter_args(%[[PASS:.*]] = %c0_i32) -> (i32)
// CHECK:   chi.launch @k.t0(%{{.*}} : !chi.field<8xi64>)
// CHECK:   %[[NEXT:.*]] = arith.addi %[[PASS]], %c1_i32
// CHECK:   chi.launch @k.t1(%{{.*}}, %{{.*}}, %[[PASS]] : !chi.field<8xi64>, i32, i32)
// CHECK:   scf.yield %[[NEXT]]
// CHECK-LABEL: chi.task @k.t0(
// CHECK-NOT: chi.draws
// CHECK: chi.next
// CHECK-LABEL: chi.task @k.t1(
// CHECK-SAME: %[[N:.*]]: i32, %[[P:[^:]*]]: i32) over 0 (%{{.*}}: i32)
// CHECK-SAME: chi.draws
// CHECK: chi.random(%c0_i32) loop 1
// CHECK: %[[D:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %c1_i32)
// CHECK:   %[[L:.*]] = arith.addi %[[K]], %c1_i32
// CHECK:   chi.random(%[[K]]) loop 1
// CHECK:   scf.yield %[[L]]
// CHECK: chi.random(%[[D]]) loop 1
chi.kernel @k(%x: !chi.field<8xi64>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %t = %zero to %n step %one : i32 {
    chi.parallel (%i : i32) over %x : !chi.field<8xi64> {
      %i64 = arith.extsi %i : i32 to i64
      chi.store %i64, %x[%i : i32] : i64, !chi.field<8xi64>
      chi.next
    }
    chi.parallel (%i : i32) over %x : !chi.field<8xi64> {
      %a = chi.random
      chi.accum add %a, %x[%i : i32] : i64, !chi.field<8xi64>
      scf.for %k = %zero to %n step %one : i32 {
        %b = chi.random
        chi.accum add %b, %x[%i : i32] : i64, !chi.field<8xi64>
      }
      %c = chi.random
      chi.accum add %c, %x[%i : i32] : i64, !chi.field<8xi64>
      chi.next
    }
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
