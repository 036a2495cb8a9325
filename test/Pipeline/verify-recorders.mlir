// A task that runs instead of another one under a tape fits it, and fits its adjoint.
// RUN: chi-opt %s --split-input-file --verify-diagnostics --chi-verify-stage=after=chi-differentiate

// expected-error @below {{refers to an unknown recorder after `chi-differentiate`}}
chi.task @lost.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @lost.t0.adj, recorder = @lost.t0.records>} {
  chi.next
}
chi.task @lost.t0.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// expected-error @below {{has a recorder with other arguments after `chi-differentiate`}}
chi.task @other.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @other.t0.adj, recorder = @other.t0.records>} {
  chi.next
}
chi.task @other.t0.records(%x: !chi.field<?xf64>, %r: !chi.field<?xi32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<workspace = [3, -1, 3, 1]>} {
  chi.next
}
chi.task @other.t0.adj(%x: !chi.field<?xf32>, %r: !chi.field<?xi32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, workspace = [3, -1, 3, 1]>} {
  chi.next
}

// -----

// The adjoint looks elsewhere for results.
// expected-error @below {{has a recorder with other arguments after `chi-differentiate`}}
chi.task @moved.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @moved.t0.adj, recorder = @moved.t0.records>} {
  chi.next
}
chi.task @moved.t0.records(%x: !chi.field<?xf32>, %r: !chi.field<?xi32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<workspace = [3, -1, 3, 1]>} {
  chi.next
}
chi.task @moved.t0.adj(%x: !chi.field<?xf32>, %r: !chi.field<?xi32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, workspace = [3, -1, 3, 2]>} {
  chi.next
}

// -----

chi.task @fits.t0(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @fits.t0.adj, recorder = @fits.t0.records>} {
  chi.next
}
chi.task @fits.t0.records(%x: !chi.field<?xf32>, %r: !chi.field<?xi32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<workspace = [3, -1, 3, 1]>} {
  chi.next
}
chi.task @fits.t0.adj(%x: !chi.field<?xf32>, %r: !chi.field<?xi32>, %g: !chi.field<?xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, workspace = [3, -1, 3, 1]>} {
  chi.next
}
