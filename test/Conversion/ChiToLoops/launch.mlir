// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

!F = !chi.field<?xf32>
chi.task @k.t0(%x: !F, %y: !F, %n: i32) over 0 (%i: i32)
    attributes {kernel = "k", axes = ["i"], cost = 16 : i64} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !F
  chi.next
}
chi.task @small.t0(%x: !chi.field<64xf32>, %v: f32) over 0 (%i: i32)
    attributes {kernel = "small", axes = ["i"], cost = 16 : i64} {
  %ok = arith.cmpi slt, %i, %i : i32
  chi.check assert %ok {what = "i < i"}
  chi.store %v, %x[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}

// x and y may be one field: then the body that does not take them apart.
// CHECK-LABEL: func.func private @k.t0.may_alias(
// CHECK-NOT:     llvm.noalias
// CHECK:         chi.cold
// CHECK-LABEL: func.func @k(
// CHECK:         %[[SAME:.*]] = llvm.icmp "eq"
// CHECK:         scf.if %[[SAME]]
// CHECK:           constant @k.t0.may_alias.chunk
// CHECK:         else
// CHECK:           constant @k.t0.chunk
func.func @k(%x: !F, %y: !F, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @k.t0(%x, %y, %n : !F, !F, i32) from (%c0 : i32) to (%n : i32)
  return
}

// 64 cheap iterations run at once; a failed check is looked for behind.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     chirt_parallel
// CHECK:         call @small.t0.body(
// CHECK:         llvm.mlir.addressof @chirt_failed
// CHECK:         llvm.call @chirt_check_launch
func.func @small(%x: !chi.field<64xf32>, %v: f32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  chi.launch @small.t0(%x, %v : !chi.field<64xf32>, f32) from (%c0 : i32)
    to (%c64 : i32)
  return
}
