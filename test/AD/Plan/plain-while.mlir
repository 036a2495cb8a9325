// While loops that are differentiated become plain first: the first region
// only decides, the loop counts its iterations.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>

// The first region computes a value that it passes on: the body computes it
// again, and so does the code after the loop. Both have a derivative there.
// CHECK-LABEL: chi.task @computed.adj(
// CHECK:         %[[W:.*]]:2 = scf.while (%[[T:.*]] = %{{.*}}, %[[N:.*]] = %c0_i64)
// CHECK:           %[[IS:.*]] = arith.cmpf olt
// CHECK:           scf.condition(%[[IS]]) %[[T]], %[[N]] : f32, i64
// CHECK:         } do {
// CHECK:         ^bb0(%[[T:.*]]: f32, %[[N:.*]]: i64):
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[N]], %c1_i64
// CHECK:           chi.set %[[T]], %[[TAPE:.*]][%[[N]] : i64]
// CHECK-NEXT:      arith.mulf %[[T]], %[[T]]
// CHECK:           scf.yield %{{.*}}, %[[NEXT]] : f32, i64
// CHECK:         arith.mulf %{{.*}}, %[[W]]#0
// CHECK:         scf.for %{{.*}} = %c0_i64 to %[[W]]#1 step %c1_i64
// CHECK:           %[[T:.*]] = chi.get %[[TAPE]]
// CHECK:           arith.mulf %{{.*}}, %[[T]]
// CHECK:         chi.next
chi.task @computed(%x: !F, %y: !F) over 0 (%i: i32) {
  %big = arith.constant 100.0 : f32
  %one = arith.constant 1.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = scf.while (%t = %a) : (f32) -> f32 {
    %s = arith.mulf %t, %t : f32
    %c = arith.cmpf olt, %t, %big : f32
    scf.condition(%c) %s : f32
  } do {
  ^bb0(%s: f32):
    %b = arith.addf %s, %one : f32
    scf.yield %b : f32
  }
  chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Fewer values pass than the loop carries, in another order: all are carried.
// CHECK-LABEL: chi.task @order.adj(
// CHECK:         %[[W:.*]]:3 = scf.while (%[[K:.*]] = %arg5, %[[T:.*]] = %{{.*}}, %[[N:.*]] = %c0_i64)
// CHECK:           scf.condition(%{{.*}}) %[[K]], %[[T]], %[[N]] : i32, f32, i64
// CHECK:         scf.for %{{.*}} = %c0_i64 to %[[W]]#2 step %c1_i64
chi.task @order(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r:2 = scf.while (%k = %i, %t = %a) : (i32, f32) -> (f32, i32) {
    %c = arith.cmpi sgt, %k, %c0 : i32
    %l = chi.load %m[%k : i32] inbounds : !I -> i32
    scf.condition(%c) %t, %l : f32, i32
  } do {
  ^bb0(%t: f32, %l: i32):
    %b = arith.mulf %t, %a : f32
    scf.yield %l, %b : i32, f32
  }
  chi.accum add %r#0, %y[%r#1 : i32] inbounds : f32, !F
  chi.next
}

// A loop in a loop: the inner one counts from zero in each run, and its
// records follow those of its earlier runs.
// CHECK-LABEL: chi.task @inner.adj(
// CHECK:         %[[COUNT:.*]] = chi.local "" : <1xi64>
// CHECK:         scf.while
// CHECK:           %[[BASE:.*]] = chi.get %[[COUNT]]
// CHECK:           %[[IN:.*]]:2 = scf.while ({{.*}}, %[[M:.*]] = %c0_i64)
// CHECK:           ^bb0(%{{.*}}: f32, %[[M:.*]]: i64):
// CHECK:             %[[AT:.*]] = arith.addi %[[BASE]], %[[M]]
// CHECK:             chi.reserve
// CHECK:             chi.set %{{.*}}, %{{.*}}[%[[AT]] : i64]
// CHECK:           %[[END:.*]] = arith.addi %[[BASE]], %[[IN]]#1
// CHECK:           chi.set %[[END]], %[[COUNT]]
// CHECK:         scf.for
// CHECK:           %[[NUMBER:.*]] = chi.get
// CHECK:           %[[END:.*]] = chi.get %[[COUNT]]
// CHECK:           %[[BASE:.*]] = arith.subi %[[END]], %[[NUMBER]]
// CHECK:           chi.set %[[BASE]], %[[COUNT]]
// CHECK:           scf.for %{{.*}} = %c0_i64 to %[[NUMBER]]
chi.task @inner(%x: !F, %y: !F) over 0 (%i: i32) {
  %big = arith.constant 100.0 : f32
  %two = arith.constant 2.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = scf.while (%t = %a) : (f32) -> f32 {
    %c = arith.cmpf olt, %t, %big : f32
    scf.condition(%c) %t : f32
  } do {
  ^bb0(%t: f32):
    %s = scf.while (%u = %a) : (f32) -> f32 {
      %d = arith.cmpf olt, %u, %t : f32
      scf.condition(%d) %u : f32
    } do {
    ^bb0(%u: f32):
      %v = arith.mulf %u, %u : f32
      scf.yield %v : f32
    }
    %b = arith.addf %s, %two : f32
    scf.yield %b : f32
  }
  chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}
