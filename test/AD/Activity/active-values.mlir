// Which values have an adjoint: those that come from a float of a field and
// reach one. Of others nothing is in the adjoint.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<8xf32>
!I = !chi.field<8xi32>

// What reaches no field of floats: an integer, a comparison, a print.
// CHECK-LABEL: chi.task @ends.adj(
// CHECK-NOT:     math.exp
// CHECK-NOT:     arith.cmpf
// CHECK:         %[[G:.*]] = chi.load %arg4[
// CHECK-NEXT:    chi.accum add %[[G]], %arg3[
// CHECK-NEXT:    chi.next
chi.task @ends(%x: !F, %y: !F, %n: !I) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %e = math.exp %a : f32
  %k = chi.to_int %e : f32 -> i32
  chi.store %k, %n[%i : i32] inbounds : i32, !I
  %c = arith.cmpf olt, %e, %zero : f32
  chi.print [{shape = array<i64>, type = "bool"}] (%c : i1)
  chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// What comes from none: a constant, an integer, the variable of the loop. The
// product has a derivative by its other factor only.
// CHECK-LABEL: chi.task @begins.adj(
// CHECK:         %[[F:.*]] = arith.sitofp
// CHECK:         %[[G:.*]] = chi.load %arg4[
// CHECK-NEXT:    %[[D:.*]] = arith.mulf %[[G]], %[[F]]
// CHECK-NOT:     arith.mulf
// CHECK:         chi.accum add %[[D]], %arg3[
// CHECK-NEXT:    chi.next
chi.task @begins(%x: !F, %y: !F, %n: !I) over 0 (%i: i32) {
  %k = chi.load %n[%i : i32] inbounds : !I -> i32
  %f = arith.sitofp %k : i32 to f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %p = arith.mulf %a, %f : f32
  chi.accum add %p, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A stopped gradient, and a function that is constant by steps.
// CHECK-LABEL: chi.task @stops.adj(
// CHECK-NOT:     chi.accum add %{{.*}}, %arg2[
// CHECK:         chi.store %cst, %arg3[
// CHECK-NOT:     chi.accum
// CHECK:         chi.next
chi.task @stops(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %s = chi.stop_gradient %a : f32
  %f = math.floor %a : f32
  %p = arith.mulf %s, %f : f32
  chi.store %p, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// An array is active from the first value that is, for all its elements; one
// that holds constants only has no adjoints.
// CHECK-LABEL: chi.task @arrays.adj(
// CHECK-COUNT-3: chi.local
// CHECK-NOT:     chi.local
// CHECK:         chi.next
chi.task @arrays(%x: !F, %y: !F, %k: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %two = arith.constant 2.0 : f32
  %l = chi.local "l" : <4xf32>
  %m = chi.local "m" : <4xf32>
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.set %a, %l[%c0 : i32] : f32, !chi.local<4xf32>
  chi.set %two, %l[%k : i32] : f32, !chi.local<4xf32>
  chi.set %two, %m[%k : i32] : f32, !chi.local<4xf32>
  %b = chi.get %l[%k : i32] : !chi.local<4xf32> -> f32
  %c = chi.get %m[%c0 : i32] : !chi.local<4xf32> -> f32
  %p = arith.mulf %b, %c : f32
  chi.accum add %p, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Through a loop: a value that becomes active in an iteration is so in the next
// one. A carried value that stays a constant has no adjoint.
// CHECK-LABEL: chi.task @carried.adj(
// CHECK:         scf.for {{.*}} -> (f32, f32)
// CHECK-NOT:     -> (f32, f32, f32)
// CHECK:         chi.next
chi.task @carried(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %r:3 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %one, %q = %one, %s = %one) -> (f32, f32, f32) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %t = arith.mulf %q, %s : f32
    %u = arith.mulf %s, %s : f32
    scf.yield %t, %a, %u : f32, f32, f32
  }
  chi.accum add %r#0, %y[%i : i32] inbounds : f32, !F
  chi.next
}
