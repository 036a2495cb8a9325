// RUN: chi-opt %s --chi-expand-math=library=%s | FileCheck %s
// RUN: chi-opt %s --chi-expand-math="library=%s halves" | FileCheck %s --check-prefix=HALVES

// Which function of the library an operation takes: by its type, and with
// `halves` by whether a strict task reaches it. This file is its own library;
// each function multiplies by a number of its own.
func.func @sin.f32(%x: f32) -> f32 {
  %c = arith.constant 2.0 : f32
  %r = arith.mulf %x, %c : f32
  return %r : f32
}
func.func @sin.f64(%x: f64) -> f64 {
  %c = arith.constant 3.0 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}
func.func @sin_halves.f32(%x: f32) -> f32 {
  %c = arith.constant 4.0 : f32
  %r = arith.mulf %x, %c : f32
  return %r : f32
}
func.func @sin_halves.f64(%x: f64) -> f64 {
  %c = arith.constant 5.0 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}
func.func @pow.f64(%x: f64, %y: f64) -> f64 {
  %c = arith.constant 6.0 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}
func.func @pow_halves.f64(%x: f64, %y: f64) -> f64 {
  %c = arith.constant 7.0 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}
// A declaration has no body that could be inlined.
func.func private @cbrt.f32(f32) -> f32

// f16 uses the function of f32; pow of f64 has one form.
// CHECK-LABEL: chi.task @free(
// CHECK:         arith.constant 2.000000e+00 : f32
// CHECK:         arith.constant 3.000000e+00 : f64
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         arith.constant 2.000000e+00 : f32
// CHECK:         arith.truncf %{{.*}} : f32 to f16
// CHECK:         arith.constant 6.000000e+00 : f64
// CHECK:         math.cbrt
// HALVES-LABEL: chi.task @free(
// HALVES:         arith.constant 4.000000e+00 : f32
// HALVES:         arith.constant 5.000000e+00 : f64
// HALVES:         arith.extf %{{.*}} : f16 to f32
// HALVES:         arith.constant 4.000000e+00 : f32
// HALVES:         arith.truncf %{{.*}} : f32 to f16
// HALVES:         arith.constant 6.000000e+00 : f64
// HALVES:         math.cbrt
chi.task @free(%a: f32, %b: f64, %h: f16) () attributes {kernel = "k"} {
  %0 = math.sin %a : f32
  %1 = math.sin %b : f64
  %2 = math.sin %h : f16
  %3 = math.powf %b, %b : f64
  %4 = math.cbrt %a : f32
  %5 = func.call @by_free(%a) : (f32) -> f32
  %6 = func.call @by_both(%a) : (f32) -> f32
  chi.next
}
// CHECK-LABEL: chi.task @strict(
// CHECK:         arith.constant 2.000000e+00 : f32
// HALVES-LABEL: chi.task @strict(
// HALVES:         arith.constant 2.000000e+00 : f32
chi.task @strict(%a: f32) () attributes {kernel = "k", strict} {
  %0 = math.sin %a : f32
  %1 = func.call @by_both(%a) : (f32) -> f32
  chi.next
}
// A function of a free task only is free, one that a strict task calls too is
// not. The pass leaves the calls.
// HALVES-LABEL: func.func @by_free(
// HALVES:         arith.constant 4.000000e+00 : f32
// HALVES-LABEL: func.func @by_both(
// HALVES:         arith.constant 2.000000e+00 : f32
func.func @by_free(%x: f32) -> f32 {
  %r = math.sin %x : f32
  return %r : f32
}
func.func @by_both(%x: f32) -> f32 {
  %r = math.sin %x : f32
  return %r : f32
}

// A vector takes the form without `halves`.
// HALVES-LABEL: chi.task @lanes(
// HALVES:         arith.constant dense<2.000000e+00> : vector<4xf32>
// HALVES:         arith.constant dense<3.000000e+00> : vector<2xf64>
chi.task @lanes(%v: vector<4xf32>, %w: vector<2xf64>) () attributes {kernel = "k"} {
  %0 = math.sin %v : vector<4xf32>
  %1 = math.sin %w : vector<2xf64>
  chi.next
}
