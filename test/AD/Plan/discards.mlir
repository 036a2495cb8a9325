// Which products have a guard: those of adjoints that a choice may discard.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<8xf64>

// Both sides of the branch use the first product, one side the second.
// CHECK-LABEL: chi.task @branch.adj(
// CHECK:         %[[SUMS:.*]]:2 = scf.if
// CHECK:         %[[X:.*]] = arith.mulf %[[SUMS]]#1, %{{.*}} : f64
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpf oeq, %[[SUMS]]#1, %{{.*}} : f64
// CHECK-NEXT:    %[[PART:.*]] = arith.select %[[NONE]], %{{.*}}, %[[X]] {chi.guard} : f64
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[SUMS]]#0, %[[PART]] : f64
// CHECK:         arith.mulf %[[SUM]], %{{.*}} : f64
// CHECK-NEXT:    arith.mulf %[[SUM]], %{{.*}} : f64
// CHECK-NOT:     arith.cmpf
// CHECK:         chi.next
chi.task @branch(%x: !F, %y: !F, %to: !F, %c: i1) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %both = arith.mulf %a, %b : f64
  %one = arith.mulf %both, %b : f64
  scf.if %c {
    %s = arith.addf %both, %one : f64
    chi.store %s, %to[%i : i32] inbounds : f64, !F
  } else {
    chi.store %both, %to[%i : i32] inbounds : f64, !F
  }
  chi.next
}

// A product that is used besides has none.
// CHECK-LABEL: chi.task @besides.adj(
// CHECK-NOT:     arith.select
// CHECK:         chi.next
chi.task @besides(%x: !F, %y: !F, %to: !F, %c: i1) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  scf.if %c {
    chi.store %p, %y[%i : i32] inbounds : f64, !F
  }
  chi.accum add %p, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// What is stored over is discarded.
// CHECK-LABEL: chi.task @again.adj(
// CHECK:         chi.load %arg5[
// CHECK-NEXT:    chi.store %{{.*}}, %arg5[
// CHECK:         %[[FIRST:.*]] = chi.load %arg5[
// CHECK:         %[[PART:.*]] = arith.mulf %[[FIRST]], %{{.*}} : f64
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpf oeq, %[[FIRST]], %{{.*}} : f64
// CHECK-NEXT:    arith.select %[[NONE]], %{{.*}}, %[[PART]] {chi.guard} : f64
// CHECK:         chi.next
chi.task @again(%x: !F, %y: !F, %to: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  chi.store %p, %to[%i : i32] inbounds : f64, !F
  chi.store %a, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// Unless it is read in between.
// CHECK-LABEL: chi.task @readback.adj(
// CHECK-NOT:     arith.select
// CHECK:         chi.next
chi.task @readback(%x: !F, %y: !F, %to: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  chi.store %p, %to[%i : i32] inbounds : f64, !F
  %q = chi.load %to[%i : i32] inbounds : !F -> f64
  %r = arith.mulf %q, %b : f64
  chi.store %r, %to[%i : i32] inbounds : f64, !F
  chi.next
}
