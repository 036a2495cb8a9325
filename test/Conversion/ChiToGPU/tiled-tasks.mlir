// RUN: chi-opt %s --convert-chi-to-gpu=short-indices=false | FileCheck %s

// Which tasks are executed in tiles, by which blocks loop over tiles, and what an
// iteration of a tile is.
!F = !chi.field<8x100x100xf32>
!G = !chi.field<100x100xf32>
!K = !chi.field<100xi32>

// Of three axes the last two are tiled; tiles count rows of tiles first, then the
// outer axis, which has 6 places from 2 on.
// CHECK-LABEL: gpu.func @three(
// CHECK:         %[[ROWS:.*]] = arith.divui %block_dim_x, %c32
// CHECK:         %[[HIGH:.*]] = arith.divui %{{.*}}, %[[ROWS]] : index
// CHECK:         %[[ROW:.*]] = arith.divui %thread_id_x, %c32
// CHECK:         %[[COLUMN:.*]] = arith.remui %thread_id_x, %c32
// CHECK:         %[[PLANE:.*]] = arith.muli %[[HIGH]], %c4
// CHECK:         %[[TILES:.*]] = arith.muli %[[PLANE]], %c6
// CHECK:         scf.for %[[TILE:.*]] = %block_id_x to %[[TILES]] step %grid_dim_x {
// CHECK:           %[[REST:.*]] = arith.divui %[[TILE]], %c4
// CHECK:           %[[DOWN:.*]] = arith.remui %[[REST]], %[[HIGH]]
// CHECK:           %[[TOP:.*]] = arith.muli %[[DOWN]], %[[ROWS]]
// CHECK:           %[[I:.*]] = arith.addi %[[TOP]], %[[ROW]]
// CHECK:           %[[K:.*]] = arith.divui %[[REST]], %[[HIGH]]
// CHECK:           arith.cmpi ult, %[[I]], %c48
// CHECK:           arith.addi %[[K]], %c2
// CHECK:           arith.addi %[[I]], %c1
chi.task @three(%x: !F, %y: !F) (%k: i32, %i: i32, %j: i32) attributes {axes = ["k", "i", "j"], facts = #chi.facts<from = [= 2, = 1, = 0], to = [= 8, = 49, = 100], inputs = [?, ?]>} {
  %v = chi.load %x[%k, %j, %i : i32, i32, i32] inbounds : !F -> f32
  chi.store %v, %y[%k, %i, %j : i32, i32, i32] inbounds : f32, !F
  chi.next
}

// A check is inside the edges. The number of an iteration is that of row-major
// order: row times the width, plus column.
// CHECK-LABEL: gpu.func @checked(
// CHECK:         %[[TILED:.*]] = arith.andi
// CHECK:         %[[WIDTH:.*]] = arith.select %[[TILED]], %{{.*}}, %{{.*}}
// CHECK:         scf.for %{{.*}} = %block_id_x to
// CHECK:           %[[INROWS:.*]] = arith.cmpi ult, %[[I:.*]], %{{.*}} : index
// CHECK:           %[[INCOLUMNS:.*]] = arith.cmpi ult, %[[J:.*]], %[[LAST:.*]] : index
// CHECK:           %[[INSIDE:.*]] = arith.andi %[[INROWS]], %[[INCOLUMNS]]
// CHECK:           %[[BEFORE:.*]] = arith.muli %[[I]], %[[LAST]]
// CHECK:           %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[J]]
// CHECK:           scf.if %[[INSIDE]] {
// CHECK:             %[[WORD:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:             chi.check assert %{{.*}} (%{{.*}}, %{{.*}}, %{{.*}}, %[[WORD]] : i32, i64, i64, i64) {iteration = 2 : i64, numbered_iteration
!U = !chi.field<?x?xf32>
chi.task @checked(%x: !U, %y: !U, %ok: i1) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  chi.check assert %ok (%i : i32) {what = "ok"}
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !U -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !U
  chi.next
}

// A constant column, of a sum of the innermost variable; the least domain of 16
// rows of 64 columns.
// CHECK-LABEL: gpu.func @column(
// CHECK:         scf.for %{{.*}} = %block_id_x to
chi.task @column(%x: !G, %y: !G) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 16, = 64], inputs = [?, ?]>} {
  %c3 = arith.constant 3 : i32
  %at = arith.addi %j, %i : i32
  %v = chi.load %x[%at, %c3 : i32, i32] inbounds : !G -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
// One row less is too low.
// CHECK-LABEL: gpu.func @low(
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @loaded(
chi.task @low(%x: !G, %y: !G) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 15, = 64], inputs = [?, ?]>} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !G -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
// A row that is loaded is not known to depend on the innermost variable, and on
// a diagonal neighbours access different columns: no tiles.
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @diagonal(
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @vector(
chi.task @loaded(%x: !G, %y: !G, %k: !K) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 100, = 100], inputs = [?, ?, ?]>} {
  %at = chi.load %k[%j : i32] inbounds : !K -> i32
  %v = chi.load %x[%at, %i : i32, i32] inbounds : !G -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
chi.task @diagonal(%x: !G, %y: !G) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 100, = 100], inputs = [?, ?]>} {
  %v = chi.load %x[%j, %j : i32, i32] inbounds : !G -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}

// Of one axis there are no tiles; nor where a task prints or reduces, whose
// order of iterations is given.
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @prints(
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @reduces(
// CHECK-NOT:     scf.for %{{.*}} = %block_id_x to
// CHECK-LABEL: gpu.func @reduces.finish(
chi.task @vector(%x: !G, %y: !chi.field<100xf32>) over 1 (%i: i32) {
  %c3 = arith.constant 3 : i32
  %v = chi.load %x[%i, %c3 : i32, i32] inbounds : !G -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !chi.field<100xf32>
  chi.next
}
chi.task @prints(%x: !G) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 100, = 100], inputs = [?]>} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !G -> f32
  chi.print [{shape = array<i64>, type = "f32"}](%v : f32)
  chi.next
}
chi.task @reduces(%x: !G, %s: !chi.field<f64>, %z: f64) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 100, = 100], inputs = [?, ?, ?]>} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !G -> f32
  %w = arith.extf %v : f32 to f64
  chi.accum add %w, %s[] inbounds strategy(deterministic) : f64, !chi.field<f64>
  chi.next
}
