// RUN: chi-opt %s --split-input-file --convert-chi-to-loops="recorded=true" | FileCheck %s

// An adjoint that another unit has: the primal names its descriptor, which is declared, and nothing else is made of it.
// CHECK-LABEL: module
// CHECK-DAG: llvm.mlir.global external hidden constant @k.t0.adj.task()
// CHECK-DAG: llvm.mlir.global internal constant @k.t0.task() {{.*}}chi.members = [{{.*}}, @k.t0.launch, @k.t0.adj.task, unit,
// CHECK-NOT: @k.t0.adj.body
// CHECK-NOT: @k.t0.adj.launch
!F = !chi.field<f64>
#facts = #chi.facts<inputs = [?, ?], noalias = [], cells = []>
#all = #chi.facts<inputs = [?, ?, ?, ?], noalias = [], cells = []>
module {
  func.func @k(%x: !F, %s: !F) attributes {chi.control} {
    chi.launch @k.t0(%x, %s : !F, !F)
    return
  }
  chi.task @k.t0(%x: !F, %s: !F) ()
      attributes {kernel = "k", adjoint = #chi.adjoint<task = @k.t0.adj>, facts = #facts,
                  effects = #chi.effects<reads = [0, 1], writes = [1], overwrites = []>} {
    %v = chi.load %x[] inbounds : !F -> f64
    chi.accum add %v, %s[] inbounds strategy(plain) : f64, !F
    chi.next
  }
  chi.task @k.t0.adj(%x: !F, %s: !F, %xb: !F, %sb: !F) ()
      attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 2>, facts = #all, chi.extern,
                  effects = #chi.effects<reads = [2, 3], writes = [2], overwrites = []>} {
    chi.next
  }
}

// -----

// That unit: a descriptor for others, though nothing here launches or names the task.
// CHECK-LABEL: module
// CHECK-DAG: llvm.mlir.global external hidden constant @k.t0.adj.task() {{.*}}chi.members = [{{.*}}, @k.t0.adj.launch, unit,
// CHECK-DAG: func.func private @k.t0.adj.launch(
!F = !chi.field<f64>
#all = #chi.facts<inputs = [?, ?, ?, ?], noalias = [], cells = []>
module {
  chi.task @k.t0.adj(%x: !F, %s: !F, %xb: !F, %sb: !F) ()
      attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 2, shared = true>, facts = #all,
                  effects = #chi.effects<reads = [2, 3], writes = [2], overwrites = []>} {
    %v = chi.load %sb[] inbounds : !F -> f64
    chi.accum add %v, %xb[] inbounds strategy(plain) : f64, !F
    chi.next
  }
}
