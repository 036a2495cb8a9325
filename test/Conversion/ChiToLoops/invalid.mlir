// RUN: chi-opt %s --allow-unregistered-dialect --chi-schedule --convert-chi-to-loops --split-input-file --verify-diagnostics

// What the pass does not find a function or a form for, it names, at the place
// where it stands.

// A task is for arithmetic on scalars: fields, strs and calls of the run time
// belong to host and control functions.
chi.task @rt(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'chi.str' op has no lowering in a task}}
  %s = chi.str "name"
  chi.print [{shape = array<i64>, type = "str"}] (%s : !chi.str)
  chi.next
}

// -----

chi.global @g : f32
chi.task @global(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'chi.global_load' op has no lowering in a task}}
  %v = chi.global_load @g : f32
  chi.store %v, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// -----

chi.task @null(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'chi.null' op has no lowering in a task}}
  %f = chi.null : !chi.field<8xf32>
  chi.next
}

// -----

// Inside of a condition too.
chi.task @inside(%x: !chi.field<8xf32>, %c: i1, %a: i32) over 0 (%i: i32) {
  scf.if %c {
    // expected-error @below {{'chi.checked' op has no lowering in a task}}
    %s = chi.checked add %a, %a : i32
  }
  chi.next
}

// -----

// A local of a field is host code's.
chi.task @local(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'chi.local' op has no lowering in a task}}
  %s = chi.local "s" : !chi.local<!chi.field<?xf32>>
  chi.next
}

// -----

// An unknown operation may refer to values that the lowering erases.
chi.task @foreign(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'ask.it' op has no lowering in a task}}
  "ask.it"(%x) : (!chi.field<8xf32>) -> ()
  chi.next
}

// -----

// So may one that is known.
chi.task @chosen(%x: !chi.field<8xf32>, %y: !chi.field<8xf32>, %c: i1) over 0 (%i: i32) {
  // expected-error @below {{'arith.select' op has no lowering in a task}}
  %f = arith.select %c, %x, %y : !chi.field<8xf32>
  chi.next
}

// -----

// A draw without its number.
chi.task @draw(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  // expected-error @below {{'chi.random' op has no lowering in a task}}
  %r = chi.random
  chi.next
}

// -----

// Also in the body for lanes, and in a function of an overlap.
chi.task @wide(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {lanes = 8 : i64} {
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>, %i: i32):
  // expected-error @below {{'chi.null' op has no lowering in a task}}
  %f = chi.null : !chi.field<8xf32>
  chi.next
}

// -----

// Text is made for host code only; a task prints it at once.
chi.task @format(%x: !chi.field<8xf32>, %n: i32) over 0 (%i: i32) {
  // expected-error @below {{'chi.format' op has no lowering in a task}}
  %t = chi.format [{shape = array<i64>, type = "i32"}] (%n : i32)
  chi.next
}
