// Adjoints of one task take what it does, and the same adjoints.
// RUN: chi-opt %s --split-input-file --verify-diagnostics --chi-verify-stage=after=chi-differentiate

// expected-error @below {{refers to an unknown variant of its adjoint after `chi-differentiate`}}
chi.task @lost.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @lost.t0.adj>} {
  chi.next
}
chi.task @lost.t0.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @lost.t0.adj.1>} {
  chi.next
}

// -----

// expected-error @below {{has an adjoint with a variant that does not match after `chi-differentiate`}}
chi.task @other.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @other.t0.adj>} {
  chi.next
}
chi.task @other.t0.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @other.t0.adj.1>} {
  chi.next
}
chi.task @other.t0.adj.1(%x: !chi.field<?xf32>, %g: !chi.field<?xf64>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, passive = [0]>} {
  chi.next
}

// -----

// For which launches?
// expected-error @below {{has an adjoint with a variant that does not match after `chi-differentiate`}}
chi.task @all.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @all.t0.adj>} {
  chi.next
}
chi.task @all.t0.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @all.t0.adj.1>} {
  chi.next
}
chi.task @all.t0.adj.1(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// What runs before it, and what that leaves, may be its own.
chi.task @fits.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @fits.t0.adj>} {
  chi.next
}
chi.task @fits.t0.adj(%x: !chi.field<?xf32>, %e: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @fits.t0.adj.1, workspace = [1, 0, 11, 0]>} {
  chi.next
}
chi.task @fits.t0.adj.1(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, passive = [0]>} {
  chi.next
}
