// RUN: chi-opt %s --chi-expand-math="library=%S/Inputs/rare-library.mlir" | FileCheck %s

// The long side of a branch is a function of its own, made once for a module.
// CHECK-LABEL: func.func @two
// CHECK: scf.if
// CHECK-NEXT: %[[Y:.*]] = {{(func\.)?}}call @chi.rare.sin.f32(%arg0) : (f32) -> f32
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK-NEXT: } else {
// CHECK: scf.if
// CHECK-NEXT: {{.*}}call @chi.rare.sin.f32(
func.func @two(%x: f32) -> f32 {
  %0 = math.sin %x : f32
  %1 = math.sin %0 : f32
  return %1 : f32
}

// CHECK: func.func private @chi.rare.sin.f32(%{{.*}}: f32) -> f32
// CHECK-COUNT-15: arith.mulf
// CHECK: return
// CHECK-NOT: func.func
