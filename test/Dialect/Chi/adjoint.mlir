// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// The roles of tasks in differentiation. Defaults are not printed.

!X = !chi.field<?xf32>
!W = !chi.field<?xi32>

// CHECK-LABEL: func.func @k
// CHECK:         chi.launch @t({{.*}}) {last}
// CHECK:         chi.launch @t({{.*}} : i32){{$}}
func.func @k(%x: !X, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @t(%x : !X) from (%c0 : i32) to (%n : i32) {last}
  chi.launch @t(%x : !X) from (%c0 : i32) to (%n : i32)
  return
}

// A primal.
// CHECK-LABEL: chi.task @t(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<task = @t.adj, fused = @t.both>}
chi.task @t(%x: !X) (%i: i32)
    attributes {adjoint = #chi.adjoint<fused = @t.both, task = @t.adj, shared = false>} {
  chi.next
}

// CHECK-LABEL: chi.task @u(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<task = @u.adj, recorder = @u.records>}
chi.task @u(%x: !X) (%i: i32)
    attributes {adjoint = #chi.adjoint<task = @u.adj, recorder = @u.records>} {
  chi.next
}

// CHECK-LABEL: chi.task @u.records(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<prologue = @u.counts, workspace = [3, -1, 3, 1], shared = true>}
chi.task @u.records(%x: !X, %w: !W) (%i: i32)
    attributes {adjoint = #chi.adjoint<prologue = @u.counts, workspace = [3, -1, 3, 1], shared = true>} {
  chi.next
}

// An adjoint of no values of the primal is one, too.
// CHECK-LABEL: chi.task @none.adj(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<numPrimal = 0>}
chi.task @none.adj() () attributes {adjoint = #chi.adjoint<numPrimal = 0>} {
  chi.next
}

// CHECK-LABEL: chi.task @t.adj(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @t.adj.1, domainAxes = [1, -1]>}
chi.task @t.adj(%x: !X, %g: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, variant = @t.adj.1, domainAxes = [1, -1]>} {
  chi.next
}

// CHECK-LABEL: chi.task @t.adj.1(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<numPrimal = 2, passive = [0, 1]>}
chi.task @t.adj.1(%x: !X, %y: !X, %g: !X) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2, passive = [0, 1]>} {
  chi.next
}

// What says nothing is kept as it is written.
// CHECK-LABEL: chi.task @plain(
// CHECK-SAME:    attributes {adjoint = #chi.adjoint<>}
chi.task @plain(%x: !X) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = -1>} {
  chi.next
}

// An axis that only launches know the ends of: it begins at the greater one of two numbers and ends at the least one of two.
// CHECK-LABEL: chi.task @bounded.adj(
// CHECK-SAME:    chi.axis_bounds = {{\[}}[#chi.known<= 0>, #chi.known<= -3 + dim(0, 0)>], [#chi.known<= dim(0, 0)>, #chi.known<= 8 + arg(1)>]]
chi.task @bounded.adj(%x: !X, %n: i32) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2, domainAxes = [-1]>,
                chi.axis_bounds = [[#chi.known<= 0>, #chi.known<= -3 + dim(0, 0)>], [#chi.known<= dim(0, 0)>, #chi.known<= 8 + arg(1)>]]} {
  chi.next
}
