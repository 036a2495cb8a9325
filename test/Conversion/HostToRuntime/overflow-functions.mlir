// RUN: chi-opt %s --convert-host-to-runtime --cse | FileCheck %s

// Each kind and width of checked arithmetic is one function of the module, used
// from everywhere; what differs from place to place is the site that it gets.
// So a long script stays one block, with one call a sum.
// CHECK:       llvm.func internal @chi.checked.mul.i32(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SITE:.*]]: !llvm.ptr) -> i32 attributes {{{.*}}passthrough = ["nounwind"]}
// CHECK:         %[[BOTH:.*]] = "llvm.intr.smul.with.overflow"(%[[A]], %[[B]]) : (i32, i32) -> !llvm.struct<(i32, i1)>
// CHECK:         %[[PRODUCT:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK:         %[[BAD:.*]] = llvm.extractvalue %[[BOTH]][1]
// CHECK:         cf.cond_br %[[BAD]] weights([1, 1048576]), ^[[COLD:.*]], ^[[FITS:.*]]
// Both operands are words of the report.
// CHECK:       ^[[COLD]]:
// CHECK:         %[[X:.*]] = arith.extsi %[[A]] : i32 to i64
// CHECK:         llvm.store %[[X]], %[[WORDS:.*]] : i64, !llvm.ptr
// CHECK:         %[[Y:.*]] = arith.extsi %[[B]] : i32 to i64
// CHECK:         %[[NEXT:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK:         llvm.store %[[Y]], %[[NEXT]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_raise(%[[SITE]], %[[WORDS]])
// CHECK-NEXT:    llvm.unreachable
// CHECK:       ^[[FITS]]:
// CHECK-NEXT:    llvm.return %[[PRODUCT]] : i32
// CHECK:       llvm.func internal @chi.checked.sub.i64(
// CHECK:         "llvm.intr.ssub.with.overflow"
// Words of 64 bits as they are.
// CHECK:       ^{{.*}}:
// CHECK-NOT:     arith.ext
// CHECK:         llvm.call @chirt_raise
// CHECK-NOT:   llvm.func internal @chi.checked
// Sites: overflow is kind 3; the operation by its sign; two values of i64 (4).
// CHECK-DAG:   llvm.mlir.global internal unnamed_addr constant @[[MINUS:chi.text.[0-9a-f]+]]("-\00")
// CHECK-DAG:   llvm.mlir.global internal unnamed_addr constant @[[TYPES:chi.types.[0-9a-f]+]]("\04\04")
// CHECK-DAG:   llvm.mlir.global internal constant @[[HERE:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@{{.*}}, 4 : i32, 2 : i32, 9 : i32, 3 : i32, @[[MINUS]], 0 : i32, 2 : i32, @[[TYPES]], unit, 0 : i32, -1 : i32, unit]
// CHECK-LABEL: func.func @script(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i32)
// CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @[[HERE]]
// CHECK:         %[[R:.*]] = llvm.call @chi.checked.sub.i64(%[[A]], %{{.*}}, %[[SITE]])
// CHECK:         scf.for
// CHECK:           llvm.call @chi.checked.mul.i32(
// CHECK-LABEL: func.func @control(
// CHECK:         llvm.call @chi.checked.mul.i32(
func.func @script(%a: i64, %n: i32) -> i64 attributes {chi.host} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i64
  %r = chi.checked sub %a, %two : i64 loc("p.chi":4:2 to :9)
  scf.for %i = %z to %n step %one : i32 {
    %s = chi.checked mul %i, %n : i32 loc("p.chi":5:2 to :9)
  }
  return %r : i64
}
func.func @control(%n: i32) -> i32 attributes {chi.control} {
  %s = chi.checked mul %n, %n : i32 loc("p.chi":6:2 to :9)
  return %s : i32
}
