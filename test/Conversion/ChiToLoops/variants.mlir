// RUN: chi-opt %s --convert-chi-to-loops="recorded=true" | FileCheck %s

// The descriptor of an adjoint names the next adjoint, and that one says as bits which arguments it takes to have no derivative. Each has an entry.

// CHECK-DAG: @k.t0.task() {{.*}}chi.members = [{{.*}}, @k.t0.launch, @k.t0.adj.task, {{.*}}, unit, unit, unit, 0, unit]
// CHECK-DAG: @k.t0.adj.task() {{.*}}chi.members = [{{.*}}, @k.t0.adj.launch, unit, {{.*}}, unit, unit, @k.t0.adj.1.task, 0, unit]
// CHECK-DAG: @k.t0.adj.1.task() {{.*}}chi.members = [{{.*}}, @k.t0.adj.1.launch, unit, {{.*}}, unit, unit, unit, 3, unit]
!F = !chi.field<f64>
#facts = #chi.facts<inputs = [?, ?, ?], noalias = [], cells = []>
#all = #chi.facts<inputs = [?, ?, ?, ?, ?, ?], noalias = [], cells = []>
func.func @k(%x: !F, %y: !F, %s: !F) attributes {chi.control} {
  chi.launch @k.t0(%x, %y, %s : !F, !F, !F)
  return
}
chi.task @k.t0(%x: !F, %y: !F, %s: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<task = @k.t0.adj>, facts = #facts,
                effects = #chi.effects<reads = [0, 2], writes = [2], overwrites = []>} {
  %v = chi.load %x[] inbounds : !F -> f64
  chi.accum add %v, %s[] inbounds strategy(plain) : f64, !F
  chi.next
}
chi.task @k.t0.adj(%x: !F, %y: !F, %s: !F, %xb: !F, %yb: !F, %sb: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 3, variant = @k.t0.adj.1>, facts = #all,
                effects = #chi.effects<reads = [3, 5], writes = [3], overwrites = []>} {
  %v = chi.load %sb[] inbounds : !F -> f64
  chi.accum add %v, %xb[] inbounds strategy(plain) : f64, !F
  chi.next
}
chi.task @k.t0.adj.1(%x: !F, %y: !F, %s: !F, %xb: !F, %yb: !F, %sb: !F) ()
    attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 3, passive = [0, 1]>, facts = #all,
                effects = #chi.effects<reads = [], writes = [], overwrites = []>} {
  chi.next
}
