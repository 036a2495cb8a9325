// RUN: chi-opt %s --split-input-file --verify-diagnostics
// What an `adjoint` attribute cannot say by itself, then what does not fit the
// task.

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{the primal has -2 values}}
    attributes {adjoint = #chi.adjoint<numPrimal = -2>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{a primal task has what only adjoints have}}
    attributes {adjoint = #chi.adjoint<task = @a, prologue = @b>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{only an adjoint task has variants, passive values and axes of its domain}}
    attributes {adjoint = #chi.adjoint<variant = @a>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{only an adjoint task has variants, passive values and axes of its domain}}
    attributes {adjoint = #chi.adjoint<passive = [0]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{only an adjoint task has variants, passive values and axes of its domain}}
    attributes {adjoint = #chi.adjoint<domainAxes = [0]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{a workspace of 24 bytes, where a field has 32}}
    attributes {adjoint = #chi.adjoint<numPrimal = 1, workspace = [0, 1, 2]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{the passive values are not in ascending order}}
    attributes {adjoint = #chi.adjoint<numPrimal = 3, passive = [1, 0]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{value 1 is passive, but is none of the first 64 of the primal}}
    attributes {adjoint = #chi.adjoint<numPrimal = 1, passive = [0, 1]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{value 64 is passive, but is none of the first 64 of the primal}}
    attributes {adjoint = #chi.adjoint<numPrimal = 65, passive = [64]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{axis 1 is axis -2 of the domain}}
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, -2]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) (%i: i32)
    // expected-error @below {{two axes are axis 0 of the domain}}
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, -1, -1, 0]>} {
  chi.next
}

// -----

// expected-error @below {{has a recorder or a fused adjoint, but no adjoint}}
chi.task @recorded(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<recorder = @recorded.records>} {
  chi.next
}

// -----

// expected-error @below {{has a recorder or a fused adjoint, but no adjoint}}
chi.task @fused(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<fused = @fused.both>} {
  chi.next
}

// -----

// expected-error @below {{captures 1 values, but 2 of its primal}}
chi.task @few.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>} {
  chi.next
}

// -----

// expected-error @below {{maps 2 axes to those of its domain, but has rank 1}}
chi.task @axes.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, 1]>} {
  chi.next
}

// -----

func.func @last(%x: !chi.field<8xf32>, %n: i32) attributes {chi.control} {
  // expected-error @below {{is the last one of its kernel, but @last.t0 has no fused adjoint}}
  chi.launch @last.t0(%x : !chi.field<8xf32>) from (%n : i32) to (%n : i32) {last}
  return
}
chi.task @last.t0(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @last.t0.adj>} {
  chi.next
}

// -----

// expected-error @below {{has bounds for 2 axes, but 1 of its own}}
chi.task @bounds.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [-1]>, chi.axis_bounds = [[], [], [], []]} {
  chi.next
}

// -----

// expected-error @below {{has bounds for 1 axes, but 0 of its own}}
chi.task @bounds.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, chi.axis_bounds = [[], []]} {
  chi.next
}

// -----

// expected-error @below {{has a bound that is no sum: 3 : i64}}
chi.task @bounds.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [-1]>, chi.axis_bounds = [[], 3]} {
  chi.next
}

// -----

// expected-error @below {{has a bound that is no sum: #chi.known<0 to 4>}}
chi.task @bounds.adj(%x: !chi.field<8xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [-1]>, chi.axis_bounds = [[], [#chi.known<0 to 4>]]} {
  chi.next
}

// -----

// expected-error @below {{compares the end of axis 0 with argument 0, which has no such extent}}
chi.task @bounds.adj(%x: !chi.field<?xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [-1]>, chi.axis_bounds = [[], [#chi.known<= dim(0, 1)>]]} {
  chi.next
}
