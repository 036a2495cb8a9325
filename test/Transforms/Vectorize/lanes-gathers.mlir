// RUN: chi-opt %s --chi-lanes | FileCheck %s

// Where data determine what is loaded, lanes are built with and without checks,
// if there is enough work per load.
// CHECK-LABEL: chi.task @far
// CHECK: wide {
// CHECK: chi.load {{.*}} -> vector<{{8|16}}xf32>
chi.task @far(%g: !chi.field<64xf32>, %at: !chi.field<1024xi32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
  %k = chi.load %at[%i : i32] inbounds : !chi.field<1024xi32> -> i32
  %v0 = chi.load %g[%k : i32] inbounds : !chi.field<64xf32> -> f32
  %v1 = math.exp %v0 : f32
  %v2 = math.exp %v1 : f32
  %v3 = math.exp %v2 : f32
  %v4 = math.exp %v3 : f32
  %v5 = math.exp %v4 : f32
  %v6 = math.exp %v5 : f32
  %v7 = math.exp %v6 : f32
  %v8 = math.exp %v7 : f32
  %v9 = math.exp %v8 : f32
  %v10 = math.exp %v9 : f32
  %v11 = math.exp %v10 : f32
  %v12 = math.exp %v11 : f32
  %v13 = math.exp %v12 : f32
  %v14 = math.exp %v13 : f32
  %v15 = math.exp %v14 : f32
  %v16 = math.exp %v15 : f32
  %v17 = math.exp %v16 : f32
  %v18 = math.exp %v17 : f32
  chi.store %v18, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// Too little for what it fetches.
// CHECK-LABEL: chi.task @short
// CHECK-NOT: wide {
chi.task @short(%g: !chi.field<64xf32>, %at: !chi.field<1024xi32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
  %k = chi.load %at[%i : i32] inbounds : !chi.field<1024xi32> -> i32
  %v0 = chi.load %g[%k : i32] inbounds : !chi.field<64xf32> -> f32
  %v1 = math.exp %v0 : f32
  %v2 = math.exp %v1 : f32
  chi.store %v2, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// The places are those of the loop: LLVM widens it.
// CHECK-LABEL: chi.task @near
// CHECK-NOT: wide {
chi.task @near(%g: !chi.field<64xf32>, %at: !chi.field<1024xi32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
  %c = arith.constant 63 : i32
  %k = arith.andi %i, %c : i32
  %v0 = chi.load %g[%k : i32] inbounds : !chi.field<64xf32> -> f32
  %v1 = math.exp %v0 : f32
  %v2 = math.exp %v1 : f32
  %v3 = math.exp %v2 : f32
  %v4 = math.exp %v3 : f32
  %v5 = math.exp %v4 : f32
  %v6 = math.exp %v5 : f32
  %v7 = math.exp %v6 : f32
  %v8 = math.exp %v7 : f32
  %v9 = math.exp %v8 : f32
  %v10 = math.exp %v9 : f32
  %v11 = math.exp %v10 : f32
  %v12 = math.exp %v11 : f32
  %v13 = math.exp %v12 : f32
  %v14 = math.exp %v13 : f32
  %v15 = math.exp %v14 : f32
  %v16 = math.exp %v15 : f32
  %v17 = math.exp %v16 : f32
  %v18 = math.exp %v17 : f32
  chi.store %v18, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}
