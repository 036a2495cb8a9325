// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --convert-host-to-runtime | FileCheck %s

// Philox 4x32-10: the key is seed and loop, the counter iteration, draw,
// ordinal and launch index.
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[ORDINAL:[^:]*]]: i32, %[[PASS:[^:]*]]: i32, %[[SEED:[^:]*]]: i64,
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[ORDINAL]], %{{.*}} = %[[PASS]],
// CHECK:           arith.constant 3528531795 : i64
// CHECK:           arith.constant 3449720151 : i64
// CHECK-LABEL: func.func @k(
// CHECK:         %[[O:.*]] = llvm.call @chirt_next_ordinal
// CHECK:         llvm.mlir.addressof @chirt_seed
// CHECK:         call @k.t0.body(%{{.*}}, %[[O]],
!F = !chi.field<8xi64>
chi.task @k.t0(%x: !F, %call: i32, %pass: i32) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"]} {
  %zero = arith.constant 0 : i32
  %it = chi.iteration : i64
  %bits = chi.random loop 1 call %call launch %pass iteration %it draw %zero
  chi.store %bits, %x[%i : i32] inbounds : i64, !F
  chi.next
}
func.func @k(%x: !F) attributes {chi.control} {
  %call = chi.ordinal : i32
  %zero = arith.constant 0 : i32
  %n = arith.constant 8 : i32
  chi.launch @k.t0(%x, %call, %zero : !F, i32, i32) from (%zero : i32) to (%n : i32)
  return
}
