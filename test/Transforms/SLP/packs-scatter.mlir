// RUN: chi-opt %s --chi-slp --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-slp=without=slp-sums --canonicalize --cse | FileCheck %s --check-prefix=OFF

// Three rows, each `weight of the row * weights along it * (a + b * d)`. The weights along the
// rows go into a and b, two products instead of three, and the sum keeps its order, so that LLVM
// does not take them out again.
// CHECK-LABEL: chi.task @weighted
// CHECK: %[[Y:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x!chi.vec<9xf32>> -> vector<3xf32>
// CHECK: %[[A:.*]] = chi.load %{{.*}} component 3 inbounds {contiguous} : <?x!chi.vec<9xf32>> -> vector<3xf32>
// CHECK: %[[B:.*]] = chi.load %{{.*}} component 6 inbounds {contiguous} : <?x!chi.vec<9xf32>> -> vector<3xf32>
// CHECK: %[[YA:.*]] = arith.mulf %[[Y]], %[[A]]
// CHECK: %[[YB:.*]] = arith.mulf %[[Y]], %[[B]]
// CHECK-COUNT-3: arith.addf %[[YA]], %{{.*}} fastmath<nnan,ninf,nsz,arcp,contract,afn>
// CHECK-NOT: arith.mulf %[[Y]]
// OFF-LABEL: chi.task @weighted
// OFF: %[[Y:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x!chi.vec<9xf32>> -> vector<3xf32>
// OFF-COUNT-3: arith.mulf %{{.*}}, %[[Y]]
chi.task @weighted(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<9xf32>>, %s: !chi.field<?x!chi.vec<6xf32>>, %g: !chi.field<?x?xf32>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i0 = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %i1 = arith.addi %i0, %one overflow<nsw> : i32
  %i2 = arith.addi %i0, %two overflow<nsw> : i32
  %y0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %y1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %y2 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a0 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a1 = chi.load %w[%p : i32] component 4 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a2 = chi.load %w[%p : i32] component 5 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b0 = chi.load %w[%p : i32] component 6 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b1 = chi.load %w[%p : i32] component 7 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b2 = chi.load %w[%p : i32] component 8 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %x0 = chi.load %s[%p : i32] inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %x1 = chi.load %s[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %x2 = chi.load %s[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d0 = chi.load %s[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d1 = chi.load %s[%p : i32] component 4 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d2 = chi.load %s[%p : i32] component 5 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %w00 = arith.mulf %x0, %y0 fastmath<fast> : f32
  %m00 = arith.mulf %b0, %d0 fastmath<fast> : f32
  %s00 = arith.addf %m00, %a0 fastmath<fast> : f32
  %v00 = arith.mulf %w00, %s00 fastmath<fast> : f32
  chi.accum add %v00, %g[%i0, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w01 = arith.mulf %x0, %y1 fastmath<fast> : f32
  %m01 = arith.mulf %b1, %d0 fastmath<fast> : f32
  %s01 = arith.addf %m01, %a1 fastmath<fast> : f32
  %v01 = arith.mulf %w01, %s01 fastmath<fast> : f32
  chi.accum add %v01, %g[%i0, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w02 = arith.mulf %x0, %y2 fastmath<fast> : f32
  %m02 = arith.mulf %b2, %d0 fastmath<fast> : f32
  %s02 = arith.addf %m02, %a2 fastmath<fast> : f32
  %v02 = arith.mulf %w02, %s02 fastmath<fast> : f32
  chi.accum add %v02, %g[%i0, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w10 = arith.mulf %x1, %y0 fastmath<fast> : f32
  %m10 = arith.mulf %b0, %d1 fastmath<fast> : f32
  %s10 = arith.addf %m10, %a0 fastmath<fast> : f32
  %v10 = arith.mulf %w10, %s10 fastmath<fast> : f32
  chi.accum add %v10, %g[%i1, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w11 = arith.mulf %x1, %y1 fastmath<fast> : f32
  %m11 = arith.mulf %b1, %d1 fastmath<fast> : f32
  %s11 = arith.addf %m11, %a1 fastmath<fast> : f32
  %v11 = arith.mulf %w11, %s11 fastmath<fast> : f32
  chi.accum add %v11, %g[%i1, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w12 = arith.mulf %x1, %y2 fastmath<fast> : f32
  %m12 = arith.mulf %b2, %d1 fastmath<fast> : f32
  %s12 = arith.addf %m12, %a2 fastmath<fast> : f32
  %v12 = arith.mulf %w12, %s12 fastmath<fast> : f32
  chi.accum add %v12, %g[%i1, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w20 = arith.mulf %x2, %y0 fastmath<fast> : f32
  %m20 = arith.mulf %b0, %d2 fastmath<fast> : f32
  %s20 = arith.addf %m20, %a0 fastmath<fast> : f32
  %v20 = arith.mulf %w20, %s20 fastmath<fast> : f32
  chi.accum add %v20, %g[%i2, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w21 = arith.mulf %x2, %y1 fastmath<fast> : f32
  %m21 = arith.mulf %b1, %d2 fastmath<fast> : f32
  %s21 = arith.addf %m21, %a1 fastmath<fast> : f32
  %v21 = arith.mulf %w21, %s21 fastmath<fast> : f32
  chi.accum add %v21, %g[%i2, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w22 = arith.mulf %x2, %y2 fastmath<fast> : f32
  %m22 = arith.mulf %b2, %d2 fastmath<fast> : f32
  %s22 = arith.addf %m22, %a2 fastmath<fast> : f32
  %v22 = arith.mulf %w22, %s22 fastmath<fast> : f32
  chi.accum add %v22, %g[%i2, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  chi.next
}

// Not where the program's order is kept.
// CHECK-LABEL: chi.task @exact
// CHECK: %[[Y:.*]] = chi.load %{{.*}} inbounds {contiguous} : <?x!chi.vec<9xf32>> -> vector<3xf32>
// CHECK-COUNT-3: arith.mulf %{{.*}}, %[[Y]] : vector<3xf32>
chi.task @exact(%at: !chi.field<?xi32>, %w: !chi.field<?x!chi.vec<9xf32>>, %s: !chi.field<?x!chi.vec<6xf32>>, %g: !chi.field<?x?xf32>) over 0 (%p: i32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i0 = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %i1 = arith.addi %i0, %one overflow<nsw> : i32
  %i2 = arith.addi %i0, %two overflow<nsw> : i32
  %y0 = chi.load %w[%p : i32] inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %y1 = chi.load %w[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %y2 = chi.load %w[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a0 = chi.load %w[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a1 = chi.load %w[%p : i32] component 4 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %a2 = chi.load %w[%p : i32] component 5 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b0 = chi.load %w[%p : i32] component 6 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b1 = chi.load %w[%p : i32] component 7 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %b2 = chi.load %w[%p : i32] component 8 inbounds : !chi.field<?x!chi.vec<9xf32>> -> f32
  %x0 = chi.load %s[%p : i32] inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %x1 = chi.load %s[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %x2 = chi.load %s[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d0 = chi.load %s[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d1 = chi.load %s[%p : i32] component 4 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %d2 = chi.load %s[%p : i32] component 5 inbounds : !chi.field<?x!chi.vec<6xf32>> -> f32
  %w00 = arith.mulf %x0, %y0  : f32
  %m00 = arith.mulf %b0, %d0  : f32
  %s00 = arith.addf %m00, %a0  : f32
  %v00 = arith.mulf %w00, %s00  : f32
  chi.accum add %v00, %g[%i0, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w01 = arith.mulf %x0, %y1  : f32
  %m01 = arith.mulf %b1, %d0  : f32
  %s01 = arith.addf %m01, %a1  : f32
  %v01 = arith.mulf %w01, %s01  : f32
  chi.accum add %v01, %g[%i0, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w02 = arith.mulf %x0, %y2  : f32
  %m02 = arith.mulf %b2, %d0  : f32
  %s02 = arith.addf %m02, %a2  : f32
  %v02 = arith.mulf %w02, %s02  : f32
  chi.accum add %v02, %g[%i0, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w10 = arith.mulf %x1, %y0  : f32
  %m10 = arith.mulf %b0, %d1  : f32
  %s10 = arith.addf %m10, %a0  : f32
  %v10 = arith.mulf %w10, %s10  : f32
  chi.accum add %v10, %g[%i1, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w11 = arith.mulf %x1, %y1  : f32
  %m11 = arith.mulf %b1, %d1  : f32
  %s11 = arith.addf %m11, %a1  : f32
  %v11 = arith.mulf %w11, %s11  : f32
  chi.accum add %v11, %g[%i1, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w12 = arith.mulf %x1, %y2  : f32
  %m12 = arith.mulf %b2, %d1  : f32
  %s12 = arith.addf %m12, %a2  : f32
  %v12 = arith.mulf %w12, %s12  : f32
  chi.accum add %v12, %g[%i1, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w20 = arith.mulf %x2, %y0  : f32
  %m20 = arith.mulf %b0, %d2  : f32
  %s20 = arith.addf %m20, %a0  : f32
  %v20 = arith.mulf %w20, %s20  : f32
  chi.accum add %v20, %g[%i2, %i0 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w21 = arith.mulf %x2, %y1  : f32
  %m21 = arith.mulf %b1, %d2  : f32
  %s21 = arith.addf %m21, %a1  : f32
  %v21 = arith.mulf %w21, %s21  : f32
  chi.accum add %v21, %g[%i2, %i1 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  %w22 = arith.mulf %x2, %y2  : f32
  %m22 = arith.mulf %b2, %d2  : f32
  %s22 = arith.addf %m22, %a2  : f32
  %v22 = arith.mulf %w22, %s22  : f32
  chi.accum add %v22, %g[%i2, %i2 : i32, i32] inbounds strategy(privatized) : f32, !chi.field<?x?xf32>
  chi.next
}
