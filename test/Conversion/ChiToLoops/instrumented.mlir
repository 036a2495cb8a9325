// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops="recorded=true" | FileCheck %s

// CHECK: llvm.mlir.global internal constant @k.t0.task() {{.*}}chi.members = [7 : i32, 1 : i32, 3 : i32, 2 : i32,
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK:         chi.record_access %{{.*}}[%{{.*}}] by %{{.*}} kind 1 of "x"
// CHECK:         memref.store
// The descriptor says so (the fourth member): chirt_launch reports the begin
// and the end of a launch. There is no direct form.
// CHECK-LABEL: func.func private @k.t0.launch(
// CHECK:         call @k.t0.body
// CHECK-NOT:     chirt_check_launch
// CHECK-LABEL: func.func @k(
// CHECK-NEXT:    call @k.rec(
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @k.rec(
// CHECK:         llvm.mlir.addressof @k.t0.task
// CHECK-NEXT:    llvm.call @chirt_launch
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
