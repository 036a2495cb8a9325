// RUN: chi-opt %s --chi-expand-math=library=%S/Inputs/library.mlir | FileCheck %s

// Bodies take the place of calls, half precision goes by f32, what the library
// lacks and what the hardware has stays.
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[H:.*]]: f16)
// CHECK:         %[[E:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK:         %[[M:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK:         %[[P:.*]] = arith.addf %[[M]], %{{.*}} : f32
// CHECK:         %[[W:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK:         %[[V:.*]] = arith.addf %[[W]]
// CHECK:         %[[N:.*]] = arith.truncf %[[V]] : f32 to f16
// CHECK:         arith.subf %[[X]], %[[Y]] : f32
// CHECK:         math.sin
// CHECK:         math.sqrt
// CHECK:         return %[[E]], %[[P]], %[[N]]
func.func @f(%x: f32, %y: f32, %h: f16) -> (f32, f32, f16, f32, f32, f32) attributes {chi.host} {
  %e = math.exp %x : f32
  %p = math.powf %x, %y : f32
  %n = math.exp %h : f16
  %d = chi.hypot %x, %y : f32
  %s = math.sin %x : f32
  %q = math.sqrt %x : f32
  return %e, %p, %n, %d, %s, %q : f32, f32, f16, f32, f32, f32
}
