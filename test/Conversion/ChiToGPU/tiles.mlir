// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// Neighbours read a column: a block is a tile of 32 columns, in as many rows as
// it has warps. At the edges threads have no iteration.
// CHECK-LABEL: gpu.func @transpose
// CHECK:         %[[ROWS:.*]] = arith.divui %block_dim_x, %c32
// CHECK:         %[[BELOW:.*]] = arith.subi %[[ROWS]],
// CHECK:         %[[SUM:.*]] = arith.addi %[[BELOW]], %c48
// CHECK:         %[[HIGH:.*]] = arith.divui %[[SUM]], %[[ROWS]]
// CHECK:         %[[ROW:.*]] = arith.divui %thread_id_x, %c32
// CHECK:         %[[COLUMN:.*]] = arith.remui %thread_id_x, %c32
// CHECK:         %[[TILES:.*]] = arith.muli %[[HIGH]], %c4
// CHECK:         scf.for %[[TILE:.*]] = %block_id_x to %[[TILES]] step %grid_dim_x {
// CHECK:           %[[DOWN:.*]] = arith.divui %[[TILE]], %c4
// CHECK:           %[[RIGHT:.*]] = arith.remui %[[TILE]], %c4
// CHECK:           %[[LEFT:.*]] = arith.muli %[[RIGHT]], %c32
// CHECK:           %[[J:.*]] = arith.addi %[[LEFT]], %[[COLUMN]]
// CHECK:           %[[TOP:.*]] = arith.muli %[[DOWN]], %[[ROWS]]
// CHECK:           %[[I:.*]] = arith.addi %[[TOP]], %[[ROW]]
// CHECK:           %[[INROWS:.*]] = arith.cmpi ult, %[[I]], %c48
// CHECK:           %[[INCOLUMNS:.*]] = arith.cmpi ult, %[[J]], %c100
// CHECK:           %[[INSIDE:.*]] = arith.andi %[[INROWS]], %[[INCOLUMNS]]
// CHECK:           scf.if %[[INSIDE]] {
// CHECK:             memref.load
// CHECK:             memref.store
!F = !chi.field<100x100xf32>
chi.task @transpose(%x: !F, %y: !F) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 1, = 0], to = [= 49, = 100], inputs = [?, ?]>} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !F -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}

// Extents that only the launch knows: tiles if both are large enough.
// CHECK-LABEL: gpu.func @unknown
// CHECK:         %[[WIDE:.*]] = arith.cmpi uge, %[[WIDTH:.*]], %c64
// CHECK:         %[[HIGH:.*]] = arith.cmpi uge, %[[HEIGHT:.*]], %c16
// CHECK:         %[[TILED:.*]] = arith.andi %[[WIDE]], %[[HIGH]]
// CHECK:         arith.select %[[TILED]], %c32{{.*}}, %block_dim_x
// CHECK:         arith.select %[[TILED]], %[[HEIGHT]], %c1
// CHECK:         scf.for
// CHECK:           scf.if
!U = !chi.field<?x?xf32>
chi.task @unknown(%x: !U, %y: !U) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !U -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !U
  chi.next
}

// Rows alone, above one another or not, are taken in their order; so is what is
// too narrow.
// CHECK-LABEL: gpu.func @stencil
// CHECK:         scf.for
// CHECK-NOT:     scf.if
// CHECK:         gpu.return
chi.task @stencil(%x: !F, %y: !F) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 1, = 0], to = [= 49, = 100], inputs = [?, ?]>} {
  %one = arith.constant 1 : i32
  %above = arith.subi %i, %one : i32
  %v = chi.load %x[%above, %j : i32, i32] inbounds : !F -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
// CHECK-LABEL: gpu.func @narrow
// CHECK:         scf.for
// CHECK-NOT:     scf.if
// CHECK:         gpu.return
chi.task @narrow(%x: !F, %y: !F) (%i: i32, %j: i32) attributes {axes = ["i", "j"], facts = #chi.facts<from = [= 0, = 0], to = [= 100, = 63], inputs = [?, ?]>} {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !F -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
