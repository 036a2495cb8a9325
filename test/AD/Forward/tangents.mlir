// The tangent task does what the task does, with a tangent beside each active float.
// RUN: chi-opt %s --chi-tangents=all | FileCheck %s

!F = !chi.field<?xf32>

// A product: the tangent of a load is a load of the tangents; a store of a float is
// one of its tangent, too.
// CHECK:       chi.task @product(
// CHECK-SAME:  chi.tangent = @product.tan
// CHECK-LABEL: chi.task @product.tan(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !chi.field<?xf32>, %[[Y:[a-z0-9]+]]: !chi.field<?xf32>, %[[DX:[a-z0-9]+]]: !chi.field<?xf32>, %[[DY:[a-z0-9]+]]: !chi.field<?xf32>)
// CHECK:         %[[A:.*]] = chi.load %[[X]]
// CHECK:         %[[DA:.*]] = chi.load %[[DX]]
// CHECK:         %[[B:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK:         %[[P:.*]] = arith.mulf %[[DA]], %[[A]]
// CHECK:         %[[DB:.*]] = arith.addf %[[P]], %[[P]]
// CHECK:         chi.store %[[B]], %[[Y]]
// CHECK:         chi.store %[[DB]], %[[DY]]
chi.task @product(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = arith.mulf %a, %a : f32
  chi.store %b, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// The tangent of a constant is stored; one that is added is left out. Of f16 there are
// tangents of f32.
// CHECK-LABEL: chi.task @constants.tan(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: !chi.field<?xf16>, %[[DH:[a-z0-9]+]]: !chi.field<?xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         chi.store %{{.*}}, %[[H]]
// CHECK:         chi.store %[[ZERO]], %[[DH]]
// CHECK:         chi.accum add %{{.*}}, %[[H]]
// CHECK-NOT:     %[[DH]]
// CHECK:         chi.next
chi.task @constants(%h: !chi.field<?xf16>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c = arith.constant 2.0 : f16
  chi.store %c, %h[%i : i32] inbounds : f16, !chi.field<?xf16>
  chi.accum add %c, %h[%c0 : i32] inbounds : f16, !chi.field<?xf16>
  chi.next
}

// A sum in a loop: its tangent is carried, too; that of the index is not.
// CHECK-LABEL: chi.task @loop.tan(
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[DS:.*]] = %{{.*}}) -> (f32, f32)
// CHECK:           %[[DV:.*]] = chi.load %arg2
// CHECK:           %[[S2:.*]] = arith.addf %[[S]]
// CHECK:           %[[DS2:.*]] = arith.addf %[[DS]], %[[DV]]
// CHECK:           scf.yield %[[S2]], %[[DS2]]
// CHECK-DAG:     chi.accum add %{{.*}}#0, %arg1
// CHECK-DAG:     chi.accum add %{{.*}}#1, %arg3
chi.task @loop(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = arith.constant 0.0 : f32
  %s = scf.for %j = %c0 to %i step %c1 iter_args(%t = %z) -> (f32) : i32 {
    %v = chi.load %x[%j : i32] inbounds : !F -> f32
    %u = arith.addf %t, %v : f32
    scf.yield %u : f32
  }
  chi.accum add %s, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A branch and a loop that counts by its data: the condition reads no tangent.
// CHECK-LABEL: chi.task @while.tan(
// CHECK:         scf.while (%[[R:.*]] = %{{.*}}, %[[DR:.*]] = %{{.*}}) : (f32, f32) -> (f32, f32)
// CHECK:           %[[GO:.*]] = arith.cmpf olt, %[[R]]
// CHECK:           scf.condition(%[[GO]]) %[[R]], %[[DR]]
// CHECK:         scf.if {{.*}} -> (f32, f32)
// CHECK:         scf.yield
chi.task @while(%x: !F, %y: !F) over 0 (%i: i32) {
  %c = arith.constant 50.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = scf.while (%v = %a) : (f32) -> f32 {
    %go = arith.cmpf olt, %v, %c : f32
    scf.condition(%go) %v : f32
  } do {
  ^bb0(%v: f32):
    %n = arith.mulf %v, %a : f32
    scf.yield %n : f32
  }
  %big = arith.cmpf ogt, %r, %a : f32
  %w = scf.if %big -> (f32) {
    %e = math.sin %r : f32
    scf.yield %e : f32
  } else {
    scf.yield %c : f32
  }
  chi.store %w, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Local arrays have an array of tangents.
// CHECK-LABEL: chi.task @array.tan(
// CHECK-COUNT-2: chi.local
// CHECK-COUNT-2: chi.set
// CHECK-COUNT-2: chi.get
// CHECK-COUNT-2: chi.store
chi.task @array(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %l = chi.local "l" : !chi.local<3xf32>
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.set %a, %l[%i : i32] : f32, !chi.local<3xf32>
  %b = chi.get %l[%c0 : i32] : !chi.local<3xf32> -> f32
  chi.store %b, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// What writes no float has no tangent task.
// CHECK:     chi.task @integers(
// CHECK-NOT: chi.tangent
// CHECK-NOT: @integers.tan
chi.task @integers(%x: !F, %k: !chi.field<?xi32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %n = arith.fptosi %a : f32 to i32
  chi.store %n, %k[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.next
}
