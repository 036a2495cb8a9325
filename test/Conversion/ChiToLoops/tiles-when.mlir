// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-schedule="without=tiles" --convert-chi-to-loops --cse | FileCheck %s --check-prefix=UNTILED

// A domain of two axes is walked in tiles of 16 by 16 where an access runs along
// memory by the outer variable and across it by the inner one, and order does
// not matter. Both extents are at least 64, as far as they are known.
!A = !chi.field<?x?xf32>
!S = !chi.field<100x64xf32>

// The loops: strips of rows, strips of columns, rows, columns. What is known to
// be a whole number of tiles is not bounded again.
// CHECK-LABEL: func.func private @known.body(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN]], %c64 : index
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %c63 overflow<nsw> : index
// CHECK:         %[[LAST:.*]] = arith.divui %[[UP]], %c64 : index
// CHECK:         %[[COUNT:.*]] = arith.subi %[[LAST]], %[[FIRST]] overflow<nsw> : index
// CHECK:         %[[MORE:.*]] = arith.addi %[[COUNT]], %c15 overflow<nsw> : index
// CHECK:         %[[PANELS:.*]] = arith.divui %[[MORE]], %c16 : index
// CHECK:         scf.for %[[T:.*]] = %c0 to %[[PANELS]] step %c1 {
// CHECK:           %[[SKIP:.*]] = arith.muli %[[T]], %c16 overflow<nsw> : index
// CHECK:           %[[ROW0:.*]] = arith.addi %[[FIRST]], %[[SKIP]] overflow<nsw> : index
// CHECK:           %[[ROW1:.*]] = arith.addi %[[ROW0]], %c16 overflow<nsw> : index
// 100 rows are no whole tiles.
// CHECK:           %[[ROWEND:.*]] = arith.minsi %[[ROW1]], %[[LAST]] : index
// CHECK:           scf.for %[[U:.*]] = %c0 to %c4 step %c1 {
// CHECK:             %[[COL0:.*]] = arith.muli %[[U]], %c16 overflow<nsw> : index
// CHECK:             %[[COL1:.*]] = arith.addi %[[COL0]], %c16 overflow<nsw> : index
// CHECK-NOT:         arith.minsi
// CHECK:             scf.for %[[R:.*]] = %[[ROW0]] to %[[ROWEND]] step %c1 {
// CHECK:               %[[I:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK:               %[[LOW:.*]] = arith.index_cast %[[COL0]] : index to i32
// CHECK:               %[[HIGH:.*]] = arith.index_cast %[[COL1]] : index to i32
// CHECK:               scf.for %[[J:.*]] = %[[LOW]] to %[[HIGH]] step %c1_i32 : i32 {
// CHECK-DAG:             arith.index_cast %[[I]] : i32 to index
// CHECK-DAG:             arith.index_cast %[[J]] : i32 to index
// CHECK:                 memref.load
// UNTILED-LABEL: func.func private @known.body(
// UNTILED-COUNT-2: scf.for
// UNTILED-NOT:     scf.for
// UNTILED:        return
chi.task @known(%a: !S, %b: !chi.field<64x100xf64>) over 0 (%i: i32, %j: i32) {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !S -> f32
  %w = arith.extf %v : f32 to f64
  chi.store %w, %b[%j, %i : i32, i32] inbounds : f64, !chi.field<64x100xf64>
  chi.next
}

// The order of the axes in memory is what counts, not that of the indices; an
// index may be the variable plus something else. A start that is not 0 is added
// to the rows.
// CHECK-LABEL: func.func private @order.body(
// CHECK-COUNT-4: scf.for
// CHECK:         return
chi.task @order(%a: !chi.field<?x?xf32, order = [1, 0]>, %v: f32) (%i: i32, %j: i32) {
  %one = arith.constant 1 : i32
  %k = arith.addi %i, %one : i32
  %l = arith.subi %j, %one : i32
  chi.store %v, %a[%k, %l : i32, i32] inbounds : f32, !chi.field<?x?xf32, order = [1, 0]>
  chi.next
}

// No tiles: a check may fail, and the first failing one of a part counts;
// CHECK-LABEL: func.func private @fails.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @fails(%a: !A, %v: f32, %ok: i1) (%i: i32, %j: i32) {
  chi.check assert %ok
  chi.store %v, %a[%j, %i : i32, i32] inbounds : f32, !A
  chi.next
}
// too few columns;
// CHECK-LABEL: func.func private @small.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @small(%a: !chi.field<100x63xf32>, %b: !A, %v: f32) over 0 (%i: i32, %j: i32) {
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !A
  chi.next
}
// three axes;
// CHECK-LABEL: func.func private @three.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @three(%a: !A, %v: f32) (%i: i32, %j: i32, %k: i32) {
  chi.store %v, %a[%k, %j : i32, i32] inbounds : f32, !A
  chi.next
}
// no index that depends on the inner variable: it is the same element in a row.
// CHECK-LABEL: func.func private @same.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @same(%a: !A, %v: f32, %n: i32) (%i: i32, %j: i32) {
  chi.store %v, %a[%n, %i : i32, i32] inbounds : f32, !A
  chi.next
}

// Parts are cut at rows of tiles.
// CHECK-LABEL: func.func @launch(
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c6400_i64, %c1024_i64, %c160_i64)
// CHECK:         %[[COUNT:.*]] = arith.muli %{{.*}}, %c16_i64 : i64
// CHECK:         %[[ALIGN:.*]] = arith.maxsi %[[COUNT]], %c1_i64 : i64
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %[[ALIGN]], %c160_i64)
func.func @launch(%a: !S, %b: !chi.field<64x100xf64>, %c: !chi.field<?x?xf32, order = [1, 0]>, %v: f32, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %m = arith.constant 100 : i32
  %k = arith.constant 64 : i32
  chi.launch @known(%a, %b : !S, !chi.field<64x100xf64>) from (%c0, %c0 : i32, i32) to (%m, %k : i32, i32)
  chi.launch @order(%c, %v : !chi.field<?x?xf32, order = [1, 0]>, f32) from (%c0, %n : i32, i32) to (%n, %m : i32, i32)
  return
}
