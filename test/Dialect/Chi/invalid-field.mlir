// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @rank(%x: !chi.field<8xf32>) {
  // expected-error @below {{indexes a rank-1 field with 0 indices}}
  %y = chi.load %x[] : !chi.field<8xf32> -> f32
  return
}

// -----

func.func @component(%x: !chi.field<8x!chi.vec<2xf32>>, %i: i32) {
  // expected-error @below {{names component 2 of an element of 2}}
  %y = chi.load %x[%i : i32] component 2 : !chi.field<8x!chi.vec<2xf32>> -> f32
  return
}

// -----

func.func @scalar(%x: !chi.field<8xf32>, %i: i32) {
  // expected-error @below {{stores 'i32', but the field holds 'f32'}}
  chi.store %i, %x[%i : i32] : i32, !chi.field<8xf32>
  return
}

// -----

func.func @floatAnd(%x: !chi.field<8xf32>, %i: i32, %v: f32) {
  // expected-error @below {{`and` is for integers}}
  chi.accum and %v, %x[%i : i32] : f32, !chi.field<8xf32>
  return
}

// -----

func.func @cas(%x: !chi.field<8xi32>, %i: i32) {
  // expected-error @below {{requires an expected value for `cas`, and for no other kind}}
  %o = chi.atomic cas %i, %x[%i : i32] : i32, !chi.field<8xi32> -> i32
  return
}

// -----

func.func @dim(%x: !chi.field<8xi32>) {
  // expected-error @below {{queries axis 1 of a rank-1 field}}
  %d = chi.dim %x, 1 : !chi.field<8xi32> -> i32
  return
}

// -----

// expected-error @below {{the order of a rank-2 field names each axis once}}
func.func @order(%x: !chi.field<8x8xi32, order = [0, 0]>) { return }

// -----

// expected-error @below {{the entries of a vec are scalars}}
func.func @vec(%x: !chi.field<8x!chi.vec<2x!chi.str>>) { return }

// -----

// expected-error @below {{a field of unknown order is neither soa nor aos}}
func.func @order(%x: !chi.field<8x!chi.vec<2xf32>, soa, order = ?>) {
  return
}
