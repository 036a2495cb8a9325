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
  // expected-error @below {{`cas`, and it alone, expects a value}}
  %o = chi.atomic cas %i, %x[%i : i32] : i32, !chi.field<8xi32> -> i32
  return
}

// -----

func.func @dim(%x: !chi.field<8xi32>) {
  // expected-error @below {{asks for axis 1 of a rank-1 field}}
  %d = chi.dim %x, 1 : !chi.field<8xi32> -> i32
  return
}

// -----

func.func @cast(%x: !chi.field<8xi32>) {
  // expected-error @below {{changes more than extents}}
  %d = chi.cast_field %x : !chi.field<8xi32> to !chi.field<8xi32, soa>
  return
}

// -----

// expected-error @below {{the order of a rank-2 field names each axis once}}
func.func @order(%x: !chi.field<8x8xi32, order = [0, 0]>) { return }

// -----

// expected-error @below {{the entries of a vec are scalars}}
func.func @vec(%x: !chi.field<8x!chi.vec<2x!chi.str>>) { return }

// -----

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

func.func @global() {
  // expected-error @below {{names no global: @x}}
  %x = chi.global_load @x : i32
  return
}

// -----

chi.global @x : f32
func.func @globalType() {
  // expected-error @below {{uses @x as 'i32', but it holds 'f32'}}
  %x = chi.global_load @x : i32
  return
}

// -----

chi.kernel @breaks(%a: i32) {
  chi.parallel (%i : i32) = (%a) to (%a) {
    // expected-error @below {{leaves no sequential loop}}
    chi.break
  }
  chi.return
}

// -----

chi.kernel @returns(%a: i32) {
  chi.parallel (%i : i32) = (%a) to (%a) {
    // expected-error @below {{leaves a parallel loop}}
    chi.return
  }
  chi.return
}

// -----

func.func @returnType(%a: i32) -> f32 {
  // expected-error @below {{returns other types than `returnType`}}
  chi.return %a : i32
}

// -----

chi.kernel @over(%x: !chi.field<8xf32>) {
  // expected-error @below {{has 2 variables over a rank-1 field}}
  chi.parallel (%i, %j : i32, i32) over %x : !chi.field<8xf32> {
    chi.next
  }
  chi.return
}

// -----

chi.kernel @step(%a: i32) {
  // expected-error @below {{has a step, which one axis alone may have}}
  chi.parallel (%i, %j : i32, i32) = (%a, %a) to (%a, %a) step (%a, %a) {
    chi.next
  }
  chi.return
}

// -----

// expected-error @below {{runs over argument 1, which is no field of rank 1}}
chi.task @t(%x: !chi.field<8xf32>, %a: f32) over 1 (%i: i32) {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32) {
  chi.next
}
func.func @launch(%n: i32) {
  // expected-error @below {{gives other arguments than @t captures}}
  chi.launch @t() from (%n : i32) to (%n : i32)
  return
}

// -----

chi.kernel @k(%a: i32) {
  chi.return
}
func.func @call(%x: f32) {
  // expected-error @below {{does not fit @k}}
  chi.call @k(%x) : (f32) -> ()
  return
}
