// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Philox 4x32-10: the key is seed and loop, the counter iteration, draw,
// ordinal and pass.
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[PASS:[^:]*]]: i32, %[[SEED:[^:]*]]: i64, %[[ORDINAL:[^:]*]]: i32,
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[ORDINAL]], %{{.*}} = %[[PASS]],
// CHECK:           arith.constant 3528531795 : i64
// CHECK:           arith.constant 3449720151 : i64
// CHECK-LABEL: func.func @k(
// CHECK:         %[[O:.*]] = llvm.call @chirt_next_ordinal
// CHECK:         llvm.mlir.addressof @chirt_seed
// CHECK:         call @k.t0.body(%{{.*}}, %{{.*}}, %{{.*}}, %[[O]],
!F = !chi.field<8xi64>
chi.task @k.t0(%x: !F, %pass: i32) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"]} {
  %zero = arith.constant 0 : i32
  %bits = chi.random(%zero) loop 1 launch %pass
  chi.store %bits, %x[%i : i32] inbounds : i64, !F
  chi.next
}
func.func @k(%x: !F) attributes {chi.control, chi.draws} {
  %zero = arith.constant 0 : i32
  %n = arith.constant 8 : i32
  chi.launch @k.t0(%x, %zero : !F, i32) from (%zero : i32) to (%n : i32)
  return
}

// What is left of a kernel that draws still counts as one.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT:    llvm.call @chirt_next_ordinal
func.func @nothing() attributes {chi.control, chi.draws} {
  return
}
