// RUN: chi-opt %s --chi-slp --canonicalize --cse | FileCheck %s

// Two sums over the same rows: what all terms of one have (the weights of the inner axis, a
// constant) is multiplied once, after the sum, and scalars before vectors.
// CHECK-LABEL: chi.task @gradient
// CHECK: %[[FOUR:.*]] = arith.constant dense<4.000000e+00> : vector<4xf32>
// CHECK: %[[X0:.*]] = chi.load %{{.*}} inbounds : <?x!chi.vec<6xf32>> -> f32
// CHECK: %[[X1:.*]] = chi.load %{{.*}} component 1 inbounds : <?x!chi.vec<6xf32>> -> f32
// CHECK: %[[A:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x?x!chi.vec<2xf32>> -> vector<4xf32>
// CHECK: %[[B:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x?x!chi.vec<2xf32>> -> vector<4xf32>
// CHECK: %[[WY:.*]] = vector.shuffle %{{.*}} [0, 0, 1, 1]
// CHECK: %[[WX0:.*]] = vector.broadcast %[[X0]]
// CHECK: %[[PA:.*]] = arith.mulf %[[A]], %[[WX0]]
// CHECK: %[[WX1:.*]] = vector.broadcast %[[X1]]
// CHECK: %[[PB:.*]] = arith.mulf %[[B]], %[[WX1]]
// CHECK: %[[S:.*]] = arith.addf %[[PA]], %[[PB]]
// CHECK: arith.mulf %[[S]], %[[WY]]
// CHECK: %[[XD0:.*]] = arith.mulf %[[X0]], %{{.*}} : f32
// CHECK: %[[D0:.*]] = vector.broadcast %[[XD0]]
// CHECK: %[[QA:.*]] = arith.mulf %[[A]], %[[D0]]
// CHECK: %[[XD1:.*]] = arith.mulf %[[X1]], %{{.*}} : f32
// CHECK: %[[D1:.*]] = vector.broadcast %[[XD1]]
// CHECK: %[[QB:.*]] = arith.mulf %[[B]], %[[D1]]
// CHECK: %[[T:.*]] = arith.addf %[[QA]], %[[QB]]
// CHECK: %[[C:.*]] = arith.mulf %[[WY]], %[[FOUR]]
// CHECK: arith.mulf %[[T]], %[[C]]
chi.task @gradient(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<6xf32>>, %g: !chi.field<?x?x!chi.vec<2xf32>>, %to: !chi.field<?x!chi.vec<4xf32>>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %four = arith.constant 4.0 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %j = arith.addi %i, %one overflow<nsw> : i32
  %x0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %x1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %y0 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %y1 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d0 = chi.load %w[%p : i32] component 4 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d1 = chi.load %w[%p : i32] component 5 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %g000 = chi.load %g[%i, %i : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g001 = chi.load %g[%i, %i : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g010 = chi.load %g[%i, %j : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g011 = chi.load %g[%i, %j : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g100 = chi.load %g[%j, %i : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g101 = chi.load %g[%j, %i : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g110 = chi.load %g[%j, %j : i32, i32] inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %g111 = chi.load %g[%j, %j : i32, i32] component 1 inbounds : !chi.field<?x?x!chi.vec<2xf32>> -> f32
  %w00 = arith.mulf %x0, %y0 fastmath<fast> : f32
  %w01 = arith.mulf %x0, %y1 fastmath<fast> : f32
  %w10 = arith.mulf %x1, %y0 fastmath<fast> : f32
  %w11 = arith.mulf %x1, %y1 fastmath<fast> : f32
  %v000 = arith.mulf %w00, %g000 fastmath<fast> : f32
  %v001 = arith.mulf %w01, %g010 fastmath<fast> : f32
  %sv001 = arith.addf %v000, %v001 fastmath<fast> : f32
  %v010 = arith.mulf %w10, %g100 fastmath<fast> : f32
  %sv010 = arith.addf %sv001, %v010 fastmath<fast> : f32
  %v011 = arith.mulf %w11, %g110 fastmath<fast> : f32
  %sv011 = arith.addf %sv010, %v011 fastmath<fast> : f32
  %c000f = arith.mulf %four, %w00 fastmath<fast> : f32
  %c000g = arith.mulf %g000, %d0 fastmath<fast> : f32
  %c000 = arith.mulf %c000f, %c000g fastmath<fast> : f32
  %c001f = arith.mulf %four, %w01 fastmath<fast> : f32
  %c001g = arith.mulf %g010, %d0 fastmath<fast> : f32
  %c001 = arith.mulf %c001f, %c001g fastmath<fast> : f32
  %sc001 = arith.addf %c000, %c001 fastmath<fast> : f32
  %c010f = arith.mulf %four, %w10 fastmath<fast> : f32
  %c010g = arith.mulf %g100, %d1 fastmath<fast> : f32
  %c010 = arith.mulf %c010f, %c010g fastmath<fast> : f32
  %sc010 = arith.addf %sc001, %c010 fastmath<fast> : f32
  %c011f = arith.mulf %four, %w11 fastmath<fast> : f32
  %c011g = arith.mulf %g110, %d1 fastmath<fast> : f32
  %c011 = arith.mulf %c011f, %c011g fastmath<fast> : f32
  %sc011 = arith.addf %sc010, %c011 fastmath<fast> : f32
  %v100 = arith.mulf %w00, %g001 fastmath<fast> : f32
  %v101 = arith.mulf %w01, %g011 fastmath<fast> : f32
  %sv101 = arith.addf %v100, %v101 fastmath<fast> : f32
  %v110 = arith.mulf %w10, %g101 fastmath<fast> : f32
  %sv110 = arith.addf %sv101, %v110 fastmath<fast> : f32
  %v111 = arith.mulf %w11, %g111 fastmath<fast> : f32
  %sv111 = arith.addf %sv110, %v111 fastmath<fast> : f32
  %c100f = arith.mulf %four, %w00 fastmath<fast> : f32
  %c100g = arith.mulf %g001, %d0 fastmath<fast> : f32
  %c100 = arith.mulf %c100f, %c100g fastmath<fast> : f32
  %c101f = arith.mulf %four, %w01 fastmath<fast> : f32
  %c101g = arith.mulf %g011, %d0 fastmath<fast> : f32
  %c101 = arith.mulf %c101f, %c101g fastmath<fast> : f32
  %sc101 = arith.addf %c100, %c101 fastmath<fast> : f32
  %c110f = arith.mulf %four, %w10 fastmath<fast> : f32
  %c110g = arith.mulf %g101, %d1 fastmath<fast> : f32
  %c110 = arith.mulf %c110f, %c110g fastmath<fast> : f32
  %sc110 = arith.addf %sc101, %c110 fastmath<fast> : f32
  %c111f = arith.mulf %four, %w11 fastmath<fast> : f32
  %c111g = arith.mulf %g111, %d1 fastmath<fast> : f32
  %c111 = arith.mulf %c111f, %c111g fastmath<fast> : f32
  %sc111 = arith.addf %sc110, %c111 fastmath<fast> : f32
  chi.store %sv011, %to[%p : i32] inbounds : f32, !chi.field<?x!chi.vec<4xf32>>
  chi.store %sc011, %to[%p : i32] component 2 inbounds : f32, !chi.field<?x!chi.vec<4xf32>>
  chi.store %sv111, %to[%p : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<4xf32>>
  chi.store %sc111, %to[%p : i32] component 3 inbounds : f32, !chi.field<?x!chi.vec<4xf32>>
  chi.next
}
