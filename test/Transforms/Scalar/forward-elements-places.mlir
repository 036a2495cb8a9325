// When two accesses are of one element, of different ones, or of unknown ones.
// RUN: chi-opt %s --chi-forward-elements | FileCheck %s

!F = !chi.field<?xf32>
!G = !chi.field<8xf32>
!V = !chi.field<?x!chi.vec<2xf32>>
!D = !chi.field<?xf64>

// By different sums: i + 1 + 2 is i + 3, and so is i + 5 - 2.
// CHECK-LABEL: chi.task @sums(
// CHECK-COUNT-1: chi.load %arg0
// CHECK-NOT:     chi.load
// CHECK:         chi.next
chi.task @sums(%x: !F, %y: !D) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %j = arith.addi %i, %c1 : i32
  %k = arith.addi %j, %c2 : i32
  %l = arith.addi %i, %c3 : i32
  %m = arith.addi %i, %c5 : i32
  %n = arith.subi %m, %c2 : i32
  %a = chi.load %x[%k : i32] inbounds : !F -> f32
  %b = chi.load %x[%l : i32] inbounds : !F -> f32
  %c = chi.load %x[%n : i32] inbounds : !F -> f32
  %d = arith.addf %a, %b : f32
  %e = arith.addf %d, %c : f32
  %f = arith.extf %e : f32 to f64
  chi.store %f, %y[%i : i32] inbounds : f64, !D
  chi.next
}

// The neighbour's element is another one: what is stored there changes nothing.
// CHECK-LABEL: chi.task @neighbour(
// CHECK-COUNT-1: chi.load
// CHECK:         chi.store
// CHECK-NOT:     chi.load
// CHECK:         chi.next
chi.task @neighbour(%x: !F) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %j = arith.addi %i, %c1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %x[%j : i32] inbounds : f32, !F
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// An index of which nothing is known may be the same one.
// CHECK-LABEL: chi.task @unknown(
// CHECK-COUNT-2: chi.load
chi.task @unknown(%x: !F, %k: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %x[%k : i32] inbounds : f32, !F
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// Another component of the same element; one that the run chooses may be it.
// CHECK-LABEL: chi.task @components(
// CHECK:         chi.load %arg0[%arg2 : i32] inbounds
// CHECK:         chi.store {{.*}} component 1
// CHECK-NOT:     chi.load
// CHECK:         chi.store {{.*}} dynamic
// CHECK:         chi.load %arg0[%arg2 : i32] inbounds
chi.task @components(%x: !V, %k: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !V -> f32
  chi.store %a, %x[%i : i32] component 1 inbounds : f32, !V
  %b = chi.load %x[%i : i32] inbounds : !V -> f32
  chi.store %b, %x[%i : i32] dynamic(%k : i32) inbounds : f32, !V
  %c = chi.load %x[%i : i32] inbounds : !V -> f32
  chi.store %c, %x[%i : i32] component 1 inbounds : f32, !V
  chi.next
}

// A field in another type is the same field.
// CHECK-LABEL: chi.task @cast(
// CHECK:         chi.store %arg1
// CHECK-NOT:     chi.load
// CHECK:         chi.next
chi.task @cast(%x: !F, %v: f32) over 0 (%i: i32) {
  %same = chi.cast_field %x : !F to !G
  chi.store %v, %x[%i : i32] inbounds : f32, !F
  %a = chi.load %same[%i : i32] inbounds : !G -> f32
  %b = arith.mulf %a, %a : f32
  chi.store %b, %same[%i : i32] inbounds : f32, !G
  chi.next
}

// Another argument may be the same field, unless their types differ.
// CHECK-LABEL: chi.task @arguments(
// CHECK-COUNT-1: chi.load
// CHECK:         chi.store {{.*}} f64
// CHECK-NOT:     chi.load
// CHECK:         chi.store {{.*}} f32, <?xf32>
// CHECK:         chi.load
chi.task @arguments(%x: !F, %y: !F, %z: !D, %w: f64) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %w, %z[%i : i32] inbounds : f64, !D
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %y[%i : i32] inbounds : f32, !F
  %d = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %d, %y[%i : i32] inbounds : f32, !F
  chi.next
}
