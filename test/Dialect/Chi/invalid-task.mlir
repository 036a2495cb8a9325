// RUN: chi-opt %s --split-input-file --verify-diagnostics

chi.kernel @breaks(%a: i32) {
  chi.parallel (%i : i32) = (%a) to (%a) {
    // expected-error @below {{is not in a sequential loop}}
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
  // expected-error @below {{has a step and several axes}}
  chi.parallel (%i, %j : i32, i32) = (%a, %a) to (%a, %a) step (%a, %a) {
    chi.next
  }
  chi.return
}

// -----

// expected-error @below {{runs over argument 1, which is not a field of rank 1}}
chi.task @t(%x: !chi.field<8xf32>, %a: f32) over 1 (%i: i32) {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32) {
  chi.next
}
func.func @launch(%n: i32) {
  // expected-error @below {{passes other arguments than @t captures}}
  chi.launch @t() from (%n : i32) to (%n : i32)
  return
}

// -----

chi.kernel @k(%a: i32) {
  chi.return
}
func.func @call(%x: f32) {
  // expected-error @below {{does not match @k}}
  chi.call @k(%x) : (f32) -> ()
  return
}

// -----

func.func @forBounds(%a: i32) {
  // expected-error @below {{has bounds of another type than its variable}}
  "chi.for"(%a, %a, %a) ({
  ^bb0(%i: i64):
    chi.next
  }) : (i32, i32, i32) -> ()
  return
}

// -----

func.func @whileCondition() {
  // expected-error @below {{must end its first region with chi.condition}}
  chi.while {
    chi.next
  } do {
    chi.next
  }
  return
}

// -----

chi.kernel @continues() {
  // expected-error @below {{is not in a loop}}
  chi.continue
}

// -----

// expected-error @below {{has `rows`, but no wide body}}
chi.task @noWide(%x: !chi.field<?x?xf32>) over 0 (%i: i32, %j: i32) attributes {rows = array<i64: 0, 2>} {
  chi.next
}

// -----

// expected-error @below {{has a wide body with other arguments}}
chi.task @innerRows(%x: !chi.field<?x?xf32>) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 1, 2>} {
  chi.next
} wide {
^bb0(%x: !chi.field<?x?xf32>, %i: i32, %j: i32):
  chi.next
}

// -----

// expected-error @below {{has `rows` that are not an axis and a number of at least two}}
chi.task @oneRow(%x: !chi.field<?x?xf32>) over 0 (%i: i32, %j: i32) attributes {lanes = 8 : i64, rows = array<i64: 0, 1>} {
  chi.next
} wide {
^bb0(%x: !chi.field<?x?xf32>, %i: i32, %j: i32):
  chi.next
}
