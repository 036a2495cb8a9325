// Loops, kernels and exits that the verifier refuses.
// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @unknownKernel() {
  // expected-error @below {{refers to an unknown kernel: @gone}}
  chi.call @gone() : () -> ()
  return
}

// -----

chi.kernel @types(%a: i32) {
  // expected-error @below {{expected one type for each variable}}
  chi.parallel (%i, %j : i32) = (%a, %a) to (%a, %a) {
    chi.next
  }
  chi.return
}

// -----

chi.kernel @bound(%a: i32) {
  // expected-error @below {{expected one bound for each variable}}
  chi.parallel (%i, %j : i32, i32) = (%a) to (%a, %a) {
    chi.next
  }
  chi.return
}

// -----

chi.kernel @float(%x: !chi.field<8xf32>) {
  // expected-error @below {{has a variable of type 'f32'}}
  chi.parallel (%i : f32) over %x : !chi.field<8xf32> {
    chi.next
  }
  chi.return
}

// -----

chi.kernel @axes(%a: i32) {
  // expected-error @below {{names 2 axes, but has 1 variables}}
  chi.parallel (%i : i32) = (%a) to (%a) {
    chi.next
  } {axes = ["i", "j"]}
  chi.return
}

// -----

chi.kernel @both(%x: !chi.field<8xf32>, %a: i32) {
  // expected-error @below {{has both bounds and a field}}
  "chi.parallel"(%a, %a, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> ({
  ^bb0(%i: i32):
    "chi.next"() : () -> ()
  }) : (i32, i32, !chi.field<8xf32>) -> ()
  chi.return
}

// -----

chi.kernel @ends(%a: i32) {
  // expected-error @below {{needs two bounds for each of its 1 variables}}
  "chi.parallel"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%i: i32):
    "chi.next"() : () -> ()
  }) : (i32) -> ()
  chi.return
}

// -----

chi.kernel @boundTypes(%a: i32, %b: i64) {
  // expected-error @below {{has bounds of another type than variable 0}}
  "chi.parallel"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%i: i32):
    "chi.next"() : () -> ()
  }) : (i32, i64) -> ()
  chi.return
}

// -----

chi.kernel @stepType(%a: i32, %b: i64) {
  // expected-error @below {{has a step of another type than its variable}}
  "chi.parallel"(%a, %a, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: i32):
    "chi.next"() : () -> ()
  }) : (i32, i32, i64) -> ()
  chi.return
}

// -----

func.func @forVariables(%a: i32) {
  // expected-error @below {{has one variable, not 2}}
  "chi.for"(%a, %a, %a) ({
  ^bb0(%i: i32, %j: i32):
    "chi.next"() : () -> ()
  }) : (i32, i32, i32) -> ()
  return
}

// -----

// A chi.if does not stand between a loop and its exit; another
// operation does.
func.func @exits(%a: i32, %c: i1) {
  chi.for %i = %a to %a step %a : i32 {
    scf.if %c {
      // expected-error @below {{is not in a loop}}
      "chi.continue"() : () -> ()
    }
    chi.next
  }
  return
}

// -----

// expected-error @below {{is not in a function}}
chi.return

// -----

// A continue ends an iteration of a parallel loop, too, and inside of a chi.if.
chi.kernel @continues(%a: i32, %c: i1) {
  chi.parallel (%i : i32) = (%a) to (%a) {
    chi.if %c {
      chi.continue
    } else {
      chi.next
    }
    chi.next
  }
  chi.return
}
