// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s --check-prefix=DIRECT

// Only the form of a kernel that a tape may record marks where turns begin.
!F = !chi.field<4xi32>

// CHECK-LABEL: func.func @k(
// CHECK-NOT:     chirt_tape
// CHECK-LABEL: func.func private @k.rec(
// CHECK:         call @chirt_tape_loop(%{{.*}}, %{{.*}}) : (!llvm.ptr, i64) -> ()
// CHECK:         scf.for
// CHECK:           call @chirt_tape_turn(%{{.*}}) : (!llvm.ptr) -> ()
// CHECK:           call @chirt_launch
// DIRECT-NOT: chirt_tape
func.func @k(%x: !F, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %turns = arith.constant 7 : i64
  chi.rt "chirt_tape_loop"(%turns) at "loop" : (i64) -> ()
  scf.for %t = %c0 to %n step %c1 : i32 {
    chi.rt "chirt_tape_turn"() at "loop" : () -> ()
    chi.launch @k.t0(%x : !F) from (%c0 : i32) to (%n : i32)
  }
  return
}

chi.task @k.t0(%x: !F) over 0 (%i: i32) attributes {axes = ["i"], kernel = "k"} {
  %c1 = arith.constant 1 : i32
  chi.store %c1, %x[%i : i32] inbounds : i32, !F
  chi.next
}
