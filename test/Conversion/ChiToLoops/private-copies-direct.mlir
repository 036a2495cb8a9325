// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// A launch that is never cut into parts makes no copies, none are refused, and
// no second body has the atomics for that.
!H = !chi.field<256xi32>
// CHECK-LABEL: func.func private @few.body(
// CHECK-NOT:     memref.atomic_rmw
// CHECK-NOT:   @few.may_alias
chi.task @few(%h: !H, %v: i32) (%i: i32)
    attributes {kernel = "k", axes = ["i"], cost = 70 : i64} {
  chi.accum add %i, %h[%v : i32] inbounds strategy(privatized) : i32, !H
  chi.next
}

// CHECK-LABEL: func.func private @many.body(
// CHECK-NOT:     memref.atomic_rmw
// CHECK-LABEL: func.func private @many.may_alias(
// CHECK:         memref.atomic_rmw
chi.task @many(%h: !H, %v: i32) (%i: i32)
    attributes {kernel = "k", axes = ["i"], cost = 70 : i64} {
  chi.accum add %i, %h[%v : i32] inbounds strategy(privatized) : i32, !H
  chi.next
}

// CHECK-LABEL: func.func @k(
// CHECK:         call @few.body(
// CHECK-NOT:     chirt_private_begin
// CHECK:         chirt_private_begin
func.func @k(%h: !H, %v: i32) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %million = arith.constant 1000000 : i32
  chi.launch @few(%h, %v : !H, i32) from (%zero : i32) to (%three : i32)
  chi.launch @many(%h, %v : !H, i32) from (%zero : i32) to (%million : i32)
  return
}
