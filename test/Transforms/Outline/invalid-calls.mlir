// Calls that cannot be inlined into a kernel.
// RUN: chi-opt %s --chi-inline --split-input-file --verify-diagnostics

// Two functions that call each other.
// expected-note @below {{`even` is defined here}}
func.func private @even(%n: i32) -> i32 {
  // expected-note @below {{it calls `odd` here}}
  %r = func.call @odd(%n) : (i32) -> i32
  return %r : i32
}
func.func private @odd(%n: i32) -> i32 {
  // expected-error @below {{[E0419] a kernel calls `even`, which calls itself: an array, or a field that is not passed on as it is, cannot lie on the stack of such calls; use a loop with an array as the stack}}
  %r = func.call @even(%n) : (i32) -> i32
  return %r : i32
}
chi.kernel @k(%n: i32) {
  // expected-note @below {{called here, by `k`}}
  %r = func.call @even(%n) : (i32) -> i32
  chi.return
}

// -----

// They may call each other if no kernel calls them.
func.func @even(%n: i32) -> i32 {
  %r = func.call @odd(%n) : (i32) -> i32
  return %r : i32
}
func.func @odd(%n: i32) -> i32 {
  %r = func.call @even(%n) : (i32) -> i32
  return %r : i32
}
chi.kernel @k(%n: i32) {
  chi.return
}

// -----

func.func private @f(%x: f32) -> f32 {
  cf.br ^end
^end:
  return %x : f32
}
chi.kernel @blocks(%x: f32) {
  // expected-error @below {{`f` cannot be inlined}}
  %r = func.call @f(%x) : (f32) -> f32
  chi.return
}

// -----

func.func private @f(f32) -> f32
chi.kernel @external(%x: f32) {
  // expected-error @below {{`f` cannot be inlined}}
  %r = func.call @f(%x) : (f32) -> f32
  chi.return
}

// -----

// A call that is kept for its adjoint: the function may not call itself either.
// expected-note @below {{`f` is defined here}}
func.func private @f(%x: f32) -> f32 {
  // expected-error @below {{[E0419] a kernel calls `f`, which calls itself: an array, or a field that is not passed on as it is, cannot lie on the stack of such calls; use a loop with an array as the stack}}
  %r = func.call @f(%x) : (f32) -> f32
  return %r : f32
}
func.func private @f_bar(%x: f32, %r: f32, %d: f32) -> f32 {
  return %d : f32
}
chi.kernel @kept(%x: f32) {
  // expected-note @below {{called here, by `kept`}}
  %r = func.call @f(%x) {custom_adjoint = @f_bar} : (f32) -> f32
  chi.return
}

// -----

// Nor may its adjoint.
func.func private @f(%x: f32) -> f32 {
  return %x : f32
}
// expected-note @below {{`f_bar` is defined here}}
func.func private @f_bar(%x: f32, %r: f32, %d: f32) -> f32 {
  // expected-error @below {{[E0419] a kernel calls `f_bar`, which calls itself: an array, or a field that is not passed on as it is, cannot lie on the stack of such calls; use a loop with an array as the stack}}
  %e = func.call @f_bar(%x, %r, %d) : (f32, f32, f32) -> f32
  return %e : f32
}
chi.kernel @adjoint(%x: f32) {
  // expected-note @below {{called here, by `adjoint`}}
  %r = func.call @f(%x) {custom_adjoint = @f_bar} : (f32) -> f32
  chi.return
}
