// RUN: chi-opt %s --chi-slp --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-slp | chi-opt | FileCheck %s --check-prefix=TRIP
// RUN: chi-opt %s --chi-attach-device="vector-bytes=32 vector-registers=16 has-masks=false" --chi-slp | FileCheck %s --check-prefix=HALF
// RUN: chi-opt %s --chi-attach-device=vector-bytes=0 --chi-slp | FileCheck %s --check-prefix=OFF

// OFF-NOT: vector<
// TRIP: contiguous

// Two elements of three components are six lanes: what a particle adds to its
// place and the next one. Loads of a row are a shuffle of what they span.
// CHECK-LABEL: chi.task @scatter
// CHECK: %[[LIVE:.*]] = arith.constant dense<[true, true, true, true, true, true, false, false]>
// CHECK: %[[I:.*]] = chi.load %{{.*}}[%[[P:.*]] : i32] inbounds : <?xi32> -> i32
// CHECK: %[[V:.*]] = chi.load %{{.*}}[%[[P]] : i32] inbounds {contiguous} : <?x!chi.vec<3xf32>> -> vector<3xf32>
// CHECK: %[[LANES:.*]] = vector.shuffle %[[V]], %[[V]] [0, 1, 2, 0, 1, 2]
// CHECK: %[[SUM:.*]] = arith.mulf %[[LANES]], %{{.*}} : vector<6xf32>
// A register of 64 bytes takes masks: two lanes more make one access.
// HALF-LABEL: chi.task @scatter
// HALF: chi.accum add %{{.*}} inbounds strategy(privatized) {contiguous} : vector<6xf32>, <?x!chi.vec<3xf32>>
// CHECK: %[[FULL:.*]] = vector.shuffle %[[SUM]], %[[SUM]] [0, 1, 2, 3, 4, 5, 5, 5]
// CHECK: chi.accum add %[[FULL]], %{{.*}}[%[[I]] : i32] inbounds strategy(privatized) mask(%[[LIVE]] : vector<8xi1>) {contiguous} : vector<8xf32>, <?x!chi.vec<3xf32>>
// CHECK-NOT: chi.accum
chi.task @scatter(%at: !chi.field<?xi32>, %v: !chi.field<?x!chi.vec<3xf32>>, %to: !chi.field<?x!chi.vec<3xf32>>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %w0 = arith.constant 0.25 : f32
  %w1 = arith.constant 0.75 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %j = arith.addi %i, %one overflow<nsw> : i32
  %x = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %y = chi.load %v[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %z = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x0 = arith.mulf %w0, %x : f32
  %y0 = arith.mulf %w0, %y : f32
  %z0 = arith.mulf %w0, %z : f32
  chi.accum add %x0, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %y0, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %z0, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  %x1 = arith.mulf %w1, %x : f32
  %y1 = arith.mulf %w1, %y : f32
  %z1 = arith.mulf %w1, %z : f32
  chi.accum add %x1, %to[%j : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %y1, %to[%j : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %z1, %to[%j : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.next
}

// Where the source may be the target, a load stays before the accumulation.
// CHECK-LABEL: chi.task @meets
// CHECK-COUNT-2: chi.load %{{.*}} component 2
chi.task @meets(%at: !chi.field<?xi32>, %v: !chi.field<?x!chi.vec<3xf32>>, %to: !chi.field<?x!chi.vec<3xf32>>) over 0 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %x = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.accum add %x, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  %y = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.accum add %y, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  %z = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.accum add %z, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.next
}

// Two sums, of two components, over 2 x 2 nodes: one sum of two rows, each with
// its weights; then the lanes of each sum are added.
// CHECK-LABEL: chi.task @gather
// CHECK: %[[A:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x?x!chi.vec<2xf32>> -> vector<4xf32>
// CHECK: %[[B:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x?x!chi.vec<2xf32>> -> vector<4xf32>
// CHECK: %[[WA:.*]] = arith.mulf %{{.*}}, %[[A]] fastmath<fast> : vector<4xf32>
// CHECK: %[[WB:.*]] = arith.mulf %{{.*}}, %[[B]] fastmath<fast> : vector<4xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[WA]], %[[WB]] fastmath<nnan,ninf,nsz,arcp,contract,afn> : vector<4xf32>
// CHECK: %[[LEFT:.*]] = vector.shuffle %[[SUM]], %[[SUM]] [0, 1]
// CHECK: %[[RIGHT:.*]] = vector.shuffle %[[SUM]], %[[SUM]] [2, 3]
// CHECK: %[[BOTH:.*]] = arith.addf %[[LEFT]], %[[RIGHT]] fastmath<fast> : vector<2xf32>
// CHECK: %[[X:.*]] = vector.extract %[[BOTH]][0]
// CHECK: %[[Y:.*]] = vector.extract %[[BOTH]][1]
// CHECK: chi.store %[[X]]
// CHECK: chi.store %[[Y]]
chi.task @gather(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<4xf32>>, %g: !chi.field<?x?x!chi.vec<2xf32>>, %to: !chi.field<?x!chi.vec<2xf32>>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %j = arith.addi %i, %one overflow<nsw> : i32
  %w0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w2 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w3 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %a0 = chi.load %g[%i, %i : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %a1 = chi.load %g[%i, %i : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %a2 = chi.load %g[%i, %j : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %a3 = chi.load %g[%i, %j : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %b0 = chi.load %g[%j, %i : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %b1 = chi.load %g[%j, %i : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %b2 = chi.load %g[%j, %j : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %b3 = chi.load %g[%j, %j : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %p0 = arith.mulf %w0, %a0 fastmath<fast> : f32
  %p1 = arith.mulf %w0, %a1 fastmath<fast> : f32
  %p2 = arith.mulf %w1, %a2 fastmath<fast> : f32
  %p3 = arith.mulf %w1, %a3 fastmath<fast> : f32
  %q0 = arith.mulf %w2, %b0 fastmath<fast> : f32
  %q1 = arith.mulf %w2, %b1 fastmath<fast> : f32
  %q2 = arith.mulf %w3, %b2 fastmath<fast> : f32
  %q3 = arith.mulf %w3, %b3 fastmath<fast> : f32
  %x0 = arith.addf %p0, %p2 fastmath<fast> : f32
  %y0 = arith.addf %p1, %p3 fastmath<fast> : f32
  %x1 = arith.addf %x0, %q0 fastmath<fast> : f32
  %y1 = arith.addf %y0, %q1 fastmath<fast> : f32
  %x = arith.addf %x1, %q2 fastmath<fast> : f32
  %y = arith.addf %y1, %q3 fastmath<fast> : f32
  chi.store %x, %to[%p : i32] inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.store %y, %to[%p : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}

// Sums in the order of the program stay scalars.
// CHECK-LABEL: chi.task @strict
// CHECK-NOT: vector<
chi.task @strict(%at: !chi.field<?xi32>, %g: !chi.field<?xf32>, %to: !chi.field<?xf32>) over 0 (%p: i32) attributes {strict} {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %j = arith.addi %i, %one overflow<nsw> : i32
  %k = arith.addi %i, %two overflow<nsw> : i32
  %a = chi.load %g[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = chi.load %g[%j : i32] inbounds : !chi.field<?xf32> -> f32
  %c = chi.load %g[%k : i32] inbounds : !chi.field<?xf32> -> f32
  %d = arith.addf %a, %b : f32
  %e = arith.addf %d, %c : f32
  chi.store %e, %to[%p : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// What the loop variable alone says is left to LLVM.
// CHECK-LABEL: chi.task @affine
// CHECK-NOT: vector<
chi.task @affine(%v: !chi.field<?x!chi.vec<3xf32>>, %to: !chi.field<?x!chi.vec<3xf32>>) over 0 (%p: i32) {
  %x = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.accum add %x, %to[%p : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %x, %to[%p : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.accum add %x, %to[%p : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<3xf32>>
  chi.next
}
