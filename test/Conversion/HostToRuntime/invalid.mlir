// RUN: chi-opt %s --convert-host-to-runtime --split-input-file --verify-diagnostics

// What is no host code any more at this point is named where it stands: the
// structured control of the first stage, and launches, which convert-chi-to-loops
// replaces.

func.func @if(%c: i1) attributes {chi.host} {
  // expected-error @below {{'chi.if' op has no lowering in host code}}
  chi.if %c {
    chi.next
  } else {
    chi.next
  }
  return
}

// -----

func.func @for(%n: i32) attributes {chi.host} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-error @below {{'chi.for' op has no lowering in host code}}
  chi.for %i = %z to %n step %one : i32 {
    chi.next
  }
  return
}

// -----

chi.task @k.t0() () {
  chi.next
}
func.func @k() attributes {chi.control} {
  // expected-error @below {{'chi.launch' op has no lowering in host code}}
  chi.launch @k.t0()
  return
}

// -----

// Atomics are for tasks; host code is one thread.
func.func @atomic(%f: !chi.field<8xi32>, %v: i32) -> i32 attributes {chi.host} {
  // expected-error @below {{'chi.atomic' op has no lowering in host code}}
  %r = chi.atomic add %v, %f[%v : i32] : i32, !chi.field<8xi32> -> i32
  return %r : i32
}
