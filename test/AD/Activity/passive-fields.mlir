// Fields that surely depend on no marked field have no adjoint: nothing is
// added to it, and values that only it would need are not computed.
// RUN: chi-opt %s --chi-differentiate | FileCheck %s

chi.global @x : !chi.field<8xf32>
chi.global @w : !chi.field<8xf32>
chi.global @y : !chi.field<8xf32>
chi.global @m : !chi.field<8xf32>
chi.global @L : !chi.field<f32>

func.func @chi.script() attributes {chi.host} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %flags = arith.constant 0 : i32
  %marked = chi.str "f32;grad"
  %plain = chi.str "f32"
  %x = chi.rt "chirt_field_new"(%marked, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %x, @x : !chi.field<8xf32>
  %w = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %w, @w : !chi.field<8xf32>
  %y = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %y, @y : !chi.field<8xf32>
  %m = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %m, @m : !chi.field<8xf32>
  %loss = chi.rt "chirt_field_new"(%plain, %zero, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<f32>
  chi.global_store %loss, @L : !chi.field<f32>
  %l = chi.global_load @L : !chi.field<f32>
  chi.rt "chirt_tape_begin"(%l, %flags) at "Tape" : (!chi.field<f32>, i32) -> ()
  func.call @inside() : () -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @inside() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %x = chi.global_load @x : !chi.field<8xf32>
  %w = chi.global_load @w : !chi.field<8xf32>
  %y = chi.global_load @y : !chi.field<8xf32>
  %m = chi.global_load @m : !chi.field<8xf32>
  chi.launch @step(%x, %w, %m, %y : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-LABEL: chi.task @step.adj(%arg0: !chi.field<8xf32>, %arg1: !chi.field<8xf32>, %arg2: !chi.field<8xf32>, %arg3: !chi.field<8xf32>, %arg4: !chi.field<8xf32>, %arg5: !chi.field<8xf32>, %arg6: !chi.field<8xf32>, %arg7: !chi.field<8xf32>)
// CHECK-NEXT:    arith.constant 0.0
// CHECK-NEXT:    %[[W:.*]] = chi.load %arg1[
// CHECK-NEXT:    %[[G:.*]] = chi.load %arg7[
// CHECK-NEXT:    chi.store %{{.*}}, %arg7[
// CHECK-NEXT:    %[[A:.*]] = arith.mulf %[[G]], %[[W]]
// CHECK-NEXT:    chi.accum add %[[A]], %arg4[
// CHECK-NEXT:    chi.next
chi.task @step(%x: !chi.field<8xf32>, %w: !chi.field<8xf32>, %m: !chi.field<8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %b = chi.load %w[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum mul %b, %m[%i : i32] : f32, !chi.field<8xf32>
  %c = arith.mulf %a, %b : f32
  chi.store %c, %y[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}
