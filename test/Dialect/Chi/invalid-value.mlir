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

// -----

func.func @set(%x: i32) {
  %m = chi.local "m" : !chi.local<f32>
  // expected-error @below {{has 'i32', but the local holds 'f32'}}
  chi.set %x, %m : i32, !chi.local<f32>
  return
}

// -----

func.func @formatPart() {
  // expected-error @below {{has a part that is neither a text nor a value: 3 : i32}}
  %t = chi.format [3 : i32]
  return
}

// -----

func.func @formatCount(%i: i32) {
  // expected-error @below {{has parts for 0 values, but is given 1}}
  %t = chi.format ["x"] (%i : i32)
  return
}

// -----

func.func @numberOfStr(%i: i32) {
  // expected-error @below {{has the number of a str without `texts`}}
  chi.print [{shape = array<i64>, type = "str"}] (%i : i32)
  return
}

// -----

func.func @knownScratch() {
  // expected-error @below {{allocates growing memory of static extent}}
  %s = chi.scratch : !chi.local<4xf32>
  return
}

// -----

func.func @reserveArray(%n: i64) {
  %s = chi.local "" : !chi.local<4xf32>
  // expected-error @below {{reserves memory in a local that does not grow}}
  chi.reserve %s, %n : i64, !chi.local<4xf32>
  return
}

// -----

func.func @noteWithoutName() {
  // expected-error @below {{requires attribute 'what'}}
  "chi.note_kink"() : () -> ()
  return
}

// -----

func.func @stopInteger(%n: i32) {
  // expected-error @below {{operand #0 must be float or lanes of it}}
  %s = chi.stop_gradient %n : i32
  return
}
