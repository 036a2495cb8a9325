// RUN: chi-opt %s --chi-launch-facts --convert-chi-to-loops --cse | FileCheck %s

// Tiles of buffered stores: the iterations of a tile fill a buffer row by row,
// which is then transposed to memory; around two axes of a tile run the others.
!A = !chi.field<?x40x64xf32>
!B = !chi.field<64x40x?xf32>

// Axes 0 and 2: axis 1 is outside, whole; the first axis is cut in parts, at
// whole tiles, of 40 * 64 iterations a row.
// CHECK-LABEL: func.func private @swap.body(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[B:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[N:[a-z0-9]+]]: index, %[[COUNT:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[TILE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4096xf32>
// CHECK:         %[[PAST:.*]] = llvm.call @chirt_streams(
// CHECK:         %[[STREAMS:.*]] = arith.cmpi ne, %[[PAST]], %c0_i32
// CHECK:         %[[LOW:.*]] = arith.divui %[[BEGIN]], %c2560 : index
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %c2559 overflow<nsw> : index
// CHECK:         %[[HIGH:.*]] = arith.divui %[[UP]], %c2560 : index
// CHECK:         scf.for %[[MIDDLE:.*]] = %c0 to %c40 step %c1 {
// CHECK:           %[[ROWS:.*]] = arith.subi %[[HIGH]], %[[LOW]] overflow<nsw> : index
// CHECK:           %[[PANELS:.*]] = arith.divui %{{.*}}, %c64 : index
// CHECK:           scf.for %[[S:.*]] = %c0 to %[[PANELS]] step %c1 {
// CHECK:             %[[SKIP:.*]] = arith.muli %[[S]], %c64 overflow<nsw> : index
// CHECK:             %[[FIRST:.*]] = arith.addi %[[LOW]], %[[SKIP]] overflow<nsw> : index
// CHECK:             %[[LEFT:.*]] = arith.subi %[[HIGH]], %[[FIRST]] overflow<nsw> : index
// CHECK:             %[[TALL:.*]] = arith.minsi %[[LEFT]], %c64 : index
// 64 columns are one tile: nothing is bounded.
// CHECK:             scf.for %[[T:.*]] = %c0 to %c1 step %c1 {
// CHECK:               %[[COLUMN:.*]] = arith.muli %[[T]], %c64 overflow<nsw> : index
// CHECK:               scf.for %[[R:.*]] = %c0_i32 to %{{.*}} step %c1_i32 : i32 {
// CHECK:                 %[[I:.*]] = arith.addi %{{.*}}, %[[R]] overflow<nsw> : i32
// CHECK:                 %[[RR:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK:                 %[[LINE:.*]] = arith.muli %[[RR]], %c64 overflow<nsw> : index
// CHECK-NOT:             prefetch
// CHECK:                 scf.for %[[C:.*]] = %c0_i32 to %c64_i32 step %c1_i32 : i32 {
// CHECK:                   %[[K:.*]] = arith.addi %{{.*}}, %[[C]] overflow<nsw> : i32
// CHECK:                   %[[CC:.*]] = arith.index_cast %[[C]] : i32 to index
// CHECK:                   %[[PLACE:.*]] = arith.addi %[[LINE]], %[[CC]] overflow<nsw> : index
// CHECK:                   memref.load %[[A]]
// CHECK:                   memref.store %{{.*}}, %[[TILE]][%[[PLACE]]]
// CHECK-NOT:               memref.store
// How far apart the columns lie in memory comes from the indices of the store:
// of one column and of the next.
// CHECK:               %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c1
// CHECK:               %[[NEXTK:.*]] = arith.index_cast %[[NEXT]] : index to i32
// CHECK:               %[[NK:.*]] = arith.index_cast %[[NEXTK]] : i32 to index
// CHECK:               %[[NR:.*]] = arith.muli %[[NK]], %c40 overflow<nsw> : index
// CHECK:               %[[NJ:.*]] = arith.addi %[[NR]], %{{.*}} overflow<nsw> : index
// CHECK:               %[[NP:.*]] = arith.muli %[[NJ]], %[[N]] overflow<nsw> : index
// CHECK:               %[[THERE:.*]] = arith.addi %[[NP]], %{{.*}} overflow<nsw> : index
// CHECK:               %[[APART:.*]] = arith.subi %[[THERE]], %[[AT:.*]] overflow<nsw> : index
// CHECK:               %[[STRIDE:.*]] = arith.muli %[[APART]], %c4 overflow<nsw> : index
// CHECK:               %[[DATA:.*]] = builtin.unrealized_conversion_cast %[[B]]
// CHECK:               %[[OFFSET:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK:               %[[ADDRESS:.*]] = llvm.getelementptr inbounds|nuw %[[DATA]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:               %[[BYTES:.*]] = arith.index_cast %[[STRIDE]] : index to i64
// CHECK:               %[[SOURCE:.*]] = builtin.unrealized_conversion_cast %[[TILE]]
// CHECK:               %[[TALL64:.*]] = arith.index_cast %[[TALL]] : index to i64
// CHECK:               llvm.call @chirt_stream_tile(%[[ADDRESS]], %[[BYTES]], %[[SOURCE]], %c4_i64, %c64_i64, %[[TALL64]], %c64_i64, %[[PAST]])
// CHECK:         scf.if %[[STREAMS]] {
// CHECK-NEXT:      llvm.call @chirt_stream_end()
// CHECK-NEXT:    }
// CHECK-NEXT:    return
chi.task @swap(%a: !A, %b: !B) over 0 (%i: i32, %j: i32, %k: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = slices, align = 64, mayAlias = [0, 1], tile = <outer = 0, inner = 2, edge = 64>, buffers = [#chi<buffer streaming>]>} {
  %v = chi.load %a[%i, %j, %k : i32, i32, i32] inbounds : !A -> f32
  chi.store %v, %b[%k, %j, %i : i32, i32, i32] inbounds {buffer = 0 : i64} : f32, !B
  chi.next
}

// The schedule's edge, of elements of 4 and of 32 bytes.
// CHECK-LABEL: func.func private @two.body(
// CHECK-DAG:     memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK-DAG:     memref.alloca() {alignment = 64 : i64} : memref<1024xi32>
// CHECK-COUNT-2: llvm.call @chirt_stream_tile(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64, %c32_i64, %{{.*}}, %{{.*}}, %c0_i32)
// What stays in the caches needs no end of streams.
// CHECK-NOT:     chirt_stream_end
// CHECK-LABEL: func.func private @four.body(
// CHECK-COUNT-3: memref.alloca() {alignment = 64 : i64} : memref<256xf64>
// CHECK-COUNT-3: llvm.call @chirt_stream_tile(%{{.*}}, %{{.*}}, %{{.*}}, %c32_i64, %c8_i64, %{{.*}}, %{{.*}}, %c0_i32)
!C = !chi.field<?x?xf32>
!I = !chi.field<?x?xi32>
!V = !chi.field<?x?x!chi.vec<4xf64>>
chi.task @two(%b: !C, %c: !I, %v: f32, %w: i32) (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = slices, align = 32, tile = <outer = 0, inner = 1, edge = 32>, buffers = [#chi<buffer plain>, #chi<buffer plain>]>} {
  chi.store %v, %b[%j, %i : i32, i32] inbounds {buffer = 0 : i64} : f32, !C
  chi.store %w, %c[%j, %i : i32, i32] inbounds {buffer = 1 : i64} : i32, !I
  chi.next
}
chi.task @four(%b: !V, %c: !V, %d: !V, %v: f64) (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, mayAlias = [0, 1, 0, 2, 1, 2], unit = slices, align = 8, tile = <outer = 0, inner = 1, edge = 8>, buffers = [#chi<buffer plain>, #chi<buffer plain>, #chi<buffer plain>]>} {
  chi.store %v, %b[%j, %i : i32, i32] inbounds {buffer = 0 : i64} : f64, !V
  chi.store %v, %c[%j, %i : i32, i32] inbounds {buffer = 1 : i64} : f64, !V
  chi.store %v, %d[%j, %i : i32, i32] inbounds {buffer = 2 : i64} : f64, !V
  chi.next
}

// Parts: whole strips of tiles where the first axis belongs to them, else rows
// of the first axis.
// CHECK-LABEL: func.func @launches(
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %c163840_i64, %c160_i64{{.*}})
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %c2560_i64{{.*}}, %c160_i64{{.*}})
chi.task @inner(%a: !A, %b: !chi.field<?x64x40xf32>) over 0 (%i: i32, %j: i32, %k: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = slices, align = 1, tile = <outer = 1, inner = 2, edge = 64>, buffers = [#chi<buffer streaming>]>} {
  %v = chi.load %a[%i, %j, %k : i32, i32, i32] inbounds : !A -> f32
  chi.store %v, %b[%i, %k, %j : i32, i32, i32] inbounds {buffer = 0 : i64} : f32, !chi.field<?x64x40xf32>
  chi.next
}
func.func @launches(%a: !A, %b: !B, %c: !chi.field<?x64x40xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c40 = arith.constant 40 : i32
  %c64 = arith.constant 64 : i32
  chi.launch @swap(%a, %b : !A, !B) from (%c0, %c0, %c0 : i32, i32, i32) to (%n, %c40, %c64 : i32, i32, i32)
  chi.launch @inner(%a, %c : !A, !chi.field<?x64x40xf32>) from (%c0, %c0, %c0 : i32, i32, i32) to (%n, %c40, %c64 : i32, i32, i32)
  return
}
