// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// CHECK-LABEL: func.func private @k.t0.body(
// CHECK:         llvm.call @chirt_race_access(%{{.*}}, %{{.*}}, %{{.*}}, %c1_i32
// CHECK:         memref.store
// CHECK-LABEL: func.func @k(
// CHECK:         llvm.call @chirt_race_begin
// CHECK:         call @k.t0.body
// CHECK:         llvm.call @chirt_race_end
// CHECK:         llvm.call @chirt_check_launch
!F = !chi.field<8xf32>
chi.task @k.t0(%x: !F, %v: f32, %p: i32) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"]} {
  chi.store %v, %x[%p : i32] inbounds {race_kind = 1 : i32, field_name = "x"} : f32, !F
  chi.next
}
func.func @k(%x: !F, %v: f32, %p: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @k.t0(%x, %v, %p : !F, f32, i32) from (%c0 : i32) to (%c8 : i32)
  return
}
