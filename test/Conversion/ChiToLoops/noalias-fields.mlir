// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Two variables with fields of their own never hold one field.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT:     arith.cmpi eq
// CHECK:         return
// CHECK-NOT:   @apart.t0.may_alias
// CHECK:       func.func private @apart.t0.body
// CHECK-NOT:   @apart.t0.may_alias
// Of others that is asked at each launch.
// CHECK:       func.func private @together.t0.may_alias
!F = !chi.field<100x300xf32>
chi.global @x : !F noalias
chi.global @y : !F noalias
chi.global @z : !F
func.func @apart() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %c300 = arith.constant 300 : i32
  %x = chi.global_load @x : !F
  %y = chi.global_load @y : !F
  chi.launch @apart.t0(%x, %y : !F, !F) from (%c0, %c0 : i32, i32) to (%c100, %c300 : i32, i32)
  return
}
chi.task @apart.t0(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "apart", axes = ["i", "j"]} {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !F -> f32
  chi.store %a, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
func.func @together() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %c300 = arith.constant 300 : i32
  %x = chi.global_load @x : !F
  %z = chi.global_load @z : !F
  chi.launch @together.t0(%x, %z : !F, !F) from (%c0, %c0 : i32, i32) to (%c100, %c300 : i32, i32)
  return
}
chi.task @together.t0(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "together", axes = ["i", "j"]} {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !F -> f32
  chi.store %a, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
