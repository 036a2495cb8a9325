// RUN: chi-opt %s --chi-inline --verify-diagnostics

// expected-error @below {{`f` calls itself, which is not allowed in kernels}}
func.func private @f(%x: f32) -> f32 {
  %y = func.call @f(%x) : (f32) -> f32
  return %y : f32
}
chi.kernel @k(%x: f32) {
  %y = func.call @f(%x) : (f32) -> f32
  chi.return
}
