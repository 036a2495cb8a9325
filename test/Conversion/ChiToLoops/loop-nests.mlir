// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// A part of the iterations, numbered row by row, as loops: one along the
// innermost axis, over the variable itself in the program's type, and one over
// rows, at whose start the other variables are computed. What the types and the
// launch do not know is an argument, for each axis its start and its extent.

// Rank 1: no row, no division.
// CHECK-LABEL: func.func private @one.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: i32, %[[FROM:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK-NOT:     arith.divui
// CHECK:         %[[LO:.*]] = arith.addi %[[FROM]], %[[BEGIN]] overflow<nsw> : index
// CHECK:         %[[LOW:.*]] = arith.index_cast %[[LO]] : index to i32
// CHECK:         %[[HI:.*]] = arith.addi %[[FROM]], %[[END]] overflow<nsw> : index
// CHECK:         %[[HIGH:.*]] = arith.index_cast %[[HI]] : index to i32
// CHECK:         scf.for %[[I:.*]] = %[[LOW]] to %[[HIGH]] step %c1_i32 : i32 {
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK-NEXT:      memref.store %{{.*}}, %[[X]][%[[AT]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
chi.task @one(%x: !chi.field<?xi32>, %v: i32) (%i: i32) {
  chi.store %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.next
}

// Rank 2, of an unknown number of rows: a part's bounds over their length,
// rounded up at the end; the first and the last row may be parts of rows, which
// are cut where there are few.
// CHECK-LABEL: func.func private @two.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: i32, %[[FROM0:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[FROM1:[a-z0-9]+]]: index, %[[LENGTH:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[LESS:.*]] = arith.subi %[[LENGTH]], %c1 overflow<nsw> : index
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %[[LESS]] overflow<nsw> : index
// CHECK:         %[[LAST:.*]] = arith.divui %[[UP]], %[[LENGTH]] : index
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN]], %[[LENGTH]] : index
// CHECK:         scf.for %[[ROW:.*]] = %[[FIRST]] to %[[LAST]] step %c1 {
// CHECK:           %[[P:.*]] = arith.addi %[[FROM0]], %[[ROW]] overflow<nsw> : index
// CHECK:           %[[I:.*]] = arith.index_cast %[[P]] : index to i32
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %[[LENGTH]] overflow<nsw> : index
// CHECK:           %[[SKIP:.*]] = arith.subi %[[BEGIN]], %[[START]] overflow<nsw> : index
// CHECK:           %[[PLACE:.*]] = arith.maxsi %[[SKIP]], %c0 : index
// CHECK:           %[[LEFT:.*]] = arith.subi %[[END]], %[[START]] overflow<nsw> : index
// CHECK:           %[[STOP:.*]] = arith.minsi %[[LEFT]], %[[LENGTH]] : index
// CHECK:           %[[L:.*]] = arith.addi %[[FROM1]], %[[PLACE]] overflow<nsw> : index
// CHECK:           %[[LOW:.*]] = arith.index_cast %[[L]] : index to i64
// CHECK:           %[[Q:.*]] = arith.addi %[[FROM1]], %[[STOP]] overflow<nsw> : index
// CHECK:           %[[HIGH:.*]] = arith.index_cast %[[Q]] : index to i64
// CHECK:           scf.for %[[J:.*]] = %[[LOW]] to %[[HIGH]] step %c1_i64 : i64 {
// CHECK-DAG:         arith.index_cast %[[I]] : i32 to index
// CHECK-DAG:         arith.index_cast %[[J]] : i64 to index
chi.task @two(%x: !chi.field<?x?xi32>, %v: i32) (%i: i32, %j: i64) {
  chi.store %v, %x[%i, %j : i32, i64] inbounds : i32, !chi.field<?x?xi32>
  chi.next
}

// Rank 3: the number of a row is taken apart from the inside out; the outermost
// axis is what is left, without a remainder.
// CHECK-LABEL: func.func private @three.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i32, %[[FROM0:[a-z0-9]+]]: index, %[[N0:[a-z0-9]+]]: index, %[[FROM1:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[FROM2:[a-z0-9]+]]: index, %[[N2:[a-z0-9]+]]: index,
// CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK:           %[[R:.*]] = arith.remui %[[ROW]], %[[N1]] : index
// CHECK:           %[[P:.*]] = arith.addi %[[FROM1]], %[[R]] overflow<nsw> : index
// CHECK:           %[[J:.*]] = arith.index_cast %[[P]] : index to i32
// CHECK:           %[[D:.*]] = arith.divui %[[ROW]], %[[N1]] : index
// CHECK:           %[[Q:.*]] = arith.addi %[[FROM0]], %[[D]] overflow<nsw> : index
// CHECK:           %[[I:.*]] = arith.index_cast %[[Q]] : index to i32
// CHECK-NOT:       %[[N0]]
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c1_i8 : i8 {
// CHECK-DAG:         arith.index_cast %[[I]] : i32 to index
// CHECK-DAG:         arith.index_cast %[[J]] : i32 to index
// CHECK-DAG:         arith.index_cast %[[K]] : i8 to index
chi.task @three(%x: !chi.field<?x?x?xi32>, %v: i32) (%i: i32, %j: i32, %k: i8) {
  chi.store %v, %x[%i, %j, %k : i32, i32, i8] inbounds : i32, !chi.field<?x?x?xi32>
  chi.next
}

// Few rows are cut: the first and the last one of a part may be parts of rows.
// Bounds that the one launch knows are constants: 8 rows from -3, 40 columns
// from 2.
// CHECK-LABEL: func.func private @few.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i32, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %c39 overflow<nsw> : index
// CHECK:         %[[LAST:.*]] = arith.divui %[[UP]], %c40 : index
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN]], %c40 : index
// CHECK:         scf.for %[[ROW:.*]] = %[[FIRST]] to %[[LAST]] step %c1 {
// CHECK:           arith.addi %[[ROW]], %c-3 overflow<nsw> : index
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %c40 overflow<nsw> : index
// CHECK:           %[[A:.*]] = arith.subi %[[BEGIN]], %[[START]] overflow<nsw> : index
// CHECK:           %[[B:.*]] = arith.maxsi %[[A]], %c0 : index
// CHECK:           %[[C:.*]] = arith.subi %[[END]], %[[START]] overflow<nsw> : index
// CHECK:           %[[D:.*]] = arith.minsi %[[C]], %c40 : index
// CHECK:           %[[E:.*]] = arith.addi %[[B]], %c2 overflow<nsw> : index
// CHECK:           %[[LOW:.*]] = arith.index_cast %[[E]] : index to i32
// CHECK:           %[[F:.*]] = arith.addi %[[D]], %c2 overflow<nsw> : index
// CHECK:           %[[HIGH:.*]] = arith.index_cast %[[F]] : index to i32
// CHECK:           scf.for %{{.*}} = %[[LOW]] to %[[HIGH]] step %c1_i32 : i32 {
chi.task @few(%x: !chi.field<?x?xi32>, %v: i32) (%i: i32, %j: i32) {
  chi.store %v, %x[%i, %j : i32, i32] inbounds : i32, !chi.field<?x?xi32>
  chi.next
}

// 64 rows are enough to keep them whole.
// CHECK-LABEL: func.func private @many.body(
// CHECK-NOT:     arith.maxsi
// CHECK-NOT:     arith.minsi
// CHECK:         return
chi.task @many(%x: !chi.field<?x?xi32>, %v: i32) (%i: i32, %j: i32) {
  chi.store %v, %x[%i, %j : i32, i32] inbounds : i32, !chi.field<?x?xi32>
  chi.next
}

// Parts of cut rows begin at any group of 16, those of whole rows at rows.
// CHECK-LABEL: func.func @k(
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c320_i64, %c16_i64, %c160_i64)
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c2560_i64, %c40_i64, %c160_i64)
func.func @k(%x: !chi.field<?x?xi32>, %v: i32) attributes {chi.control} {
  %a = arith.constant -3 : i32
  %b = arith.constant 5 : i32
  %c = arith.constant 2 : i32
  %d = arith.constant 42 : i32
  %e = arith.constant 61 : i32
  chi.launch @few(%x, %v : !chi.field<?x?xi32>, i32) from (%a, %c : i32, i32) to (%b, %d : i32, i32)
  chi.launch @many(%x, %v : !chi.field<?x?xi32>, i32) from (%a, %c : i32, i32) to (%e, %d : i32, i32)
  return
}
