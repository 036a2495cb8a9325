// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Past the range, LLVM's own conversion is poison; a bounds check on it would
// prove nothing. So what it gives there is replaced.
// CHECK-LABEL: llvm.func hidden @f
// CHECK-SAME:    (%[[X:.*]]: f32, %[[Y:.*]]: f64)
// CHECK:         %[[ANY:.*]] = llvm.fptosi %[[X]] : f32 to i32
// CHECK:         %[[SOME:.*]] = llvm.freeze %[[ANY]]
// CHECK:         %[[HIGH:.*]] = llvm.mlir.constant(2.14748365E+9 : f32)
// CHECK:         %[[ABOVE:.*]] = llvm.fcmp "oge" %[[X]], %[[HIGH]]
// CHECK:         %[[MOST:.*]] = llvm.mlir.constant(2147483647 : i32)
// CHECK:         %[[A:.*]] = llvm.select %[[ABOVE]], %[[MOST]], %[[SOME]]
// CHECK:         %[[LOW:.*]] = llvm.mlir.constant(-2.14748365E+9 : f32)
// CHECK:         %[[BELOW:.*]] = llvm.fcmp "ole" %[[X]], %[[LOW]]
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(-2147483648 : i32)
// CHECK:         %[[B:.*]] = llvm.select %[[BELOW]], %[[LEAST]], %[[A]]
// CHECK:         %[[NAN:.*]] = llvm.fcmp "uno" %[[X]]
// CHECK:         llvm.select %[[NAN]], %{{.*}}, %[[B]]
// CHECK:         llvm.fptoui %[[Y]] : f64 to i64
// CHECK-NEXT:    llvm.freeze
func.func @f(%x: f32, %y: f64) -> (i32, i64) {
  %a = chi.to_int %x : f32 -> i32
  %b = chi.to_int %y unsigned : f64 -> i64
  return %a, %b : i32, i64
}

// f64 has numbers between -2^31 and the first one that is too small.
// CHECK-LABEL: llvm.func hidden @between
// CHECK:         %[[LOW:.*]] = llvm.mlir.constant(0xC1E0000000200000 : f64)
// CHECK:         llvm.fcmp "ole" %{{.*}}, %[[LOW]]
func.func @between(%y: f64) -> i32 {
  %a = chi.to_int %y : f64 -> i32
  return %a : i32
}

// Narrow integers come through 32 bits.
// CHECK-LABEL: llvm.func hidden @narrow
// CHECK:         llvm.fptosi %{{.*}} : f32 to i32
// CHECK:         %[[L:.*]] = llvm.intr.smax
// CHECK:         %[[H:.*]] = llvm.intr.smin(%[[L]]
// CHECK:         llvm.trunc %[[H]] : i32 to i8
func.func @narrow(%x: f16) -> i8 {
  %a = chi.to_int %x unsigned : f16 -> i8
  return %a : i8
}
