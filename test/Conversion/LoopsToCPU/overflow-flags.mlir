// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// The flag comes with the arithmetic, of each kind and width.
// CHECK-LABEL: llvm.func hidden @flags
// CHECK-SAME:    (%[[A:.*]]: i16, %[[B:.*]]: i64)
// CHECK:         %[[SUM:.*]] = "llvm.intr.sadd.with.overflow"(%[[A]], %[[A]]) : (i16, i16) -> !llvm.struct<(i16, i1)>
// CHECK:         llvm.extractvalue %[[SUM]][1] : !llvm.struct<(i16, i1)>
// CHECK:         %[[REST:.*]] = "llvm.intr.ssub.with.overflow"(%[[B]], %[[B]]) : (i64, i64) -> !llvm.struct<(i64, i1)>
// CHECK:         llvm.extractvalue %[[REST]][1] : !llvm.struct<(i64, i1)>
// CHECK:         "llvm.intr.smul.with.overflow"(%[[B]], %[[B]])
func.func @flags(%a: i16, %b: i64) -> (i1, i1, i1) {
  %x = chi.overflow add %a, %a : i16
  %y = chi.overflow sub %b, %b : i64
  %z = chi.overflow mul %b, %b : i64
  return %x, %y, %z : i1, i1, i1
}
