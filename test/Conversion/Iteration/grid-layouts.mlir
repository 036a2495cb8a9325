// Where a scalar lies, by what a nest knows of a field: extents that come with
// it, strides, planes of components, a component that the run chooses.
// RUN: chi-opt %s --chi-test-lower-iteration --cse | FileCheck %s

// A field of unknown order: each index by its own stride, all in memory's unit.
// CHECK-LABEL: func.func private @strided.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N0:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[S0:[a-z0-9]+]]: index, %[[S1:[a-z0-9]+]]: index,
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[A:.*]] = arith.muli %[[I]], %[[S0]]
// CHECK:         %[[J:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[B:.*]] = arith.muli %[[J]], %[[S1]]
// CHECK:         %[[AT:.*]] = arith.addi %[[A]], %[[B]]
// CHECK:         memref.load %[[X]][%[[AT]]]
!S = !chi.field<?x?xf32, order = ?>
chi.task @strided(%x: !S) (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !S -> f32
  chi.store %v, %x[%j, %i : i32, i32] inbounds : f32, !S
  chi.next
}

// Planes: a component is a whole number of elements further on.
// CHECK-LABEL: func.func private @planes.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index,
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[PLANES:.*]] = arith.muli %[[N]], %c2
// CHECK:         %[[AT:.*]] = arith.addi %[[PLANES]], %[[I]]
// CHECK:         memref.load %[[X]][%[[AT]]]
!P = !chi.field<?x!chi.vec<3xf32>, soa>
chi.task @planes(%x: !P) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] component 2 inbounds : !P -> f32
  chi.store %v, %x[%i : i32] inbounds : f32, !P
  chi.next
}

// A component that the run chooses, of elements of three.
// CHECK-LABEL: func.func private @chosen.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[K:[a-z0-9]+]]: i32,
// CHECK:         %[[C:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK:         %[[FIRST:.*]] = arith.muli %{{.*}}, %c3
// CHECK:         %[[AT:.*]] = arith.addi %[[FIRST]], %[[C]]
// CHECK:         memref.load %[[X]][%[[AT]]]
!V = !chi.field<?x!chi.vec<3xf32>>
chi.task @chosen(%x: !V, %y: !V, %k: i32) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] dynamic(%k : i32) inbounds : !V -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !V
  chi.next
}

// The first axis runs along memory if the order says so.
// CHECK-LABEL: func.func private @columns.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N0:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index,
// CHECK:         %[[J:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[COLUMN:.*]] = arith.muli %[[J]], %[[N0]]
// CHECK:         %[[AT:.*]] = arith.addi %[[COLUMN]], %[[I]]
// CHECK:         memref.load %[[X]][%[[AT]]]
!O = !chi.field<?x?xf32, order = [1, 0]>
chi.task @columns(%x: !O) (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !O -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !O
  chi.next
}
