// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @get(%i: i32) {
  %m = chi.local "m" : !chi.local<4x8xf32>
  // expected-error @below {{indexes a rank-2 local with 1 indices}}
  %b = chi.get %m[%i : i32] : !chi.local<4x8xf32> -> f32
  return
}

// -----

func.func @print(%i: i32) {
  // expected-error @below {{has parts for 1 values, but is given 0}}
  chi.print [{shape = array<i64>, type = "i32"}]
  return
}
