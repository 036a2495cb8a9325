// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops | FileCheck %s
// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops="fast=false" | FileCheck %s --check-prefix=EXACT

// What the lowering itself makes of floats may be rewritten as the rest of the
// task may: not in a strict task, nor where nothing may. What is there already
// keeps what it says.
!F = !chi.field<8xf32>
// CHECK-LABEL: func.func private @loose.body(
// CHECK:         %[[R:.*]] = math.sqrt %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:         arith.addf %{{.*}}, %[[R]] fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:         arith.maxnumf %{{.*}}, %[[R]] fastmath<reassoc,nsz,arcp,contract,afn> : f32
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
// Not a number and infinity keep their meaning.
// CHECK-NOT:     nnan
// CHECK-NOT:     ninf
// EXACT-LABEL: func.func private @loose.body(
// EXACT:         math.sqrt %{{.*}} : f32
// EXACT-NOT:     fastmath
// EXACT:         return
chi.task @loose(%x: !F, %v: f32) over 0 (%i: i32) attributes {kernel = "k"} {
  %r = chi.root %v : f32
  chi.accum add %r, %x[%i : i32] inbounds strategy(plain) : f32, !F
  chi.accum max %r, %x[%i : i32] inbounds strategy(plain) : f32, !F
  %m = arith.mulf %r, %v : f32
  chi.store %m, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// Strict: what an operation says itself stays, nothing is added.
// CHECK-LABEL: func.func private @strict.body(
// CHECK:         math.sqrt %{{.*}} fastmath<contract> : f32
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     fastmath
// CHECK:         return
chi.task @strict(%x: !F, %v: f32) over 0 (%i: i32) attributes {kernel = "k", strict} {
  %r = chi.root %v fastmath<contract> : f32
  chi.accum add %r, %x[%i : i32] inbounds strategy(plain) : f32, !F
  chi.next
}

// Atomic updates and sums of a fixed shape are never rewritten.
// CHECK-LABEL: func.func private @ordered.body(
// CHECK:         memref.generic_atomic_rmw
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     fastmath
// CHECK:         return
chi.task @ordered(%x: !F, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32) attributes {kernel = "k"} {
  chi.accum mul %v, %x[%i : i32] inbounds strategy(atomic) : f32, !F
  chi.accum add %v, %s[] strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}

// What is the same in host code is the same here: divisions, powers, tests for
// overflow, rests and lengths.
// CHECK-LABEL: func.func private @values.body(
// CHECK:         arith.divsi
// CHECK:         scf.while
// CHECK:         chi.overflow add
// CHECK:         arith.remf %{{.*}}, %{{.*}} : f32
// CHECK:         math.fma
// CHECK-NOT:     chi.
// CHECK:         return
chi.task @values(%x: !chi.field<8xi32>, %y: !F, %a: i32, %v: f32) over 0 (%i: i32) attributes {kernel = "k"} {
  %q = chi.floordiv %a, %i : i32
  %p = chi.ipow %q, %a : i32
  %o = chi.overflow add %p, %a : i32
  %e = arith.extui %o : i1 to i32
  chi.store %e, %x[%i : i32] inbounds : i32, !chi.field<8xi32>
  %m = chi.ffloormod %v, %v : f32
  %h = chi.hypot %m, %v : f32
  chi.store %h, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// An array of an iteration is memory of the body's frame, made once and zeroed
// in each iteration.
// CHECK-LABEL: func.func private @locals.body(
// CHECK:         %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<6xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloca
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[A]]
// CHECK:           memref.store %{{.*}}, %[[A]]
// CHECK:           memref.load %[[A]]
chi.task @locals(%y: !F, %v: f32) over 0 (%i: i32) attributes {kernel = "k"} {
  %one = arith.constant 1 : i32
  %a = chi.local "a" : !chi.local<2x3xf32>
  chi.set %v, %a[%one, %one : i32, i32] : f32, !chi.local<2x3xf32>
  %w = chi.get %a[%one, %i : i32, i32] : !chi.local<2x3xf32> -> f32
  chi.store %w, %y[%i : i32] inbounds : f32, !F
  chi.next
}
