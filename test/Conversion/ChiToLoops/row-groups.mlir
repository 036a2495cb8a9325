// RUN: chi-opt %s --chi-schedule=without=last-lane-group --convert-chi-to-loops --cse | FileCheck %s
// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s --check-prefix=TWICE

// A wide body for several rows: rows along its axis are numbered one behind the
// other, whichever axis that is, and a part may begin and end inside of a run.
!Y = !chi.field<?x6x?x16xf32>

// Rows along axis 1 of four: a run is its 6 rows at one place of axes 0 and 2,
// which are taken from the number of the run, the inner one first.
// CHECK-LABEL: func.func private @k.body(
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[N0:[a-z0-9]+]]: index, %[[N2:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: vector<8xf32>, %{{[a-z0-9]+}}: f32, %[[E0:[a-z0-9]+]]: index, %[[E2:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN]], %c16 : index
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %c15 overflow<nsw> : index
// CHECK:         %[[LAST:.*]] = arith.divui %[[UP]], %c16 : index
// CHECK:         %[[SERIESUP:.*]] = arith.addi %[[LAST]], %c5 overflow<nsw> : index
// CHECK:         %[[SERIES0:.*]] = arith.divui %[[FIRST]], %c6 : index
// CHECK:         %[[SERIES1:.*]] = arith.divui %[[SERIESUP]], %c6 : index
// CHECK:         scf.for %[[SERIES:.*]] = %[[SERIES0]] to %[[SERIES1]] step %c1 {
// CHECK:           %[[START:.*]] = arith.muli %[[SERIES]], %c6 overflow<nsw> : index
// CHECK:           %[[P2:.*]] = arith.remui %[[SERIES]], %[[E2]] : index
// CHECK:           %[[K:.*]] = arith.index_cast %[[P2]] : index to i32
// CHECK:           %[[REST:.*]] = arith.divui %[[SERIES]], %[[E2]] : index
// CHECK:           %[[P0:.*]] = arith.remui %[[REST]], %[[E0]] : index
// CHECK:           %[[I:.*]] = arith.index_cast %[[P0]] : index to i32
// The rows of the part within the run.
// CHECK:           %[[A:.*]] = arith.subi %[[FIRST]], %[[START]] overflow<nsw> : index
// CHECK:           %[[FROM:.*]] = arith.maxsi %[[A]], %c0 : index
// CHECK:           %[[B:.*]] = arith.subi %[[LAST]], %[[START]] overflow<nsw> : index
// CHECK:           %[[TO:.*]] = arith.minsi %[[B]], %c6 : index
// Groups of 4 rows do not make 6: two rows are left, one by one.
// CHECK:           %[[COUNT:.*]] = arith.subi %[[TO]], %[[FROM]] overflow<nsw> : index
// CHECK:           %[[GROUPS:.*]] = arith.divui %[[COUNT]], %c4 : index
// CHECK:           %[[FULL:.*]] = arith.muli %[[GROUPS]], %c4 overflow<nsw> : index
// CHECK:           %[[MIDDLE:.*]] = arith.addi %[[FROM]], %[[FULL]] overflow<nsw> : index
// CHECK:           scf.for %[[ROW:.*]] = %[[FROM]] to %[[MIDDLE]] step %c4 {
// CHECK:             %[[J:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK:             scf.for %{{.*}} = %c0_i32 to %c16_i32 step %c8_i32 : i32 {
// CHECK-COUNT-4:       vector.maskedstore
// CHECK-NOT:           vector.maskedstore
// CHECK:           scf.for %[[LEFT:.*]] = %[[MIDDLE]] to %[[TO]] step %c1 {
// CHECK:             arith.index_cast %[[LEFT]] : index to i32
// CHECK:             scf.for %{{.*}} = %c0_i32 to %c16_i32 step %{{.*}} : i32 {
// CHECK:               memref.store
// Where iterations may be done twice the last group ends where the rows end, and
// none is left; in a part of fewer than 4 rows they go one by one.
// TWICE-LABEL: func.func private @k.body(
// TWICE:         %[[FROM:.*]] = arith.maxsi %{{.*}}, %c0 : index
// TWICE:         %[[TO:.*]] = arith.minsi %{{.*}}, %c6 : index
// TWICE:         %[[COUNT:.*]] = arith.subi %[[TO]], %[[FROM]] overflow<nsw> : index
// TWICE:         %[[FILLS:.*]] = arith.cmpi sge, %[[COUNT]], %c4 : index
// TWICE:         scf.if %[[FILLS]] {
// TWICE-NEXT:      scf.for %[[ROW:.*]] = %[[FROM]] to %[[TO]] step %c4 {
// TWICE-NEXT:        %[[LAST:.*]] = arith.subi %[[TO]], %c4 overflow<nsw> : index
// TWICE-NEXT:        %[[START:.*]] = arith.minsi %[[ROW]], %[[LAST]] : index
// TWICE-NEXT:        %[[J:.*]] = arith.index_cast %[[START]] : index to i32
// TWICE-COUNT-4:     vector.maskedstore
// TWICE:         } else {
// TWICE-NEXT:      scf.for %[[LEFT:.*]] = %[[FROM]] to %[[TO]] step %c1 {
// TWICE-NOT:         vector.maskedstore
// TWICE:             memref.store
chi.task @k(%y: !Y, %v: vector<8xf32>, %s: f32) over 0 (%i: i32, %j: i32, %k: i32, %l: i32)
    attributes {axes = ["i", "j", "k", "l"], kernel = "k", lanes = 8 : i64, rows = array<i64: 1, 4>} {
  chi.store %s, %y[%i, %j, %k, %l : i32, i32, i32, i32] inbounds : f32, !Y
  chi.next
} wide {
^bb0(%y: !Y, %v: vector<8xf32>, %s: f32, %i: i32, %j: i32, %k: i32, %l: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %one = arith.constant 1 : i32
  %all = vector.broadcast %l : i32 to vector<8xi32>
  %ls = arith.addi %all, %steps : vector<8xi32>
  %j1 = arith.addi %j, %one : i32
  %j2 = arith.addi %j1, %one : i32
  %j3 = arith.addi %j2, %one : i32
  chi.store %v, %y[%i, %j, %k, %ls : i32, i32, i32, vector<8xi32>] inbounds {unit_axis = 3 : i64} : vector<8xf32>, !Y
  chi.store %v, %y[%i, %j1, %k, %ls : i32, i32, i32, vector<8xi32>] inbounds {unit_axis = 3 : i64} : vector<8xf32>, !Y
  chi.store %v, %y[%i, %j2, %k, %ls : i32, i32, i32, vector<8xi32>] inbounds {unit_axis = 3 : i64} : vector<8xf32>, !Y
  chi.store %v, %y[%i, %j3, %k, %ls : i32, i32, i32, vector<8xi32>] inbounds {unit_axis = 3 : i64} : vector<8xf32>, !Y
  chi.next
}
