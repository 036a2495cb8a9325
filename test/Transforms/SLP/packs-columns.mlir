// RUN: chi-opt %s --chi-slp --canonicalize --cse | FileCheck %s

// The columns of a matrix are every third scalar, seven that are shuffled. A
// register is loaded, not pieces of it, where the row is as long as that: the
// first and the second column are of one load.
// CHECK-LABEL: chi.task @columns
// CHECK: %[[A:.*]] = chi.load %{{.*}}[%[[P:.*]] : i32] inbounds {contiguous} : <?x!chi.mat<3x3xf32>> -> vector<8xf32>
// CHECK: %[[B:.*]] = chi.load %{{.*}}[%[[P]] : i32] component 1 inbounds {contiguous} : <?x!chi.mat<3x3xf32>> -> vector<8xf32>
// CHECK: vector.shuffle %[[A]], %[[A]] [0, 3, 6]
// CHECK: vector.shuffle %[[A]], %[[A]] [1, 4, 7]
// CHECK: vector.shuffle %[[B]], %[[B]] [1, 4, 7]
// CHECK-NOT: -> vector<7xf32>
chi.task @columns(%at: !chi.field<?xi32>, %m: !chi.field<?x!chi.mat<3x3xf32>>, %to: !chi.field<?x?x!chi.vec<3xf32>>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %w = arith.constant 0.25 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %j = arith.addi %i, %one overflow<nsw> : i32
  %k = arith.addi %i, %two overflow<nsw> : i32
  %m0 = chi.load %m[%p : i32] inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m1 = chi.load %m[%p : i32] component 1 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m2 = chi.load %m[%p : i32] component 2 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m3 = chi.load %m[%p : i32] component 3 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m4 = chi.load %m[%p : i32] component 4 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m5 = chi.load %m[%p : i32] component 5 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m6 = chi.load %m[%p : i32] component 6 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m7 = chi.load %m[%p : i32] component 7 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %m8 = chi.load %m[%p : i32] component 8 inbounds : !chi.field<?x!chi.mat<3x3xf32>> -> f32
  %a00 = arith.mulf %w, %m0 : f32
  %a01 = arith.mulf %w, %m3 : f32
  %a02 = arith.mulf %w, %m6 : f32
  chi.accum add %a00, %to[%i, %i : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a01, %to[%i, %i : i32, i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a02, %to[%i, %i : i32, i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  %a10 = arith.mulf %w, %m1 : f32
  %a11 = arith.mulf %w, %m4 : f32
  %a12 = arith.mulf %w, %m7 : f32
  chi.accum add %a10, %to[%j, %j : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a11, %to[%j, %j : i32, i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a12, %to[%j, %j : i32, i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  %a20 = arith.mulf %w, %m2 : f32
  %a21 = arith.mulf %w, %m5 : f32
  %a22 = arith.mulf %w, %m8 : f32
  chi.accum add %a20, %to[%k, %k : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a21, %to[%k, %k : i32, i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.accum add %a22, %to[%k, %k : i32, i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x?x!chi.vec<3xf32>>
  chi.next
}
