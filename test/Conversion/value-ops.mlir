// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// CHECK-LABEL: func.func @divide(
// A power of two is a shift; a constant divisor needs no test for -1.
// CHECK:         arith.shrsi
// CHECK:         arith.andi
// CHECK-NOT:     arith.cmpi eq
// CHECK:         arith.divsi
// CHECK:         arith.divui
// CHECK:         arith.cmpi eq
// CHECK:         arith.remsi
func.func @divide(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32) attributes {chi.host} {
  %c8 = arith.constant 8 : i32
  %c7 = arith.constant 7 : i32
  %q = chi.floordiv %a, %c8 : i32
  %r = chi.floormod %a, %c8 : i32
  %s = chi.floordiv %a, %c7 : i32
  %t = chi.floordiv %a, %b unsigned : i32
  %u = chi.floormod %a, %b : i32
  return %q, %r, %s, %t, %u : i32, i32, i32, i32, i32
}

// CHECK-LABEL: func.func @powers(
// CHECK-COUNT-2: arith.muli
// CHECK:         scf.while
// Each target has flags of its own.
// CHECK:         chi.overflow mul %{{.*}}, %{{.*}} : i32
// CHECK:         math.sqrt
// CHECK:         arith.remf
// CHECK:         math.copysign
func.func @powers(%a: i32, %b: i32, %x: f32, %y: f32) -> (i32, i32, i1, f32, f32) attributes {chi.host} {
  %c3 = arith.constant 3 : i32
  %p = chi.ipow %a, %c3 : i32
  %q = chi.ipow %a, %b : i32
  %o = chi.overflow mul %a, %b : i32
  %r = chi.root %x : f32
  %m = chi.ffloormod %x, %y : f32
  return %p, %q, %o, %r, %m : i32, i32, i1, f32, f32
}

// Without a library: scaled by the larger side, also in lanes.
// CHECK-LABEL: func.func @lengths(
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         math.sqrt %{{.*}} : f32
// CHECK:         arith.divf %{{.*}}, %{{.*}} : vector<8xf64>
// CHECK:         math.sqrt %{{.*}} : vector<8xf64>
// CHECK-NOT:     chi.hypot
func.func @lengths(%x: f32, %y: f32, %v: vector<8xf64>) -> (f32, vector<8xf64>) attributes {chi.host} {
  %r = chi.hypot %x, %y : f32
  %s = chi.hypot %v, %v : vector<8xf64>
  return %r, %s : f32, vector<8xf64>
}

// A local array is flat memory of the function's frame.
// CHECK-LABEL: func.func @locals(
// CHECK:         memref.alloca() {{.*}} : memref<8xi8>
// CHECK:         memref.store
// CHECK:         arith.extui %{{.*}} : i1 to i8
// CHECK:         memref.store
// CHECK:         memref.load
// CHECK:         arith.trunci %{{.*}} : i8 to i1
func.func @locals(%i: i32, %v: i1) -> i1 attributes {chi.host} {
  %a = chi.local "a" : !chi.local<4x2xi1>
  chi.set %v, %a[%i, %i : i32, i32] : i1, !chi.local<4x2xi1>
  %r = chi.get %a[%i, %i : i32, i32] : !chi.local<4x2xi1> -> i1
  return %r : i1
}
