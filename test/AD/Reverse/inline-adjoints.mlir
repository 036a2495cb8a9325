// RUN: chi-opt %s --chi-inline-adjoints | FileCheck %s

// Calls that were kept, and those of adjoints, become part of their tasks.
// CHECK-NOT: func.func
// CHECK-LABEL: chi.task @k.t0(
// CHECK: %[[A:.*]] = arith.mulf
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK: chi.store %[[B]]
// CHECK-NOT: call
// CHECK: chi.next
// CHECK-LABEL: chi.task @k.t0.adj(
// CHECK: arith.divf
// CHECK-NOT: call
func.func private @f(%a: f32) -> f32 {
  %m = arith.mulf %a, %a : f32
  %r = call @g(%m) {custom_adjoint = @g_bar} : (f32) -> f32
  return %r : f32
}
func.func private @g(%a: f32) -> f32 {
  %r = arith.addf %a, %a : f32
  return %r : f32
}
func.func private @f_bar(%a: f32, %r: f32, %d: f32) -> f32 {
  %q = arith.divf %d, %a : f32
  return %q : f32
}
func.func private @g_bar(%a: f32, %r: f32, %d: f32) -> f32 {
  return %d : f32
}
chi.task @k.t0(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {kernel = "k"} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %r = func.call @f(%v) {custom_adjoint = @f_bar} : (f32) -> f32
  chi.store %r, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}
chi.task @k.t0.adj(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {kernel = "k"} {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %d = func.call @f_bar(%v, %v, %v) : (f32, f32, f32) -> f32
  chi.store %d, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}
