// What else no device can do, by what an operation takes; and what it can.
// RUN: chi-opt %s --convert-chi-to-gpu --split-input-file --verify-diagnostics

!F = !chi.field<8xf32>

// expected-error @below {{[E0900] on a device, a loop that uses a text is not supported yet}}
chi.task @text(%x: !F, %t: !chi.str) over 0 (%i: i32) {
  chi.print [{shape = array<i64>, type = "str"}] (%t : !chi.str)
  chi.next
}

// -----

!F = !chi.field<8xf32>

// A text that the loop makes itself.
chi.task @prints(%x: !F) over 0 (%i: i32) {
  %t = chi.str "here"
  // expected-error @below {{[E0900] on a device, printing anything but numbers is not supported yet}}
  chi.print [{shape = array<i64>, type = "str"}] (%t : !chi.str)
  chi.next
}

// -----

!F = !chi.field<8xf32>

// Its numbers it can print.
chi.task @numbers(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.print ["x = ", {shape = array<i64>, type = "f32"}] (%v : f32)
  chi.next
}

// -----

!F = !chi.field<8xf32>

// The remainders that chi-expand-math replaces.
chi.task @remainder(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @below {{[E0900] on a device, `%` of floats without Chi's elementary functions is not supported yet}}
  %w = arith.remf %v, %v : f32
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<8xf32>

chi.task @modulo(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @below {{[E0900] on a device, `%` of floats without Chi's elementary functions is not supported yet}}
  %w = chi.ffloormod %v, %v : f32
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<8xf32>

// A function that takes a field, and one that is only declared.
func.func private @takes(%x: !F) -> f32 {
  %one = arith.constant 1.0 : f32
  return %one : f32
}
chi.task @field(%x: !F) over 0 (%i: i32) {
  // expected-error @below {{the call of `takes`, which stays a call and may fail or call itself, is not supported yet}}
  %w = func.call @takes(%x) : (!F) -> f32
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<8xf32>

func.func private @elsewhere(f32) -> f32
chi.task @declared(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @below {{the call of `elsewhere`, which stays a call and may fail or call itself, is not supported yet}}
  %w = func.call @elsewhere(%v) : (f32) -> f32
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<8xf32>

// What a function may not do is what its loop may not: here a remainder.
func.func private @rest(%v: f32) -> f32 {
  %w = arith.remf %v, %v : f32
  return %w : f32
}
chi.task @within(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @below {{the call of `rest`, which stays a call and may fail or call itself, is not supported yet}}
  %w = func.call @rest(%v) : (f32) -> f32
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<8xf32>

// A function of numbers that cannot fail stays a call; the device's own function
// needs no body; and these operations every device has.
func.func private @plain(%v: f32) -> f32 {
  %w = func.call @inner(%v) : (f32) -> f32
  return %w : f32
}
func.func private @inner(%v: f32) -> f32 {
  %w = math.sqrt %v : f32
  return %w : f32
}
func.func private @chi.native.exp.f32(f32) -> f32
chi.task @allowed(%x: !F) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %a = func.call @plain(%v) : (f32) -> f32
  %b = func.call @chi.native.exp.f32(%a) : (f32) -> f32
  %c = math.absf %b : f32
  %d = math.floor %c : f32
  %e = math.fma %d, %c, %b : f32
  %f = math.rsqrt %e : f32
  %g = math.roundeven %f : f32
  chi.store %g, %x[%i : i32] inbounds : f32, !F
  chi.next
}
