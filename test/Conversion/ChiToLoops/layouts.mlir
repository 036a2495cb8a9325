// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops | FileCheck %s

// Where a scalar lies: the axes in the order of memory, each scaled by the
// extents behind it, which come with the field where its type does not know
// them; then the component, within an element or as a plane of its own.

// Nothing to add up: a field of rank 0 has one element.
// CHECK-LABEL: func.func private @point.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[V:[a-z0-9]+]]: memref<?xf32> {llvm.noalias})
// CHECK:         memref.load %[[X]][%{{c0(_[0-9]+)?}}] : memref<?xf32>
// CHECK:         memref.store %{{.*}}, %[[V]][%{{c1(_[0-9]+)?}}] : memref<?xf32>
chi.task @point(%x: !chi.field<f32>, %v: !chi.field<!chi.vec<3xf32>>) () {
  %a = chi.load %x[] inbounds : !chi.field<f32> -> f32
  chi.store %a, %v[] component 1 inbounds : f32, !chi.field<!chi.vec<3xf32>>
  chi.next
}

// Row by row: ((i * n1) + j) * n2 + k; extents of axes that only come first are
// not needed.
!R = !chi.field<?x?x?xf32>
// CHECK-LABEL: func.func private @rows.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[N0:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[N2:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[A:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK-DAG:     %[[B:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK-DAG:     %[[C:.*]] = arith.index_cast %[[K]] : i32 to index
// CHECK-DAG:     %[[P:.*]] = arith.muli %[[A]], %[[N1]] overflow<nsw> : index
// CHECK-DAG:     %[[Q:.*]] = arith.addi %[[P]], %[[B]] overflow<nsw> : index
// CHECK-DAG:     %[[S:.*]] = arith.muli %[[Q]], %[[N2]] overflow<nsw> : index
// CHECK-DAG:     %[[T:.*]] = arith.addi %[[S]], %[[C]] overflow<nsw> : index
// CHECK:         memref.load %[[X]][%[[T]]]
// CHECK-NOT:     %[[N0]]
chi.task @rows(%x: !R, %i: i32, %j: i32, %k: i32) () {
  %a = chi.load %x[%i, %j, %k : i32, i32, i32] inbounds : !R -> f32
  chi.next
}

// Another order of the axes: memory runs along the second, then the first, then
// the third: ((k * n0) + i) * n1 + j.
!O = !chi.field<?x?x?xf32, order = [2, 0, 1]>
// CHECK-LABEL: func.func private @order.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[N0:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[N2:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i64, %[[K:[a-z0-9]+]]: i8)
// CHECK:         %[[C:.*]] = arith.index_cast %[[K]] : i8 to index
// CHECK:         %[[A:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:         %[[P:.*]] = arith.muli %[[C]], %[[N0]] overflow<nsw> : index
// CHECK:         %[[Q:.*]] = arith.addi %[[P]], %[[A]] overflow<nsw> : index
// CHECK:         %[[B:.*]] = arith.index_cast %[[J]] : i64 to index
// CHECK:         %[[S:.*]] = arith.muli %[[Q]], %[[N1]] overflow<nsw> : index
// CHECK:         %[[T:.*]] = arith.addi %[[S]], %[[B]] overflow<nsw> : index
// CHECK:         memref.load %[[X]][%[[T]]]
chi.task @order(%x: !O, %i: i32, %j: i64, %k: i8) () {
  %a = chi.load %x[%i, %j, %k : i32, i64, i8] inbounds : !O -> f32
  chi.next
}

// A component found at run time is added to the one that is known. Matrices are
// elements of rows * columns scalars.
!M = !chi.field<?x!chi.mat<2x3xf64>>
// CHECK-LABEL: func.func private @dynamic.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64> {llvm.noalias}, %[[N:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: i32, %[[D:[a-z0-9]+]]: i32)
// CHECK:         %[[A:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : index
// CHECK:         %[[DI:.*]] = arith.index_cast %[[D]] : i32 to index
// CHECK:         %[[PART:.*]] = arith.addi %[[DI]], %[[FOUR]] overflow<nsw> : index
// CHECK:         %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         %[[FIRST:.*]] = arith.muli %[[A]], %[[SIX]] overflow<nsw> : index
// CHECK:         %[[AT:.*]] = arith.addi %[[FIRST]], %[[PART]] overflow<nsw> : index
// CHECK:         memref.load %[[X]][%[[AT]]]
chi.task @dynamic(%x: !M, %i: i32, %d: i32) () {
  %a = chi.load %x[%i : i32] dynamic(%d : i32) component 4 inbounds : !M -> f64
  chi.next
}

// Planes: the number of the component times the number of elements, which is
// the product of the extents.
!P = !chi.field<?x5x!chi.vec<4xf32>, soa>
// CHECK-LABEL: func.func private @planes.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[N:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32, %[[D:[a-z0-9]+]]: i32, %{{.*}}: f32)
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : index
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %[[FIVE]] overflow<nsw> : index
// CHECK:         %[[ELEMENT:.*]] = arith.addi %[[ROW]], %{{.*}} overflow<nsw> : index
// CHECK:         %[[PART:.*]] = arith.index_cast %[[D]] : i32 to index
// CHECK:         %[[ALL:.*]] = arith.muli %[[N]], %[[FIVE]] overflow<nsw> : index
// CHECK:         %[[PLANE:.*]] = arith.muli %[[PART]], %[[ALL]] overflow<nsw> : index
// CHECK:         %[[AT:.*]] = arith.addi %[[PLANE]], %[[ELEMENT]] overflow<nsw> : index
// CHECK:         memref.store %{{.*}}, %[[X]][%[[AT]]]
chi.task @planes(%x: !P, %i: i32, %j: i32, %d: i32, %v: f32) () {
  chi.store %v, %x[%i, %j : i32, i32] dynamic(%d : i32) inbounds : f32, !P
  chi.next
}

// An extent is the argument that came with the field, or a constant of its
// type; under a cast, what the field itself knows.
// CHECK-LABEL: func.func private @extents.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi64> {llvm.noalias}, %[[N:[a-z0-9]+]]: index)
// CHECK:         %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK:         %[[A:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:         memref.store %[[A]], %[[X]]
// CHECK:         memref.store %c7_i64{{.*}}, %[[X]]
// CHECK-NOT:     chi.
// CHECK:         return
chi.task @extents(%x: !chi.field<?x7xi64>) () {
  %z = arith.constant 0 : i32
  %y = chi.cast_field %x : !chi.field<?x7xi64> to !chi.field<?x?xi64>
  %m = chi.dim %y, 0 : !chi.field<?x?xi64> -> i64
  chi.store %m, %x[%z, %z : i32, i32] inbounds : i64, !chi.field<?x7xi64>
  %n = chi.dim %y, 1 : !chi.field<?x?xi64> -> i64
  chi.store %n, %y[%z, %z : i32, i32] inbounds : i64, !chi.field<?x?xi64>
  chi.next
}

// Only the handle knows how a view lies in memory: its strides come behind its
// extents, that of the components last.
!S = !chi.field<?x8xf32, order = ?>
!T = !chi.field<4x!chi.vec<2xf32>, order = ?>
// CHECK-LABEL: func.func private @strided.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>{{[^,]*}}, %{{[a-z0-9]+}}: index, %[[S0:[a-z0-9]+]]: index, %[[S1:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: memref<?xf32>{{[^,]*}}, %[[T0:[a-z0-9]+]]: index, %[[C:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32)
// CHECK:         %[[A:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:         %[[P:.*]] = arith.muli %[[A]], %[[S0]] overflow<nsw> : index
// CHECK:         %[[B:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:         %[[Q:.*]] = arith.muli %[[B]], %[[S1]] overflow<nsw> : index
// CHECK:         %[[R:.*]] = arith.addi %[[P]], %[[Q]] overflow<nsw> : index
// CHECK:         memref.load %[[X]][%[[R]]]
// CHECK:         %[[D:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:         %[[E:.*]] = arith.muli %[[D]], %[[T0]] overflow<nsw> : index
// CHECK:         %[[F:.*]] = arith.addi %[[E]], %[[C]] overflow<nsw> : index
// CHECK:         memref.store %{{.*}}, %[[V]][%[[F]]]
chi.task @strided(%x: !S, %v: !T, %i: i32, %j: i32) () {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !S -> f32
  chi.store %a, %v[%j : i32] component 1 inbounds : f32, !T
  chi.next
}
