// RUN: chi-opt %s --chi-inline --verify-diagnostics

// expected-note @below {{`f` is defined here}}
func.func private @f(%x: f32) -> f32 {
  // expected-note @below {{it calls `g` here}}
  %y = func.call @g(%x) : (f32) -> f32
  return %y : f32
}
func.func private @g(%x: f32) -> f32 {
  // expected-error @below {{[E0419] a kernel calls `f`, which calls itself: an array, or a field that is not passed on as it is, cannot lie on the stack of such calls; use a loop with an array as the stack}}
  %y = func.call @f(%x) : (f32) -> f32
  return %y : f32
}
chi.kernel @k(%x: f32) {
  // expected-note @below {{called here, by `k`}}
  %y = func.call @f(%x) : (f32) -> f32
  chi.return
}
