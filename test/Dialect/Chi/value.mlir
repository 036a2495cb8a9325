// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
func.func @values(%i: i32, %x: f32, %ok: i1, %t: !chi.str) {
  // CHECK: %[[A:.*]] = chi.local "a" : <f32>
  %a = chi.local "a" : !chi.local<f32>
  // CHECK: chi.set %{{.*}}, %[[A]] : f32, <f32>
  chi.set %x, %a : f32, !chi.local<f32>
  // CHECK: chi.get %[[A]] : <f32> -> f32
  %b = chi.get %a : !chi.local<f32> -> f32
  // CHECK: %[[M:.*]] = chi.local "m" : <4x8xf32>
  %m = chi.local "m" : !chi.local<4x8xf32>
  // CHECK: chi.set %{{.*}}, %[[M]][%{{.*}}, %{{.*}} : i32, i32] : f32, <4x8xf32>
  chi.set %x, %m[%i, %i : i32, i32] : f32, !chi.local<4x8xf32>
  // CHECK: chi.floordiv %{{.*}}, %{{.*}} : i32
  %c = chi.floordiv %i, %i : i32
  // CHECK: chi.floormod %{{.*}}, %{{.*}} unsigned : i32
  %d = chi.floormod %i, %i unsigned : i32
  // CHECK: chi.ipow %{{.*}}, %{{.*}} : i32
  %e = chi.ipow %i, %i : i32
  // CHECK: chi.ffloormod %{{.*}}, %{{.*}} : f32
  %f = chi.ffloormod %x, %x : f32
  // CHECK: chi.hypot %{{.*}}, %{{.*}} : f32
  %h = chi.hypot %x, %x : f32
  // CHECK: chi.root %{{.*}} fastmath<fast> : f32
  %g = chi.root %x fastmath<fast> : f32
  // CHECK: chi.to_int %{{.*}} : f32 -> i32
  %ti = chi.to_int %x : f32 -> i32
  // CHECK: chi.to_int %{{.*}} unsigned inrange : f32 -> i8
  %tu = chi.to_int %x unsigned inrange : f32 -> i8
  // CHECK: chi.overflow mul %{{.*}}, %{{.*}} : i32
  %o = chi.overflow mul %i, %i : i32
  // CHECK: chi.checked sub %{{.*}}, %{{.*}} : i32
  %p = chi.checked sub %i, %i : i32
  // CHECK: chi.ordinal : i32
  %call = chi.ordinal : i32
  // CHECK: chi.random
  %r = chi.random
  // CHECK: chi.random loop 3 call %{{.*}} launch %{{.*}} iteration %{{.*}} draw %{{.*}}
  %s = chi.random loop 3 call %i launch %i iteration %r draw %i
  // CHECK: chi.check bounds %{{.*}}(%{{.*}}, %{{.*}} : i32, i32) {axis = 1 : i64, what = "x"}
  chi.check bounds %ok (%i, %i : i32, i32) {what = "x", axis = 1 : i64}
  // CHECK: chi.print ["x = ", {shape = array<i64>, type = "f32"}, " ", {shape = array<i64>, type = "str"}](%{{.*}}, %{{.*}} : f32, !chi.str)
  chi.print ["x = ", {shape = array<i64>, type = "f32"}, " ", {shape = array<i64>, type = "str"}] (%x, %t : f32, !chi.str)
  // CHECK: chi.format ["x"]
  %u = chi.format ["x"]
  return
}

// CHECK-LABEL: func.func @grows
func.func @grows(%n: i64, %x: f32) -> f32 {
  // CHECK: %[[S:.*]] = chi.scratch : <?xf32>
  %s = chi.scratch : !chi.local<?xf32>
  // CHECK: chi.reserve %[[S]], %{{.*}} : i64, <?xf32>
  chi.reserve %s, %n : i64, !chi.local<?xf32>
  // CHECK: chi.set %{{.*}}, %[[S]][%{{.*}} : i64] : f32, <?xf32>
  chi.set %x, %s[%n : i64] : f32, !chi.local<?xf32>
  // CHECK: chi.get %[[S]][%{{.*}} : i64] : <?xf32> -> f32
  %y = chi.get %s[%n : i64] : !chi.local<?xf32> -> f32
  // CHECK: chi.note_kink "max"
  chi.note_kink "max"
  // CHECK: chi.stop_gradient %{{.*}} : f32
  %z = chi.stop_gradient %y : f32
  return %z : f32
}

// CHECK-LABEL: chi.task @counted
chi.task @counted(%x: !chi.field<8xi64>) over 0 (%i: i32) {
  // CHECK: chi.iteration : i64
  %n = chi.iteration : i64
  chi.store %n, %x[%i : i32] inbounds : i64, !chi.field<8xi64>
  chi.next
}
