// Adjoints, and those that are fused with their primal: what they take, and over
// which axes they run.
// RUN: chi-opt %s --split-input-file --verify-diagnostics --chi-verify-stage=after=chi-differentiate

// An adjoint that is not there.
// expected-error @below {{refers to an unknown adjoint after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}

// -----

// It takes what the primal does, first.
// expected-error @below {{has an adjoint with other arguments after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf64>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// It takes more, or the same; not less.
// expected-error @below {{has an adjoint with other arguments after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>, %n: i32) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// It says how many of its arguments are the primal's.
// expected-error @below {{has an adjoint with other arguments after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>, %n: i32) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %n: i32, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// Its domain is the primal's.
// expected-error @below {{has an adjoint with other arguments after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// Or axes of it: an adjoint may go over the others by itself.
chi.task @t(%x: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) (%j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [1]>} {
  chi.next
}

// -----

// More axes than the domain has are none of it.
// expected-error @below {{has an adjoint with other arguments after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, -1]>} {
  chi.next
}

// -----

// A fused adjoint that is not there.
// expected-error @below {{refers to an unknown fused adjoint after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj, fused = @t.adj.both>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// It takes the arguments of the adjoint.
// expected-error @below {{has a fused adjoint that does not match after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj, fused = @t.adj.both>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}
chi.task @t.adj.both(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// Nothing may run between the primal and the adjoint.
// expected-error @below {{has a fused adjoint that does not match after `chi-differentiate`}}
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj, fused = @t.adj.both>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @t.totals>} {
  chi.next
}
chi.task @t.adj.both(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}
chi.task @t.totals(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}

// -----

// One that matches.
chi.task @t(%x: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @t.adj, fused = @t.adj.both>} {
  chi.next
}
chi.task @t.adj(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}
chi.task @t.adj.both(%x: !chi.field<?xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  chi.next
}
