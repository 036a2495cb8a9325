// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Past the range, LLVM's own conversion is poison; a bounds check on it would
// prove nothing.
// CHECK-LABEL: llvm.func hidden @f
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat.i32.f32"
// CHECK: llvm.call_intrinsic "llvm.fptoui.sat.i64.f64"
// CHECK-NOT: llvm.fptosi
func.func @f(%x: f32, %y: f64) -> (i32, i64) {
  %a = arith.fptosi %x : f32 to i32
  %b = arith.fptoui %y : f64 to i64
  return %a, %b : i32, i64
}
