// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Two variables that own their fields hold two, if all launches say so: under a
// cast of each, but not where one variable is passed twice, nor where a launch
// passes something else.
!F = !chi.field<?xf32>
!G = !chi.field<100xf32>
chi.global @x : !F noalias
chi.global @y : !F noalias
chi.global @z : !F
// CHECK-LABEL: func.func private @casts.body(
// CHECK-NOT:   @casts.may_alias
chi.task @casts(%a: !G, %b: !G) (%i: i32) {
  %v = chi.load %a[%i : i32] inbounds : !G -> f32
  chi.store %v, %b[%i : i32] inbounds : f32, !G
  chi.next
}
// CHECK:       func.func private @twice.may_alias(
chi.task @twice(%a: !F, %b: !F) (%i: i32) {
  %v = chi.load %a[%i : i32] inbounds : !F -> f32
  chi.store %v, %b[%i : i32] inbounds : f32, !F
  chi.next
}
// CHECK:       func.func private @mixed.may_alias(
chi.task @mixed(%a: !F, %b: !F) (%i: i32) {
  %v = chi.load %a[%i : i32] inbounds : !F -> f32
  chi.store %v, %b[%i : i32] inbounds : f32, !F
  chi.next
}
// A task that nobody launches might be given anything.
// CHECK:       func.func private @unused.may_alias(
chi.task @unused(%a: !F, %b: !F) (%i: i32) {
  %v = chi.load %a[%i : i32] inbounds : !F -> f32
  chi.store %v, %b[%i : i32] inbounds : f32, !F
  chi.next
}
func.func @k(%n: i32) attributes {chi.control} {
  %z = arith.constant 0 : i32
  %x = chi.global_load @x : !F
  %y = chi.global_load @y : !F
  %w = chi.global_load @z : !F
  %cx = chi.cast_field %x : !F to !G
  %cy = chi.cast_field %y : !F to !G
  chi.launch @casts(%cx, %cy : !G, !G) from (%z : i32) to (%n : i32)
  chi.launch @twice(%x, %x : !F, !F) from (%z : i32) to (%n : i32)
  chi.launch @mixed(%x, %y : !F, !F) from (%z : i32) to (%n : i32)
  chi.launch @mixed(%x, %w : !F, !F) from (%z : i32) to (%n : i32)
  return
}

// Private copies and an overlap: atomics at once, without asking for copies.
// CHECK-LABEL: func.func private @adds.may_alias(
// CHECK:         memref.atomic_rmw addf
// CHECK-LABEL: func.func @both(
// CHECK:         %[[SAME:.*]] = llvm.icmp "eq"
// CHECK:         scf.if %[[SAME]] {
// CHECK-NOT:       chirt_num_chunks
// CHECK:           constant @adds.may_alias.chunk
// CHECK:           llvm.call @chirt_parallel
// CHECK:         } else {
// CHECK:           llvm.call @chirt_num_chunks
// CHECK:           llvm.call @chirt_private_begin
// CHECK:           constant @adds.chunk
// CHECK:           constant @adds.may_alias.chunk
chi.task @adds(%a: !F, %b: !F, %p: i32) (%i: i32) {
  %v = chi.load %a[%i : i32] inbounds : !F -> f32
  chi.accum add %v, %b[%p : i32] inbounds strategy(privatized) : f32, !F
  chi.next
}
func.func @both(%a: !F, %b: !F, %n: i32) attributes {chi.control} {
  %z = arith.constant 0 : i32
  chi.launch @adds(%a, %b, %n : !F, !F, i32) from (%z : i32) to (%n : i32)
  return
}
