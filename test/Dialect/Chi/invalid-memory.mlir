// Accesses, locals, casts and texts that the verifier refuses.
// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @scratch() {
  // expected-error @below {{allocates growing memory of static extent: '!chi.local<4xf32>'}}
  %m = chi.scratch : !chi.local<4xf32>
  return
}

// -----

func.func @reserve(%n: i64) {
  %m = chi.local "m" : !chi.local<4xf32>
  // expected-error @below {{reserves memory in a local that does not grow: '!chi.local<4xf32>'}}
  chi.reserve %m, %n : i64, !chi.local<4xf32>
  return
}

// -----

func.func @set(%v: f64) {
  %m = chi.local "m" : !chi.local<f32>
  // expected-error @below {{has 'f64', but the local holds 'f32'}}
  chi.set %v, %m : f64, !chi.local<f32>
  return
}

// -----

func.func @strategy(%x: !chi.field<8xf32>, %i: i32, %v: f32) {
  // expected-error @below {{unknown strategy of an accumulation: `wild`}}
  chi.accum add %v, %x[%i : i32] strategy(wild) : f32, !chi.field<8xf32>
  return
}

// -----

func.func @kind(%x: !chi.field<8xf32>, %i: i32, %v: f32) {
  // expected-error @below {{`xor` is for integers}}
  chi.accum xor %v, %x[%i : i32] : f32, !chi.field<8xf32>
  return
}

// -----

func.func @lanes(%c: i1) {
  // expected-error @below {{expected at least one lane}}
  chi.check assert %c lanes(0)
  return
}

// -----

func.func @packed(%x: !chi.field<8xf32>, %i: i32) {
  // expected-error @below {{is packed, but does not load lanes in a counted loop}}
  %a = chi.load %x[%i : i32] {packed = 2 : i64} : !chi.field<8xf32> -> f32
  return
}

// -----

func.func @atomicValue(%x: !chi.field<8xf32>, %i: i32, %v: i32) {
  // expected-error @below {{updates with 'i32', but the field holds 'f32'}}
  %a = chi.atomic add %v, %x[%i : i32] : i32, !chi.field<8xf32> -> i32
  return
}

// -----

func.func @castRank(%x: !chi.field<8xf32>) {
  // expected-error @below {{changes more than extents: '!chi.field<8xf32>' to '!chi.field<?x?xf32>'}}
  %y = chi.cast_field %x : !chi.field<8xf32> to !chi.field<?x?xf32>
  return
}

// -----

func.func @castElement(%x: !chi.field<8xf32>) {
  // expected-error @below {{changes more than extents}}
  %y = chi.cast_field %x : !chi.field<8xf32> to !chi.field<8xf64>
  return
}

// -----

func.func @castLayout(%x: !chi.field<8x!chi.vec<2xf32>>) {
  // expected-error @below {{changes more than extents}}
  %y = chi.cast_field %x : !chi.field<8x!chi.vec<2xf32>> to !chi.field<8x!chi.vec<2xf32>, soa>
  return
}

// -----

func.func @castOrder(%x: !chi.field<8x8xf32>) {
  // expected-error @below {{changes more than extents}}
  %y = chi.cast_field %x : !chi.field<8x8xf32> to !chi.field<8x8xf32, order = [1, 0]>
  return
}

// -----

chi.global @n : i32
// expected-error @below {{has only one of two bounds}}
"chi.param"() <{name = "n", type = "i32", variables = [@n], low = 1.0 : f64, default_text = "8"}> : () -> ()

// -----

func.func @part(%i: i32) {
  // expected-error @below {{has a part that is neither a text nor a value: 7 : i64}}
  chi.print [7 : i64] (%i : i32)
  return
}

// -----

func.func @shape(%i: i32) {
  // expected-error @below {{has a value without `type` or `shape`}}
  chi.print [{type = "i32"}] (%i : i32)
  return
}

// -----

func.func @texts(%i: i32) {
  // expected-error @below {{has the number of a str without `texts`}}
  chi.print [{shape = array<i64>, type = "str"}] (%i : i32)
  return
}
