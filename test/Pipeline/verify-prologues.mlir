// Tasks that run before an adjoint: what they take, and over which axes they run.
// RUN: chi-opt %s --split-input-file --verify-diagnostics --chi-verify-stage=after=chi-differentiate

// A prior task that is not there.
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
// expected-error @below {{refers to an unknown prior task after `chi-differentiate`}}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.totals>} {
  chi.next
}

// -----

// A prior task that takes what the adjoint does not.
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
// expected-error @below {{runs after a task with other arguments after `chi-differentiate`}}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.totals>} {
  chi.next
}
chi.task @t.totals(%x: !chi.field<?xf32>, %w: !chi.field<?xi64>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// One of another primal.
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
// expected-error @below {{runs after a task with other arguments after `chi-differentiate`}}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.totals>} {
  chi.next
}
chi.task @t.totals(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>} {
  chi.next
}

// -----

// One of fewer axes, which does not say of which.
chi.task @t(%x: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
// expected-error @below {{runs after a task with other arguments after `chi-differentiate`}}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.totals>} {
  chi.next
}
chi.task @t.totals(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// A prior task may have its own axes, and take fewer arguments.
chi.task @t(%x: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.sum0>} {
  chi.next
}
chi.task @t.sum0(%x: !chi.field<?xf32>) (%k: i64)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [-1]>} {
  chi.next
}
