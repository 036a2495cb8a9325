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

// That no two iterations meet was found with each field alone: where both are
// one field, lanes of plain rows are atomics too.
// CHECK-LABEL: func.func private @sums.body
// CHECK-NOT:   memref.atomic_rmw
// CHECK-COUNT-2: arith.addf {{.*}} : vector<4xf32>
// CHECK-NOT:   memref.atomic_rmw
// CHECK-LABEL: func.func private @sums.may_alias
// CHECK-NOT:   arith.addf
// CHECK-COUNT-8: memref.atomic_rmw addf
// CHECK-NOT:   memref.atomic_rmw
// CHECK:       return
chi.task @sums(%x: !chi.field<?x!chi.vec<4xf32>>, %y: !chi.field<?x!chi.vec<4xf32>>, %v: f32) over 0 (%i: i32) {
  %row = vector.broadcast %v : f32 to vector<4xf32>
  %last = chi.dim %y, 0 : !chi.field<?x!chi.vec<4xf32>> -> i32
  %one = arith.constant 1 : i32
  %end = arith.subi %last, %one : i32
  %k = arith.subi %end, %i : i32
  chi.accum add %row, %x[%i : i32] inbounds strategy(plain) {contiguous} : vector<4xf32>, !chi.field<?x!chi.vec<4xf32>>
  chi.accum add %row, %y[%k : i32] inbounds strategy(plain) {contiguous} : vector<4xf32>, !chi.field<?x!chi.vec<4xf32>>
  chi.next
}
