// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// After a launch: a test whether an iteration has failed, where one can, and
// the values that messages need. A direct launch has no other dependences.
!F = !chi.field<8xi32>
// CHECK-DAG: llvm.mlir.global external @chirt_failed() {{.*}} : i32
// CHECK-DAG: llvm.func @chirt_check_launch()
chi.task @step.t0(%x: !F) over 0 (%i: i32) attributes {kernel = "step", axes = ["i"]} {
  %ok = arith.cmpi slt, %i, %i : i32
  chi.check assert %ok {what = "i < i"}
  chi.next
}
chi.task @plain.t0(%x: !F) over 0 (%i: i32) attributes {axes = ["i"]} {
  chi.store %i, %x[%i : i32] inbounds : i32, !F
  chi.next
}

// CHECK-LABEL: func.func @step(
// CHECK:         call @step.t0.body(
// CHECK:         %[[BAD:.*]] = llvm.mlir.addressof @chirt_failed
// CHECK:         %[[COUNT:.*]] = llvm.load %[[BAD]] : !llvm.ptr -> i32
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[COUNT]], %c0_i32 : i32
// CHECK:         scf.if %[[ANY]] {
// A range with a step is reported first: the message names its values.
// CHECK-NOT:       scf.if
// CHECK:           llvm.call @chirt_loop_values(%c10_i64, %c-2_i64)
// CHECK-NEXT:      llvm.call @chirt_check_launch()
// CHECK-NEXT:    }
func.func @step(%x: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %first = arith.constant 10 : i32
  %step = arith.constant -2 : i32
  chi.launch @step.t0(%x : !F) from (%c0 : i32) to (%c8 : i32) values (%first, %step : i32, i32) loc("s.chi":12:5)
  return
}

// Nothing can fail: nothing is asked.
// CHECK-LABEL: func.func @plain(
// CHECK:         call @plain.t0.body(
// CHECK-NOT:     chirt_failed
// CHECK-NOT:     chirt_loop_values
// CHECK:         return
func.func @plain(%x: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @plain.t0(%x : !F) from (%c0 : i32) to (%c8 : i32) values (%c8, %c0 : i32, i32) loc(unknown)
  return
}

// A call may hold a check; those of rare sides of the library hold none.
func.func private @callee(%i: i32)
func.func private @chi.cold.sin.f32(%x: f32) -> f32
chi.task @calls.t0(%x: !F) over 0 (%i: i32) attributes {kernel = "calls", axes = ["i"]} {
  func.call @callee(%i) : (i32) -> ()
  chi.next
}
chi.task @rare.t0(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {kernel = "rare", axes = ["i"]} {
  %a = arith.constant 1.0 : f32
  %b = func.call @chi.cold.sin.f32(%a) : (f32) -> f32
  chi.store %b, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
// CHECK-LABEL: func.func @both(
// CHECK:         call @rare.t0.body(
// CHECK-NOT:     chirt_failed
// CHECK:         call @calls.t0.body(
// CHECK:         llvm.mlir.addressof @chirt_failed
// CHECK:         llvm.call @chirt_check_launch()
func.func @both(%x: !F, %y: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @rare.t0(%y : !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @calls.t0(%x : !F) from (%c0 : i32) to (%c8 : i32)
  return
}
