// By which ways a field reaches the loss: tasks, and what passes fields on.
// RUN: chi-opt %s --chi-warn-gradients --verify-diagnostics

!F = !chi.field<8xf32>
!L = !chi.field<f32>
chi.task @copy(%x: !F, %y: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] : !F -> f32
  chi.store %v, %y[%i : i32] : f32, !F
  chi.next
}
chi.task @sum(%y: !F, %l: !L) over 0 (%i: i32) {
  %v = chi.load %y[%i : i32] : !F -> f32
  chi.accum add %v, %l[] : f32, !L
  chi.next
}

// The way to the loss leads through another field.
func.func @case1(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  chi.launch @copy(%x, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// The last step is missing.
func.func @case2(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  // expected-warning @below {{[W1012] the gradient of this field is zero: no recorded loop leads from it to the loss}}
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  chi.launch @copy(%x, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// The first step is missing: the other field leads there.
func.func @case3(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  // expected-warning @below {{[W1012] the gradient of this field is zero: no recorded loop leads from it to the loss}}
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// It is written, not read.
func.func @case4(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  // expected-warning @below {{[W1012] the gradient of this field is zero: no recorded loop leads from it to the loss}}
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  chi.launch @copy(%y, %x : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// A select may take either field.
func.func @case5(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  %s = arith.select %c, %x, %z : !F
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// A branch gives one of two.
func.func @case6(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  %s = scf.if %c -> !F {
    scf.yield %x : !F
  } else {
    scf.yield %z : !F
  }
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// A loop carries it.
func.func @case7(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  %s = scf.for %k = %c0 to %c8 step %c8 iter_args(%t = %x) -> (!F) : i32 {
    scf.yield %t : !F
  }
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

// A local holds it.
func.func @case8(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  %m = chi.local "m" : !chi.local<!F>
  chi.set %x, %m : !F, !chi.local<!F>
  %s = chi.get %m : !chi.local<!F> -> !F
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

chi.global @g : !F
// A global holds it.
func.func @case9(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  chi.global_store %x, @g : !F
  %s = chi.global_load @g : !F
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @same(%f: !F) -> !F attributes {chi.host} {
  return %f : !F
}
// A function returns it.
func.func @case10(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  %s = func.call @same(%x) : (!F) -> !F
  chi.launch @copy(%s, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @to(%f: !F, %g: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @copy(%f, %g : !F, !F) from (%c0 : i32) to (%c8 : i32)
  return
}
// A function that is called twice is two: what one call passes on is not what the
// other one does.
func.func @case11(%y: !F, %z: !F, %l: !L, %c: i1, %c0: i32, %c8: i32, %one: i64) {
  %marked = chi.str "f32;grad"
  // expected-warning @below {{[W1012] the gradient of this field is zero: no recorded loop leads from it to the loss}}
  %x = chi.rt "chirt_field_new"(%marked, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.rt "chirt_tape_begin"(%l, %c0) at "Tape" : (!L, i32) -> ()
  func.call @to(%x, %z) : (!F, !F) -> ()
  %other = chi.null : !F
  func.call @to(%other, %y) : (!F, !F) -> ()
  chi.launch @sum(%y, %l : !F, !L) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
