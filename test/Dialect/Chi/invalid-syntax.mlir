// Text that the dialect's operations and attributes do not begin or end like.
// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @word(%a: i32) {
  // expected-error @below {{expected 'to'}}
  chi.for %i = %a until %a step %a : i32 {
    chi.next
  }
  return
}

// -----

func.func @step(%a: i32) {
  // expected-error @below {{expected 'step'}}
  chi.for %i = %a to %a : i32 {
    chi.next
  }
  return
}

// -----

chi.kernel @bounds(%a: i32) {
  // expected-error @below {{expected '='}}
  chi.parallel (%i : i32) from (%a) to (%a) {
    chi.next
  }
  chi.return
}

// -----

// expected-note @below {{prior use here}}
chi.kernel @variable(%a: i32) {
  // expected-error @below {{use of value '%a' expects different type than prior uses}}
  chi.parallel (%i : i64) = (%a) to (%a) {
    chi.next
  }
  chi.return
}

// -----

// expected-error @below {{expected integer value}}
chi.task @over(%x: !chi.field<8xf32>) over %x (%i: i32) {
  chi.next
}

// -----

// expected-error @below {{expected '('}}
chi.task @axes(%x: !chi.field<8xf32>) over 0 {
  chi.next
}

// -----

func.func @kind(%x: !chi.field<8xf32>, %i: i32, %v: f32) {
  // expected-error @below {{expected ::chi::ir::AccumKind to be one of}}
  // expected-error @below {{failed to parse Chi_AccumKindAttr}}
  chi.accum average %v, %x[%i : i32] : f32, !chi.field<8xf32>
  return
}

// -----

func.func @atomic(%x: !chi.field<8xf32>, %i: i32, %v: f32) {
  // expected-error @below {{expected ::chi::ir::AtomicKind to be one of}}
  // expected-error @below {{failed to parse Chi_AtomicKindAttr}}
  %r = chi.atomic swap %v, %x[%i : i32] : f32, !chi.field<8xf32> -> f32
  return
}

// -----

func.func @overflow(%a: i32) {
  // expected-error @below {{expected ::chi::ir::OverflowKind to be one of}}
  // expected-error @below {{failed to parse Chi_OverflowKindAttr}}
  %r = chi.overflow div %a, %a : i32
  return
}

// -----

func.func @check(%c: i1) {
  // expected-error @below {{expected ::chi::ir::CheckKind to be one of}}
  // expected-error @below {{failed to parse Chi_CheckKindAttr}}
  chi.check maybe %c
  return
}

// -----

// expected-error @below {{expected '>'}}
module attributes {chi.device = #chi.device<64>} {}

// -----

// expected-error @below {{duplicate or unknown struct parameter name: cores}}
module attributes {chi.device = #chi.device<cores = 4>} {}

// -----

// expected-error @below {{expected '<'}}
func.func private @field(!chi.field)

// -----

// expected-error @below {{expected '='}}
func.func private @order(!chi.field<8x8xf32, order [1, 0]>)
