// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s
// RUN: chi-opt %s --convert-host-to-runtime --chi-lower-checks --convert-loops-to-cpu -o /dev/null

// One function for each operation and type, one site for each place.
// CHECK-LABEL: llvm.func internal @chi.checked.mul.i64(
// CHECK-LABEL: llvm.func internal @chi.checked.add.i32(
// CHECK-SAME:    %[[A:.*]]: i32, %[[B:.*]]: i32, %[[SITE:.*]]: !llvm.ptr) -> i32
// CHECK:         %[[BOTH:.*]] = "llvm.intr.sadd.with.overflow"(%[[A]], %[[B]])
// CHECK:         %[[SUM:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK:         %[[OVER:.*]] = llvm.extractvalue %[[BOTH]][1]
// CHECK:         cf.cond_br %[[OVER]] weights([1, 1048576]), ^[[COLD:.*]], ^[[FITS:.*]]
// CHECK:       ^[[COLD]]:
// CHECK:         llvm.call @chirt_raise(%[[SITE]],
// CHECK:         llvm.unreachable
// CHECK:       ^[[FITS]]:
// CHECK:         llvm.return %[[SUM]]
// CHECK: llvm.mlir.global internal constant @[[FIRST:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@chi.text.{{[0-9a-f]+}}, 1 : i32, 2 : i32, 3 : i32, {{[0-9]+}} : i32, @chi.text.{{[0-9a-f]+}}, 0 : i32, 2 : i32, @chi.types.{{[0-9a-f]+}}, unit, 0 : i32, -1 : i32, unit]
module attributes {chi.file = "p.chi"} {
  // CHECK-LABEL: func.func @sums(
  // CHECK-SAME:    %[[X:.*]]: i32, %[[Y:.*]]: i64)
  func.func @sums(%x: i32, %y: i64) -> (i32, i64) attributes {chi.host} {
    // CHECK: %[[AT:.*]] = llvm.mlir.addressof @[[FIRST]]
    // CHECK: %[[S:.*]] = llvm.call @chi.checked.add.i32(%[[X]], %[[X]], %[[AT]])
    %s = chi.checked add %x, %x : i32 loc("p.chi":1:2 to :3)
    // CHECK: %[[T:.*]] = llvm.call @chi.checked.add.i32(%[[S]], %[[X]],
    %t = chi.checked add %s, %x : i32 loc("p.chi":2:2 to :3)
    // CHECK: %[[P:.*]] = llvm.call @chi.checked.mul.i64(%[[Y]], %[[Y]],
    %p = chi.checked mul %y, %y : i64 loc("p.chi":3:2 to :3)
    // CHECK: return %[[T]], %[[P]]
    return %t, %p : i32, i64
  }
}
