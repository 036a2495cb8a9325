// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// A conversion to an integer gives the nearest one there is: the bounds are the
// first floats that are too large or too small, whose neighbours inside are
// converted as they are. The machine's own result is frozen first, so that
// nothing is concluded from it.

// Unsigned, 32 bits of f64: from 2^32 on the largest, from -1 down 0.
// CHECK-LABEL: llvm.func hidden @u32_of_f64(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f64)
// CHECK:         %[[RAW:.*]] = llvm.fptoui %[[X]] : f64 to i32
// CHECK-NEXT:    %[[SOME:.*]] = llvm.freeze %[[RAW]] : i32
// CHECK:         %[[HIGH:.*]] = llvm.mlir.constant(0x41F0000000000000 : f64)
// CHECK:         %[[ABOVE:.*]] = llvm.fcmp "oge" %[[X]], %[[HIGH]] : f64
// CHECK:         %[[MOST:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK:         %[[A:.*]] = llvm.select %[[ABOVE]], %[[MOST]], %[[SOME]]
// CHECK:         %[[LOW:.*]] = llvm.mlir.constant(-1.000000e+00 : f64)
// CHECK:         %[[BELOW:.*]] = llvm.fcmp "ole" %[[X]], %[[LOW]] : f64
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(0 : i32)
// CHECK:         %[[B:.*]] = llvm.select %[[BELOW]], %[[LEAST]], %[[A]]
// NaN last, whatever else: 0.
// CHECK:         %[[NAN:.*]] = llvm.fcmp "uno" %[[X]], %{{.*}} : f64
// CHECK:         %[[R:.*]] = llvm.select %[[NAN]], %{{.*}}, %[[B]] : i1, i32
// CHECK:         llvm.return %[[R]]
func.func @u32_of_f64(%x: f64) -> i32 {
  %r = chi.to_int %x unsigned : f64 -> i32
  return %r : i32
}

// Signed, 64 bits of f32: 2^63 is a float, and so is -2^63, the result anyway.
// CHECK-LABEL: llvm.func hidden @i64_of_f32(
// CHECK:         llvm.fptosi %[[X:.*]] : f32 to i64
// CHECK:         %[[HIGH:.*]] = llvm.mlir.constant(9.22337203E+18 : f32)
// CHECK:         %[[ABOVE:.*]] = llvm.fcmp "oge" %[[X]], %[[HIGH]]
// CHECK:         %[[MOST:.*]] = llvm.mlir.constant(9223372036854775807 : i64)
// CHECK:         llvm.select %[[ABOVE]], %[[MOST]], %{{.*}} : i1, i64
// CHECK:         %[[LOW:.*]] = llvm.mlir.constant(-9.22337203E+18 : f32)
// CHECK:         %[[BELOW:.*]] = llvm.fcmp "ole" %[[X]], %[[LOW]]
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(-9223372036854775808 : i64)
// CHECK:         llvm.select %[[BELOW]], %[[LEAST]], %{{.*}} : i1, i64
func.func @i64_of_f32(%x: f32) -> i64 {
  %r = chi.to_int %x : f32 -> i64
  return %r : i64
}

// Unsigned, 64 bits of f64: 2^64.
// CHECK-LABEL: llvm.func hidden @u64_of_f64(
// CHECK:         llvm.fptoui %{{.*}} : f64 to i64
// CHECK:         llvm.mlir.constant(1.8446744073709552E+19 : f64)
// CHECK:         llvm.mlir.constant(-1 : i64)
func.func @u64_of_f64(%x: f64) -> i64 {
  %r = chi.to_int %x unsigned : f64 -> i64
  return %r : i64
}

// Narrow ones through 32 bits with a sign, which is then bounded: -128 to 127,
// and 0 to 65535. A half is an f32 first: 2^31 is no half.
// CHECK-LABEL: llvm.func hidden @narrow(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: f16, %[[X:[a-z0-9]+]]: f64)
// CHECK:         %[[WIDE:.*]] = llvm.fpext %[[H]] : f16 to f32
// CHECK:         llvm.fptosi %[[WIDE]] : f32 to i32
// CHECK:         llvm.fcmp "uno" %[[WIDE]], %{{.*}} : f32
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(-128 : i32)
// CHECK:         %[[A:.*]] = llvm.intr.smax(%{{.*}}, %[[LEAST]])
// CHECK:         %[[MOST:.*]] = llvm.mlir.constant(127 : i32)
// CHECK:         %[[B:.*]] = llvm.intr.smin(%[[A]], %[[MOST]])
// CHECK:         llvm.trunc %[[B]] : i32 to i8
// CHECK:         llvm.fptosi %[[X]] : f64 to i32
// CHECK:         llvm.mlir.constant(0 : i32)
// CHECK:         llvm.intr.smax
// CHECK:         llvm.mlir.constant(65535 : i32)
// CHECK:         llvm.intr.smin
// CHECK:         llvm.trunc %{{.*}} : i32 to i16
func.func @narrow(%h: f16, %x: f64) -> (i8, i16) {
  %r = chi.to_int %h : f16 -> i8
  %s = chi.to_int %x unsigned : f64 -> i16
  return %r, %s : i8, i16
}

// A half to 32 bits or more: by f32 as well.
// CHECK-LABEL: llvm.func hidden @wide_of_half(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: vector<4xf16>)
// CHECK:         %[[WIDE:.*]] = llvm.fpext %[[H]] : vector<4xf16> to vector<4xf32>
// CHECK:         %[[RAW:.*]] = llvm.fptoui %[[WIDE]] : vector<4xf32> to vector<4xi64>
// CHECK-NEXT:    %[[SOME:.*]] = llvm.freeze %[[RAW]]
// CHECK:         %[[HIGH:.*]] = llvm.mlir.constant(dense<1.84467441E+19> : vector<4xf32>)
// CHECK:         %[[ABOVE:.*]] = llvm.fcmp "oge" %[[WIDE]], %[[HIGH]] : vector<4xf32>
// CHECK:         %[[MOST:.*]] = llvm.mlir.constant(dense<-1> : vector<4xi64>)
// CHECK:         %[[A:.*]] = llvm.select %[[ABOVE]], %[[MOST]], %[[SOME]] : vector<4xi1>, vector<4xi64>
// CHECK:         %[[LOW:.*]] = llvm.mlir.constant(dense<-1.000000e+00> : vector<4xf32>)
// CHECK:         %[[BELOW:.*]] = llvm.fcmp "ole" %[[WIDE]], %[[LOW]] : vector<4xf32>
// CHECK:         %[[B:.*]] = llvm.select %[[BELOW]], %{{.*}}, %[[A]] : vector<4xi1>, vector<4xi64>
// CHECK:         %[[NAN:.*]] = llvm.fcmp "uno" %[[WIDE]], %{{.*}} : vector<4xf32>
// CHECK:         %[[R:.*]] = llvm.select %[[NAN]], %{{.*}}, %[[B]] : vector<4xi1>, vector<4xi64>
// CHECK:         llvm.return %[[R]]
func.func @wide_of_half(%h: vector<4xf16>) -> vector<4xi64> {
  %r = chi.to_int %h unsigned : vector<4xf16> -> vector<4xi64>
  return %r : vector<4xi64>
}

// What is known to fit is the machine's conversion and nothing else.
// CHECK-LABEL: llvm.func hidden @fits(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32)
// CHECK-NEXT:    %[[R:.*]] = llvm.fptosi %[[X]] : f32 to i32
// CHECK-NEXT:    llvm.return %[[R]]
func.func @fits(%x: f32) -> i32 {
  %r = chi.to_int %x inrange : f32 -> i32
  return %r : i32
}
