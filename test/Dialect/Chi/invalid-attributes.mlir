// RUN: chi-opt %s --split-input-file --verify-diagnostics
// Attributes that passes write on operations are verified: those of chi's own
// operations by their verifiers, those on others by the dialect's.

func.func @unknown() {
  // expected-error @below {{`chi.fast` is not an attribute of the dialect}}
  %c = arith.constant {chi.fast} 1 : i32
  return
}

// -----

func.func @elsewhere() {
  // expected-error @below {{`chi.host` is not allowed here}}
  %c = arith.constant {chi.host} 1 : i32
  return
}

// -----

// expected-error @below {{`chi.unit` cannot be unit}}
func.func @unit() attributes {chi.unit} {
  return
}

// -----

// expected-error @below {{`chi.control` cannot be 1 : i32}}
func.func @form() attributes {chi.control = 1 : i32} {
  return
}

// -----

func.func @range(%i: i64) {
  // expected-error @below {{`chi.in_range` is not allowed here}}
  %x = arith.uitofp %i {chi.in_range} : i64 to f64
  return
}

// -----

func.func @oldWins(%x: f64, %y: f64) {
  // expected-error @below {{`chi.old_wins` is not allowed here}}
  %s = arith.addf %x, %y {chi.old_wins = true} : f64
  return
}

// -----

func.func @oldWinsForm(%x: f64, %y: f64) {
  // expected-error @below {{`chi.old_wins` cannot be unit}}
  %s = arith.maxnumf %x, %y {chi.old_wins} : f64
  return
}

// -----

chi.kernel @axes(%x: !chi.field<8x8xf32>) {
  // expected-error @below {{names 1 axes, but has 2 variables}}
  chi.parallel (%i, %j : i32, i32) over %x : !chi.field<8x8xf32> { chi.next } {axes = ["i"]}
  chi.return
}

// -----

func.func @unsignedAxes(%x: !chi.field<8xf32>, %i: i32) {
  // expected-error @below {{has unsigned axes past its 1}}
  %v = chi.load %x[%i : i32] {unsigned_axes = 2 : i64} : !chi.field<8xf32> -> f32
  return
}

// -----

func.func @unitAxis(%x: !chi.field<8x8xf32>, %i: i32, %j: vector<8xi32>) {
  // expected-error @below {{has unit axis 0, whose index has no lanes}}
  %v = chi.load %x[%i, %j : i32, vector<8xi32>] {unit_axis = 0 : i64} : !chi.field<8x8xf32> -> vector<8xf32>
  return
}

// -----

func.func @reversed(%x: !chi.field<8xf32>, %j: vector<8xi32>) {
  // expected-error @below {{is reversed, but has no unit axis}}
  %v = chi.load %x[%j : vector<8xi32>] {reversed} : !chi.field<8xf32> -> vector<8xf32>
  return
}

// -----

func.func @tree(%x: !chi.field<f32>, %v: f32) {
  // expected-error @below {{has a `reduction` that is not two numbers, or another strategy than `deterministic`}}
  chi.accum add %v, %x[] strategy(plain) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  return
}

// -----

func.func @casts(%x: vector<8xf32>) {
  // expected-error @below {{makes 0 lanes of 8}}
  %i = chi.to_int %x : vector<8xf32> -> i32
  return
}

// -----

chi.task @effects(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{unknown effect: `makes`}}
    attributes {effects = #chi.effects<makes = [0]>} {
  chi.next
}

// -----

// expected-error @below {{writes argument 1, which is not a field}}
chi.task @effectOnNumber(%x: !chi.field<8xf32>, %n: i32) over 0 (%i: i32)
    attributes {effects = #chi.effects<writes = [1]>} {
  chi.next
}

// -----

chi.task @overwrites(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{argument 0 is overwritten, but not written}}
    attributes {effects = #chi.effects<overwrites = [0]>} {
  chi.next
}

// -----

chi.task @order(%x: !chi.field<8xf32>, %y: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{the arguments of an effect are not in ascending order}}
    attributes {effects = #chi.effects<reads = [1, 0]>} {
  chi.next
}

// -----

chi.task @untold(%x: !chi.field<8xf32>) over 0 (%i: i32)
    attributes {effects = #chi.effects<reads = [0]>} {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<8xf32> -> f32
  // expected-error @below {{is not among the effects of its task}}
  chi.store %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// -----

func.func @iteration() attributes {chi.control} {
  // expected-error @below {{is not in a parallel loop}}
  %i = chi.iteration : i64
  return
}

// -----

func.func @part(%n: i32) attributes {chi.control} {
  // expected-error @below {{has only some of the operands of its number}}
  %r = "chi.random"(%n) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (i32) -> i64
  return
}
