// RUN: chi-opt %s --chi-native-math | FileCheck %s

// The name of each elementary function, of one argument and of two. A function
// is declared once, however often it is called.
// CHECK-COUNT-1: func.func private @chi.native.exp.f32(f32) -> f32
// CHECK-NOT:     func.func private @chi.native.exp.f32(
// CHECK-LABEL: chi.task @one(
// CHECK:         func.call @chi.native.acos.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.acosh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.asin.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.asinh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.atan.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.atanh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.cbrt.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.cos.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.cosh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.erf.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.erfc.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.exp.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.exp2.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.expm1.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.log.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.log10.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.log1p.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.log2.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.sin.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.sinh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.tan.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.tanh.f32(%{{.*}}) : (f32) -> f32
// CHECK:         func.call @chi.native.exp.f32(
// CHECK-NOT:     math.
// CHECK:         chi.next
chi.task @one(%a: f32) () attributes {kernel = "k"} {
  %0 = math.acos %a : f32
  %1 = math.acosh %a : f32
  %2 = math.asin %a : f32
  %3 = math.asinh %a : f32
  %4 = math.atan %a : f32
  %5 = math.atanh %a : f32
  %6 = math.cbrt %a : f32
  %7 = math.cos %a : f32
  %8 = math.cosh %a : f32
  %9 = math.erf %a : f32
  %10 = math.erfc %a : f32
  %11 = math.exp %a : f32
  %12 = math.exp2 %a : f32
  %13 = math.expm1 %a : f32
  %14 = math.log %a : f32
  %15 = math.log10 %a : f32
  %16 = math.log1p %a : f32
  %17 = math.log2 %a : f32
  %18 = math.sin %a : f32
  %19 = math.sinh %a : f32
  %20 = math.tan %a : f32
  %21 = math.tanh %a : f32
  %22 = math.exp %a : f32
  chi.next
}

// CHECK-LABEL: chi.task @two(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: f64)
// CHECK:         func.call @chi.native.atan2.f64(%[[A]], %[[B]]) : (f64, f64) -> f64
// CHECK:         func.call @chi.native.pow.f64(%[[B]], %[[A]]) : (f64, f64) -> f64
// CHECK:         func.call @chi.native.hypot.f64(%[[A]], %[[B]]) : (f64, f64) -> f64
chi.task @two(%a: f64, %b: f64) () attributes {kernel = "k"} {
  %0 = math.atan2 %a, %b : f64
  %1 = math.powf %b, %a : f64
  %2 = chi.hypot %a, %b : f64
  chi.next
}

// Both arguments of half precision are extended, the result is rounded.
// CHECK-LABEL: chi.task @halves(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: f16, %[[B:[a-z0-9]+]]: f16)
// CHECK:         %[[X:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK:         %[[Y:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK:         %[[R:.*]] = func.call @chi.native.pow.f32(%[[X]], %[[Y]]) : (f32, f32) -> f32
// CHECK:         arith.truncf %[[R]] : f32 to f16
chi.task @halves(%a: f16, %b: f16) () attributes {kernel = "k"} {
  %0 = math.powf %a, %b : f16
  chi.next
}

// There is no function of lanes, nor of f80; other operations of `math` are no
// elementary functions.
// CHECK-LABEL: chi.task @left(
// CHECK-NOT:     func.call
// CHECK:         math.exp %{{.*}} : vector<4xf32>
// CHECK-NEXT:    math.exp %{{.*}} : f80
// CHECK-NEXT:    math.rsqrt
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    math.copysign
// CHECK-NEXT:    chi.next
chi.task @left(%a: f32, %v: vector<4xf32>, %b: f80) () attributes {kernel = "k"} {
  %0 = math.exp %v : vector<4xf32>
  %1 = math.exp %b : f80
  %2 = math.rsqrt %a : f32
  %3 = math.fma %a, %a, %a : f32
  %4 = math.copysign %a, %a : f32
  chi.next
}

// A function that a task reaches by another one is the device's; one that no
// task reaches is not.
// CHECK-LABEL: func.func @outer(
// CHECK:         call @inner(
// CHECK-LABEL: func.func @inner(
// CHECK:         call @chi.native.log.f32(
// CHECK-LABEL: func.func @unreached(
// CHECK:         math.log
func.func @outer(%x: f32) -> f32 {
  %r = func.call @inner(%x) : (f32) -> f32
  return %r : f32
}
func.func @inner(%x: f32) -> f32 {
  %r = math.log %x : f32
  return %r : f32
}
func.func @unreached(%x: f32) -> f32 {
  %r = math.log %x : f32
  return %r : f32
}
chi.task @calls(%a: f32) () attributes {kernel = "k"} {
  %0 = func.call @outer(%a) : (f32) -> f32
  chi.next
}
