// RUN: chi-opt %s --chi-launch-facts --chi-find-races --split-input-file --verify-diagnostics

// All iterations store different values to one element.
func.func @one(%x: !chi.field<8xf32>, %y: !chi.field<f32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @one.t0(%x, %y : !chi.field<8xf32>, !chi.field<f32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @one.t0 (%x: !chi.field<8xf32>, %y: !chi.field<f32>) over 0 (%i: i32) attributes {axes = ["i"]} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  // expected-note@unknown {{`for … in serial(…):` runs the iterations one after the other}}
  // expected-error @+1 {{[E0410] iterations i = 0 and i = 1 of this parallel loop race: one writes `y`, the other writes it too}}
  chi.store %v, %y[] {field_name = "y"} : f32, !chi.field<f32>
  chi.next
}

// -----

// The same value from all is none: a constant, an argument, one of the row.
chi.task @same (%x: !chi.field<8x8xf32>, %y: !chi.field<8xf32>, %a: f32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  chi.store %one, %y[%c0 : i32] : f32, !chi.field<8xf32>
  chi.next
}
chi.task @same2 (%x: !chi.field<8x8xf32>, %y: !chi.field<8xf32>, %a: f32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %b = arith.addf %a, %a : f32
  chi.store %b, %y[%c0 : i32] : f32, !chi.field<8xf32>
  chi.next
}
chi.task @same3 (%x: !chi.field<8x8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i, %c0 : i32, i32] : !chi.field<8x8xf32> -> f32
  chi.store %a, %y[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// The same by the way that it is made.
chi.task @same4 (%x: !chi.field<8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32) {
  %c2 = arith.constant 2 : i32
  %k = chi.floordiv %i, %c2 : i32
  %f = arith.sitofp %k : i32 to f32
  %a = chi.load %x[%k : i32] : !chi.field<8xf32> -> f32
  %v = arith.mulf %a, %f : f32
  chi.store %v, %y[%k : i32] : f32, !chi.field<8xf32>
  chi.next
}

// -----

// Another value of each column.
chi.task @column (%x: !chi.field<8x8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %a = chi.load %x[%i, %j : i32, i32] : !chi.field<8x8xf32> -> f32
  // expected-error @+1 {{iterations (i, j) = (0, 0) and (i, j) = (0, 1) of this parallel loop race: one writes `y[0]`, the other writes it too}}
  chi.store %a, %y[%i : i32] {field_name = "y"} : f32, !chi.field<8xf32>
  chi.next
}

// -----

// A stencil in place.
chi.task @inplace (%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {axes = ["i"]} {
  %c1 = arith.constant 1 : i32
  %ip = arith.addi %i, %c1 : i32
  // expected-note @+1 {{the other access is here}}
  %a = chi.load %x[%ip : i32] {field_name = "x"} : !chi.field<?xf32> -> f32
  // expected-error @+1 {{iterations i = 1 and i = 0 of this parallel loop race: one writes `x[1]`, the other reads it}}
  chi.store %a, %x[%i : i32] {field_name = "x"} : f32, !chi.field<?xf32>
  chi.next
}

// -----

// Two fields are two things, and one's own element is one's own.
chi.task @apart (%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %ip = arith.addi %i, %c1 : i32
  %a = chi.load %x[%ip : i32] : !chi.field<?xf32> -> f32
  %b = chi.load %y[%i : i32] : !chi.field<?xf32> -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %y[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}

// -----

// An update beside a plain read.
chi.task @update (%x: !chi.field<64xf32>, %v: f32) over 0 (%i: i32) attributes {axes = ["i"]} {
  %c16 = arith.constant 16 : i32
  %c48 = arith.constant 48 : i32
  %j = arith.addi %i, %c16 : i32
  // expected-error @+1 {{one updates `x[16]`, the other reads it}}
  chi.accum add %v, %x[%j : i32] {field_name = "x"} : f32, !chi.field<64xf32>
  // expected-note @+1 {{the other access is here}}
  %a = chi.load %x[%i : i32] {field_name = "x"} : !chi.field<64xf32> -> f32
  chi.next
}

// -----

// Updates of two kinds; of one kind they are none.
chi.task @kinds (%s: !chi.field<f32>, %t: !chi.field<f32>, %x: !chi.field<8xf32>) over 2 (%i: i32) attributes {axes = ["i"]} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %v, %s[] {field_name = "s"} : f32, !chi.field<f32>
  chi.accum add %v, %s[] {field_name = "s"} : f32, !chi.field<f32>
  // expected-error @+1 {{one updates `t`, the other updates it by another operation}}
  chi.accum add %v, %t[] {field_name = "t"} : f32, !chi.field<f32>
  // expected-note @+1 {{the other access is here}}
  chi.accum mul %v, %t[] {field_name = "t"} : f32, !chi.field<f32>
  chi.next
}

// -----

// The same of atomic operations with results, as they are watched: sub goes
// with add, an atomic load with all of them.
chi.task @atomics (%s: !chi.field<i32>, %t: !chi.field<i32>, %u: !chi.field<i32>, %x: !chi.field<8xi32>) over 3 (%i: i32) attributes {axes = ["i"]} {
  %0 = chi.atomic add %i, %s[] {field_name = "s"} : i32, !chi.field<i32> -> i32
  %1 = chi.atomic sub %i, %s[] {field_name = "s"} : i32, !chi.field<i32> -> i32
  chi.accum add %i, %s[] {field_name = "s"} : i32, !chi.field<i32>
  %2 = chi.atomic load %i, %s[] {field_name = "s"} : i32, !chi.field<i32> -> i32
  // expected-error @+1 {{one updates `t`, the other updates it by another operation}}
  %3 = chi.atomic add %i, %t[] {field_name = "t"} : i32, !chi.field<i32> -> i32
  // expected-note @+1 {{the other access is here}}
  %4 = chi.atomic cas %i, %t[] expects(%i : i32) {field_name = "t"} : i32, !chi.field<i32> -> i32
  // expected-error @+1 {{one updates `u`, the other updates it by another operation}}
  chi.accum add %i, %u[] {field_name = "u"} : i32, !chi.field<i32>
  // expected-note @+1 {{the other access is here}}
  %5 = chi.atomic max %i, %u[] {field_name = "u"} : i32, !chi.field<i32> -> i32
  chi.next
}
