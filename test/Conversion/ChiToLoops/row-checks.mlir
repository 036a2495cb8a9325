// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse --canonicalize | FileCheck %s

// A row of which all checks hold has none; one of which some iteration fails is
// taken one by one. Sums of rows that hold do not wrap.
// CHECK-LABEL: func.func private @fill.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: f32, %{{[a-z0-9]+}}: index, %[[LENGTH:[a-z0-9]+]]: index,
// CHECK:         %[[IS4:.*]] = arith.cmpi eq, %[[LENGTH]], %c4 : index
// CHECK-NEXT:    scf.if %[[IS4]] {
// CHECK:           %[[START:.*]] = arith.muli %{{.*}}, %c4_i32 : i32
// CHECK-NEXT:      %[[HOLDS:.*]] = arith.cmpi ule, %[[START]], %c96_i32 : i32
// CHECK-NEXT:      scf.if %[[HOLDS]] {
// CHECK-NEXT:        scf.for %[[Q:.*]] = %c0_i32 to %c4_i32 step %c1_i32 : i32 {
// CHECK-NEXT:          %[[AT:.*]] = arith.addi %[[START]], %[[Q]] overflow<nsw, nuw> : i32
// CHECK-NEXT:          %[[TO:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK-NEXT:          memref.store %{{.*}}, %[[X]][%[[TO]]]
// CHECK-NEXT:        } {llvm.loop_annotation = #[[UNROLLED:.*]]}
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.for
// CHECK:               chi.check bounds
// CHECK:               memref.store

// Of an unknown length: no row of more iterations than the field has elements.
// CHECK:         %[[START:.*]] = arith.muli %{{.*}}, %{{[a-z0-9]+}} : i32
// CHECK:         %[[L32:.*]] = arith.index_cast %[[LENGTH]] : index to i32
// CHECK:         %[[REST:.*]] = arith.subi %c100_i32, %[[L32]] : i32
// CHECK:         %[[FITS:.*]] = arith.cmpi ule, %[[L32]], %c100_i32 : i32
// CHECK:         %[[BELOW:.*]] = arith.cmpi ule, %[[START]], %[[REST]] : i32
// CHECK:         %[[BOTH:.*]] = arith.andi %[[FITS]], %[[BELOW]] : i1
// CHECK:         scf.if %[[BOTH]] {
// CHECK-NEXT:      scf.for
// CHECK-NOT:         chi.check
// CHECK:           } else {
chi.task @fill(%x: !chi.field<100xf32>, %k: i32, %rows: i32, %v: f32) (%p: i32, %q: i32) {
  %c100 = arith.constant 100 : i32
  %base = arith.muli %p, %k : i32
  %at = arith.addi %base, %q : i32
  %in = arith.cmpi ult, %at, %c100 : i32
  chi.check bounds %in (%at, %c100 : i32, i32) {what = "x", site = 0 : i64}
  chi.store %v, %x[%at : i32] inbounds : f32, !chi.field<100xf32>
  chi.next
}

// Parts are rows where there are many, or where rows are short.
// CHECK-LABEL: func.func @run(
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %[[ROWS:.*]], %c64_i64 : i64
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %[[ROW:.*]], %c256_i64 : i64
// CHECK:         %[[CUT:.*]] = arith.select %[[LONG]], %c16_i64, %[[ROW]] : i64
// CHECK:         %[[UNIT:.*]] = arith.select %[[MANY]], %[[ROW]], %[[CUT]] : i64
// CHECK:         %[[ALIGN:.*]] = arith.maxsi %[[UNIT]], %c1_i64 : i64
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %[[ALIGN]],
func.func @run(%x: !chi.field<100xf32>, %rows: i32, %k: i32, %v: f32) {
  %c0 = arith.constant 0 : i32
  chi.launch @fill(%x, %k, %rows, %v : !chi.field<100xf32>, i32, i32, f32) from(%c0, %c0 : i32, i32) to(%rows, %k : i32, i32)
  return
}
