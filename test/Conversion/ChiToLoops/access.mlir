// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Static extents and the bounds of the one launch are constants of the body;
// rank 1 is one loop over the variable itself.
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[X:.*]]: memref<?xf32> {llvm.noalias}, %[[Y:.*]]: memref<?xf32> {llvm.noalias}
// CHECK-SAME:    %[[B:.*]]: index, %[[E:.*]]: index) attributes {chi.axes = "i, j", chi.body, chi.kernel = "k"}
// CHECK:       scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK:         scf.for %[[J:.*]] = %c{{.*}}_i32
// AoS, order ij: (i * 50 + j) * 2 + 1.
// CHECK:           %[[I0:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:           %[[J0:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:           %[[R:.*]] = arith.muli %[[I0]], %c50
// CHECK:           %[[P:.*]] = arith.addi %[[R]], %[[J0]] overflow<nsw>
// CHECK:           %[[Q:.*]] = arith.muli %[[P]], %c2
// CHECK:           %[[A:.*]] = arith.addi %[[Q]], %c1
// CHECK:           memref.load %[[X]][%[[A]]]
// SoA, order ji: component block, then j * 300 + i.
// CHECK:           %[[C:.*]] = arith.muli %{{.*}}, %c300
// CHECK:           %[[L:.*]] = arith.addi %[[C]], %{{.*}} overflow<nsw>
// CHECK:           %[[M:.*]] = arith.addi %[[L]], %c15000
// CHECK:           memref.store %{{.*}}, %[[Y]][%[[M]]]
!X = !chi.field<300x50x!chi.vec<2xf32>>
!Y = !chi.field<300x50x!chi.vec<2xf32>, soa, order = [1, 0]>
chi.task @k.t0(%x: !X, %y: !Y) over 0 (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %v = chi.load %x[%i, %j : i32, i32] component 1 inbounds : !X -> f32
  chi.store %v, %y[%i, %j : i32, i32] component 1 inbounds : f32, !Y
  chi.next
}

// A large launch goes to the pool, rows whole.
// CHECK-LABEL: func.func @k(
// CHECK:         %[[F:.*]] = {{.*}}constant @k.t0.chunk
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c15000_i64, %c50_i64{{.*}}, %c160_i64)
// CHECK-NOT:     chi.launch
func.func @k(%x: !X, %y: !Y) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c300 = arith.constant 300 : i32
  %c50 = arith.constant 50 : i32
  chi.launch @k.t0(%x, %y : !X, !Y) from (%c0, %c0 : i32, i32)
    to (%c300, %c50 : i32, i32)
  return
}
