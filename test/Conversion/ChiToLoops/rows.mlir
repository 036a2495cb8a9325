// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Neighbours in memory: one load and one store at the first one's place, with
// all lanes; (i, 1) is scalar 3 * (3 * i + 1) of a field of rows of 3 elements.
// CHECK-LABEL: func.func private @k.t0.body
// CHECK:     %[[NEW:.*]] = vector.maskedload %{{.*}}[%[[FROM:.*]]], %{{.*}}, %{{.*}} : memref<?xf32>, vector<6xi1>, vector<6xf32> into vector<6xf32>
// CHECK:     %[[OLD:.*]] = vector.maskedload %[[TO:.*]][%[[PLACE:.*]]], %{{.*}}, %{{.*}} : memref<?xf32>, vector<6xi1>, vector<6xf32> into vector<6xf32>
// CHECK:     %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]{{.*}} : vector<6xf32>
// CHECK:     vector.maskedstore %[[TO]][%[[PLACE]]], %{{.*}}, %[[SUM]]
// Where copies are refused, lanes are atomics.
// CHECK-LABEL: func.func private @k.t0.may_alias
// CHECK:     vector.maskedload
// CHECK-NOT: vector.maskedload
// CHECK-COUNT-6: memref.atomic_rmw addf
// CHECK-NOT: memref.atomic_rmw
// CHECK:     return
chi.task @k.t0(%from: !chi.field<?x3x!chi.vec<3xf32>>, %at: !chi.field<?xi32>, %to: !chi.field<?x3x!chi.vec<3xf32>>) over 1 (%p: i32) attributes {axes = ["p"], kernel = "k"} {
  %one = arith.constant 1 : i32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  %v = chi.load %from[%i, %one : i32, i32] inbounds {contiguous} : !chi.field<?x3x!chi.vec<3xf32>> -> vector<6xf32>
  chi.accum add %v, %to[%i, %one : i32, i32] inbounds strategy(privatized) {contiguous} : vector<6xf32>, !chi.field<?x3x!chi.vec<3xf32>>
  chi.next
}

func.func @k(%from: !chi.field<?x3x!chi.vec<3xf32>>, %at: !chi.field<?xi32>, %to: !chi.field<?x3x!chi.vec<3xf32>>) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %n = chi.dim %at, 0 : !chi.field<?xi32> -> i32
  chi.launch @k.t0(%from, %at, %to : !chi.field<?x3x!chi.vec<3xf32>>, !chi.field<?xi32>, !chi.field<?x3x!chi.vec<3xf32>>) from(%zero : i32) to(%n : i32)
  return
}
