// RUN: chi-opt %s --chi-native-math | FileCheck %s

// What tasks compute, and the functions that they call, is the device's own.
// Remainders, and what the hardware has, stay; host code is not the device's.
// Half precision goes by f32.
// CHECK-DAG:   func.func private @chi.native.tanh.f32(f32) -> f32
// CHECK-DAG:   func.func private @chi.native.exp.f32(f32) -> f32
// CHECK-DAG:   func.func private @chi.native.hypot.f64(f64, f64) -> f64
// CHECK-LABEL: func.func @squash
// CHECK:         call @chi.native.tanh.f32
func.func @squash(%x: f32) -> f32 {
  %r = math.tanh %x : f32
  return %r : f32
}
// CHECK-LABEL: func.func @both
// CHECK:         math.cbrt
func.func @both(%x: f32) -> f32 {
  %r = math.cbrt %x : f32
  return %r : f32
}
// CHECK-LABEL: func.func @host
// CHECK:         math.exp
func.func @host(%x: f32) -> f32 attributes {chi.host} {
  %r = math.exp %x : f32
  return %r : f32
}
// CHECK-LABEL: chi.task @k.t0
// CHECK:         func.call @squash
// CHECK:         func.call @both
// CHECK:         func.call @chi.native.exp.f32
// CHECK:         %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[N:.*]] = func.call @chi.native.exp.f32(%[[W]])
// CHECK:         arith.truncf %[[N]] : f32 to f16
// CHECK:         func.call @chi.native.hypot.f64
// CHECK:         math.sqrt
// CHECK:         arith.remf
chi.task @k.t0(%x: !chi.field<f32>, %a: f32, %h: f16, %d: f64) () attributes {kernel = "k"} {
  %s = func.call @squash(%a) : (f32) -> f32
  %c = func.call @both(%a) : (f32) -> f32
  %e = math.exp %a : f32
  %n = math.exp %h : f16
  %l = chi.hypot %d, %d : f64
  %q = math.sqrt %a : f32
  %r = arith.remf %a, %a : f32
  chi.next
}
// To the last bit: Chi's, also in what it calls.
// CHECK-LABEL: chi.task @k.t1
// CHECK:         math.exp
chi.task @k.t1(%x: !chi.field<f32>, %a: f32) () attributes {kernel = "k", strict} {
  %c = func.call @both(%a) : (f32) -> f32
  %e = math.exp %a : f32
  chi.next
}
