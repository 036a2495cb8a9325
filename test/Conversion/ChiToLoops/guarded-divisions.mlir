// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" --cse | FileCheck %s

// The check of a kernel's own quotient is a task. Where launches are recorded
// its failure is reported later, so the host replaces a divisor of 0 by 1. A
// known divisor is unchanged, and so is the direct form.
!F = !chi.field<4xi32>

// CHECK-LABEL: func.func @k(
// CHECK:         call @k.rec
// CHECK:         } else {
// CHECK:           chi.floordiv %arg1, %arg2 unsigned : i32
// CHECK:           chi.floormod %arg1, %arg2 unsigned : i32

// CHECK-LABEL: func.func private @k.rec(
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %arg2, %[[ZERO]] : i32
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %[[BY:.*]] = arith.select %[[IS]], %[[ONE]], %arg2 : i32
// CHECK:         chi.floordiv %arg1, %[[BY]] unsigned : i32
// CHECK:         chi.floormod %arg1, %{{[0-9]+}} unsigned : i32
// CHECK:         %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK:         chi.floormod %arg1, %[[SEVEN]] unsigned : i32
func.func @k(%x: !F, %a: i32, %b: i32) -> (i32, i32, i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @k.t0(%x : !F) from (%c0 : i32) to (%a : i32)
  %q = chi.floordiv %a, %b unsigned : i32
  %r = chi.floormod %a, %b unsigned : i32
  %c7 = arith.constant 7 : i32
  %s = chi.floormod %a, %c7 unsigned : i32
  return %q, %r, %s : i32, i32, i32
}
chi.task @k.t0(%x: !F) over 0 (%i: i32) {
  chi.next
}
