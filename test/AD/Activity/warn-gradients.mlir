// Which marked fields surely have no gradient: the tasks of tapes as edges.
// RUN: chi-opt %s --chi-warn-gradients --verify-diagnostics | FileCheck %s

// CHECK: chi.global @x
chi.global @x : !chi.field<8xf32>
chi.global @y : !chi.field<8xf32>
chi.global @n : !chi.field<8xf32>
chi.global @c : !chi.field<8xf32>
chi.global @L : !chi.field<f32>

func.func @chi.script() attributes {chi.host} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %flags = arith.constant 0 : i32
  %marked = chi.str "f32;grad"
  // It goes to the loss by way of y.
  %x = chi.rt "chirt_field_new"(%marked, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %x, @x : !chi.field<8xf32>
  %plain = chi.str "f32"
  %y = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %y, @y : !chi.field<8xf32>
  // A call with an adjoint takes it there.
  %c = chi.rt "chirt_field_new"(%marked, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %c, @c : !chi.field<8xf32>
  // Only its comparison does.
  // expected-warning @+1 {{[W1013] the loss depends on `n` only through integers and conditions: its gradient is zero}}
  %n = chi.rt "chirt_field_new"(%marked, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %n, @n : !chi.field<8xf32>
  // expected-warning @+1 {{[W1012] the gradient of this field is zero: no recorded loop leads from it to the loss}}
  %other = chi.rt "chirt_field_new"(%marked, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  %loss = chi.rt "chirt_field_new"(%plain, %zero, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<f32>
  chi.global_store %loss, @L : !chi.field<f32>
  func.call @outside(%other) : (!chi.field<8xf32>) -> ()
  %l = chi.global_load @L : !chi.field<f32>
  chi.rt "chirt_tape_begin"(%l, %flags) at "Tape" : (!chi.field<f32>, i32) -> ()
  func.call @inside() : () -> ()
  func.call @entry() {one_entry} : () -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @outside(%f: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %y = chi.global_load @y : !chi.field<8xf32>
  %n = chi.global_load @n : !chi.field<8xf32>
  chi.launch @step.t0(%f, %n, %y : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

func.func @entry() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c = chi.global_load @c : !chi.field<8xf32>
  %v = chi.load %c[%c0 : i32] : !chi.field<8xf32> -> f32
  func.call @deeper(%v) : (f32) -> ()
  return
}

func.func @deeper(%v: f32) attributes {chi.host} {
  %l = chi.global_load @L : !chi.field<f32>
  chi.accum add %v, %l[] : f32, !chi.field<f32>
  return
}

func.func @inside() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %x = chi.global_load @x : !chi.field<8xf32>
  %y = chi.global_load @y : !chi.field<8xf32>
  %n = chi.global_load @n : !chi.field<8xf32>
  %l = chi.global_load @L : !chi.field<f32>
  chi.launch @step.t1(%x, %n, %y : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum.t0(%y, %l : !chi.field<8xf32>, !chi.field<f32>) from (%c0 : i32) to (%c8 : i32)
  return
}

chi.task @step.t0(%x: !chi.field<8xf32>, %n: !chi.field<8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32) attributes {kernel = "step"} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.store %v, %y[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

chi.task @step.t1(%x: !chi.field<8xf32>, %n: !chi.field<8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32) attributes {kernel = "step"} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %w = chi.load %n[%i : i32] : !chi.field<8xf32> -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %w, %zero : f32
  %r = scf.if %c -> (f32) {
    scf.yield %v : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

chi.task @sum.t0(%y: !chi.field<8xf32>, %l: !chi.field<f32>) over 0 (%i: i32) attributes {kernel = "sum"} {
  %v = chi.load %y[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %v, %l[] : f32, !chi.field<f32>
  chi.next
}
