// RUN: chi-opt %s --chi-slp --canonicalize --cse | FileCheck %s

// The second sum is that of `w[r] * (o[r] - f) * dx * g[r]`: the one with the
// middle weight times the first sum, and the rows beside it, taken from each
// other, in units of the step from one weight to the next (1/8).
// CHECK-LABEL: chi.task @gradient
// CHECK: %[[STEP:.*]] = arith.constant dense<1.250000e-01>
// CHECK: %[[UNIT:.*]] = arith.constant 8.000000e+00
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00
// CHECK: %[[F:.*]] = chi.load %{{.*}} component 3 inbounds
// CHECK: %[[S1:.*]] = arith.subf %[[ONE]], %[[F]]
// CHECK: %[[D1:.*]] = arith.mulf %[[S1]], %{{.*}} : f32
// CHECK: %[[P0:.*]] = arith.mulf {{.*}} : vector<4xf32>
// CHECK: %[[P1:.*]] = arith.mulf {{.*}} : vector<4xf32>
// CHECK: %[[P2:.*]] = arith.mulf {{.*}} : vector<4xf32>
// CHECK: %[[P01:.*]] = arith.addf %[[P0]], %[[P1]]
// CHECK: %[[SUM:.*]] = arith.addf %[[P01]], %[[P2]]
// CHECK: %[[SIDES:.*]] = arith.subf %[[P2]], %[[P0]]
// CHECK: %[[M:.*]] = arith.mulf %[[D1]], %[[UNIT]] {{.*}} : f32
// CHECK: %[[MS:.*]] = vector.broadcast %[[M]]
// CHECK: %[[MIDDLE:.*]] = arith.mulf %[[SUM]], %[[MS]]
// CHECK: %[[ALL:.*]] = arith.addf %[[MIDDLE]], %[[SIDES]]
// CHECK: arith.mulf %[[ALL]], %[[STEP]]
// CHECK-NOT: arith.subf
chi.task @gradient(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<4xf32>>, %g: !chi.field<?x?x!chi.vec<4xf32>>, %to: !chi.field<?x!chi.mat<2x4xf32>>) over 0 (%p: i32) {
  %o0 = arith.constant 0.5 : f32
  %o1 = arith.constant 1.0 : f32
  %o2 = arith.constant 1.5 : f32
  %dx = arith.constant 0.25 : f32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i0 = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %i1 = arith.addi %i0, %one overflow<nsw> : i32
  %i2 = arith.addi %i0, %two overflow<nsw> : i32
  %w0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w2 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w3 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %s0 = arith.subf %o0, %w3 fastmath<fast> : f32
  %d0 = arith.mulf %s0, %dx fastmath<fast> : f32
  %m0 = arith.mulf %w0, %d0 fastmath<fast> : f32
  %s1 = arith.subf %o1, %w3 fastmath<fast> : f32
  %d1 = arith.mulf %s1, %dx fastmath<fast> : f32
  %m1 = arith.mulf %w1, %d1 fastmath<fast> : f32
  %s2 = arith.subf %o2, %w3 fastmath<fast> : f32
  %d2 = arith.mulf %s2, %dx fastmath<fast> : f32
  %m2 = arith.mulf %w2, %d2 fastmath<fast> : f32
  %g00 = chi.load %g[%i0, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g01 = chi.load %g[%i0, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g02 = chi.load %g[%i0, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g03 = chi.load %g[%i0, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g10 = chi.load %g[%i1, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g11 = chi.load %g[%i1, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g12 = chi.load %g[%i1, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g13 = chi.load %g[%i1, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g20 = chi.load %g[%i2, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g21 = chi.load %g[%i2, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g22 = chi.load %g[%i2, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g23 = chi.load %g[%i2, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %wg00 = arith.mulf %w0, %g00 fastmath<fast> : f32
  %wg10 = arith.mulf %w1, %g10 fastmath<fast> : f32
  %wg20 = arith.mulf %w2, %g20 fastmath<fast> : f32
  %wt0 = arith.addf %wg00, %wg10 fastmath<fast> : f32
  %ws0 = arith.addf %wt0, %wg20 fastmath<fast> : f32
  %wg01 = arith.mulf %w0, %g01 fastmath<fast> : f32
  %wg11 = arith.mulf %w1, %g11 fastmath<fast> : f32
  %wg21 = arith.mulf %w2, %g21 fastmath<fast> : f32
  %wt1 = arith.addf %wg01, %wg11 fastmath<fast> : f32
  %ws1 = arith.addf %wt1, %wg21 fastmath<fast> : f32
  %wg02 = arith.mulf %w0, %g02 fastmath<fast> : f32
  %wg12 = arith.mulf %w1, %g12 fastmath<fast> : f32
  %wg22 = arith.mulf %w2, %g22 fastmath<fast> : f32
  %wt2 = arith.addf %wg02, %wg12 fastmath<fast> : f32
  %ws2 = arith.addf %wt2, %wg22 fastmath<fast> : f32
  %wg03 = arith.mulf %w0, %g03 fastmath<fast> : f32
  %wg13 = arith.mulf %w1, %g13 fastmath<fast> : f32
  %wg23 = arith.mulf %w2, %g23 fastmath<fast> : f32
  %wt3 = arith.addf %wg03, %wg13 fastmath<fast> : f32
  %ws3 = arith.addf %wt3, %wg23 fastmath<fast> : f32
  %mg00 = arith.mulf %m0, %g00 fastmath<fast> : f32
  %mg10 = arith.mulf %m1, %g10 fastmath<fast> : f32
  %mg20 = arith.mulf %m2, %g20 fastmath<fast> : f32
  %mt0 = arith.addf %mg00, %mg10 fastmath<fast> : f32
  %ms0 = arith.addf %mt0, %mg20 fastmath<fast> : f32
  %mg01 = arith.mulf %m0, %g01 fastmath<fast> : f32
  %mg11 = arith.mulf %m1, %g11 fastmath<fast> : f32
  %mg21 = arith.mulf %m2, %g21 fastmath<fast> : f32
  %mt1 = arith.addf %mg01, %mg11 fastmath<fast> : f32
  %ms1 = arith.addf %mt1, %mg21 fastmath<fast> : f32
  %mg02 = arith.mulf %m0, %g02 fastmath<fast> : f32
  %mg12 = arith.mulf %m1, %g12 fastmath<fast> : f32
  %mg22 = arith.mulf %m2, %g22 fastmath<fast> : f32
  %mt2 = arith.addf %mg02, %mg12 fastmath<fast> : f32
  %ms2 = arith.addf %mt2, %mg22 fastmath<fast> : f32
  %mg03 = arith.mulf %m0, %g03 fastmath<fast> : f32
  %mg13 = arith.mulf %m1, %g13 fastmath<fast> : f32
  %mg23 = arith.mulf %m2, %g23 fastmath<fast> : f32
  %mt3 = arith.addf %mg03, %mg13 fastmath<fast> : f32
  %ms3 = arith.addf %mt3, %mg23 fastmath<fast> : f32
  chi.store %ws0, %to[%p : i32] inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws1, %to[%p : i32] component 1 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws2, %to[%p : i32] component 2 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws3, %to[%p : i32] component 3 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms0, %to[%p : i32] component 4 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms1, %to[%p : i32] component 5 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms2, %to[%p : i32] component 6 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms3, %to[%p : i32] component 7 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.next
}

// Weights that are not one step from each other are products.
// CHECK-LABEL: chi.task @uneven
// CHECK-COUNT-6: arith.mulf {{.*}} : vector<4xf32>
// CHECK-NOT: arith.subf {{.*}} vector
chi.task @uneven(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<4xf32>>, %g: !chi.field<?x?x!chi.vec<4xf32>>, %to: !chi.field<?x!chi.mat<2x4xf32>>) over 0 (%p: i32) {
  %o0 = arith.constant 0.5 : f32
  %o1 = arith.constant 1.0 : f32
  %o2 = arith.constant 2.5 : f32
  %dx = arith.constant 0.25 : f32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i0 = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %i1 = arith.addi %i0, %one overflow<nsw> : i32
  %i2 = arith.addi %i0, %two overflow<nsw> : i32
  %w0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w2 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %w3 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xf32>> -> f32
  %s0 = arith.subf %o0, %w3 fastmath<fast> : f32
  %d0 = arith.mulf %s0, %dx fastmath<fast> : f32
  %m0 = arith.mulf %w0, %d0 fastmath<fast> : f32
  %s1 = arith.subf %o1, %w3 fastmath<fast> : f32
  %d1 = arith.mulf %s1, %dx fastmath<fast> : f32
  %m1 = arith.mulf %w1, %d1 fastmath<fast> : f32
  %s2 = arith.subf %o2, %w3 fastmath<fast> : f32
  %d2 = arith.mulf %s2, %dx fastmath<fast> : f32
  %m2 = arith.mulf %w2, %d2 fastmath<fast> : f32
  %g00 = chi.load %g[%i0, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g01 = chi.load %g[%i0, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g02 = chi.load %g[%i0, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g03 = chi.load %g[%i0, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g10 = chi.load %g[%i1, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g11 = chi.load %g[%i1, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g12 = chi.load %g[%i1, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g13 = chi.load %g[%i1, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g20 = chi.load %g[%i2, %p : i32, i32] inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g21 = chi.load %g[%i2, %p : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g22 = chi.load %g[%i2, %p : i32, i32] component 2 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %g23 = chi.load %g[%i2, %p : i32, i32] component 3 inbounds : !chi.field<?x?x!chi.vec<4xf32>> -> f32
  %wg00 = arith.mulf %w0, %g00 fastmath<fast> : f32
  %wg10 = arith.mulf %w1, %g10 fastmath<fast> : f32
  %wg20 = arith.mulf %w2, %g20 fastmath<fast> : f32
  %wt0 = arith.addf %wg00, %wg10 fastmath<fast> : f32
  %ws0 = arith.addf %wt0, %wg20 fastmath<fast> : f32
  %wg01 = arith.mulf %w0, %g01 fastmath<fast> : f32
  %wg11 = arith.mulf %w1, %g11 fastmath<fast> : f32
  %wg21 = arith.mulf %w2, %g21 fastmath<fast> : f32
  %wt1 = arith.addf %wg01, %wg11 fastmath<fast> : f32
  %ws1 = arith.addf %wt1, %wg21 fastmath<fast> : f32
  %wg02 = arith.mulf %w0, %g02 fastmath<fast> : f32
  %wg12 = arith.mulf %w1, %g12 fastmath<fast> : f32
  %wg22 = arith.mulf %w2, %g22 fastmath<fast> : f32
  %wt2 = arith.addf %wg02, %wg12 fastmath<fast> : f32
  %ws2 = arith.addf %wt2, %wg22 fastmath<fast> : f32
  %wg03 = arith.mulf %w0, %g03 fastmath<fast> : f32
  %wg13 = arith.mulf %w1, %g13 fastmath<fast> : f32
  %wg23 = arith.mulf %w2, %g23 fastmath<fast> : f32
  %wt3 = arith.addf %wg03, %wg13 fastmath<fast> : f32
  %ws3 = arith.addf %wt3, %wg23 fastmath<fast> : f32
  %mg00 = arith.mulf %m0, %g00 fastmath<fast> : f32
  %mg10 = arith.mulf %m1, %g10 fastmath<fast> : f32
  %mg20 = arith.mulf %m2, %g20 fastmath<fast> : f32
  %mt0 = arith.addf %mg00, %mg10 fastmath<fast> : f32
  %ms0 = arith.addf %mt0, %mg20 fastmath<fast> : f32
  %mg01 = arith.mulf %m0, %g01 fastmath<fast> : f32
  %mg11 = arith.mulf %m1, %g11 fastmath<fast> : f32
  %mg21 = arith.mulf %m2, %g21 fastmath<fast> : f32
  %mt1 = arith.addf %mg01, %mg11 fastmath<fast> : f32
  %ms1 = arith.addf %mt1, %mg21 fastmath<fast> : f32
  %mg02 = arith.mulf %m0, %g02 fastmath<fast> : f32
  %mg12 = arith.mulf %m1, %g12 fastmath<fast> : f32
  %mg22 = arith.mulf %m2, %g22 fastmath<fast> : f32
  %mt2 = arith.addf %mg02, %mg12 fastmath<fast> : f32
  %ms2 = arith.addf %mt2, %mg22 fastmath<fast> : f32
  %mg03 = arith.mulf %m0, %g03 fastmath<fast> : f32
  %mg13 = arith.mulf %m1, %g13 fastmath<fast> : f32
  %mg23 = arith.mulf %m2, %g23 fastmath<fast> : f32
  %mt3 = arith.addf %mg03, %mg13 fastmath<fast> : f32
  %ms3 = arith.addf %mt3, %mg23 fastmath<fast> : f32
  chi.store %ws0, %to[%p : i32] inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws1, %to[%p : i32] component 1 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws2, %to[%p : i32] component 2 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ws3, %to[%p : i32] component 3 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms0, %to[%p : i32] component 4 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms1, %to[%p : i32] component 5 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms2, %to[%p : i32] component 6 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.store %ms3, %to[%p : i32] component 7 inbounds : f32, !chi.field<?x!chi.mat<2x4xf32>>
  chi.next
}
