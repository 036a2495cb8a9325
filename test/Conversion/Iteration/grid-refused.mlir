// Operations that have no lowering in an iteration: an earlier pass removes
// them.
// RUN: chi-opt %s --chi-test-lower-iteration --split-input-file --verify-diagnostics

// A draw that chi-number-random has not numbered.
chi.task @draw(%x: !chi.field<8xi64>) over 0 (%i: i32) {
  // expected-error @below {{has no lowering in a task}}
  %r = chi.random
  chi.store %r, %x[%i : i32] inbounds : i64, !chi.field<8xi64>
  chi.next
}

// -----

// A stop of gradients, which chi-drop-stop-gradients removes.
chi.task @stop(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<8xf32> -> f32
  // expected-error @below {{has no lowering in a task}}
  %b = chi.stop_gradient %a : f32
  chi.store %b, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// -----

// A global, which a task captures.
chi.global @n : i32
chi.task @global(%x: !chi.field<8xi32>) over 0 (%i: i32) {
  // expected-error @below {{has no lowering in a task}}
  %n = chi.global_load @n : i32
  chi.store %n, %x[%i : i32] inbounds : i32, !chi.field<8xi32>
  chi.next
}

// -----

// An iteration that does nothing, and one with what stays until later passes.
chi.task @empty() (%i: i32) {
  chi.next
}
chi.task @later(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<8xf32> -> f32
  chi.print [{shape = array<i64>, type = "f32"}] (%a : f32)
  %k = chi.to_int %a : f32 -> i32
  chi.next
}
