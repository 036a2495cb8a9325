// RUN: chi-opt %s --chi-expand-math="library=%S/Inputs/library.mlir halves" | FileCheck %s
// RUN: chi-opt %s --chi-expand-math=library=%S/Inputs/library.mlir | FileCheck %s --check-prefix=WHOLE

// Strict tasks, host code and what has no second form keep the one function.
// CHECK-LABEL: chi.task @k.t0
// CHECK:         %[[T:.*]] = arith.negf
// CHECK:         chi.store %[[T]]
// WHOLE-LABEL: chi.task @k.t0
// WHOLE:         arith.mulf
// WHOLE-NOT:     arith.negf
chi.task @k.t0(%x: !chi.field<f32>, %a: f32) () attributes {kernel = "k"} {
  %t = math.tan %a : f32
  chi.store %t, %x[] : f32, !chi.field<f32>
  chi.next
}
// CHECK-LABEL: chi.task @k.t1
// CHECK-NOT:     arith.negf
// CHECK:         arith.mulf
chi.task @k.t1(%x: !chi.field<f32>, %a: f32) () attributes {kernel = "k", strict} {
  %t = math.tan %a : f32
  chi.store %t, %x[] : f32, !chi.field<f32>
  chi.next
}
// CHECK-LABEL: func.func @host
// CHECK:         arith.mulf
func.func @host(%a: f32) -> f32 attributes {chi.host} {
  %t = math.tan %a : f32
  return %t : f32
}
