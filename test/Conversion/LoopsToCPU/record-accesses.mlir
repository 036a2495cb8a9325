// RUN: chi-opt %s --chi-lower-checks | FileCheck %s

// With --check=races the run time hears of an access: where it stands in the
// source and what it names, the address, the iteration's number, and the kind.
// A site says the place, the kind of a call, and the name; the kernel and its
// axes are those of the function.
// CHECK-DAG: llvm.mlir.global internal constant @[[READ:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@{{.*}}, 7 : i32, 3 : i32, 9 : i32, {{[0-9]+}} : i32, @[[X:chi.text.[0-9a-f]+]], 0 : i32, 0 : i32, unit, @[[K:chi.text.[0-9a-f]+]], 0 : i32, -1 : i32, @[[IJ:chi.text.[0-9a-f]+]]]
// CHECK-DAG: llvm.mlir.global internal constant @[[WRITE:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@{{.*}}, 8 : i32, 1 : i32, 4 : i32, {{[0-9]+}} : i32, @[[NONE:chi.text.[0-9a-f]+]],
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[X]]("x\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[NONE]]("\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[K]]("k\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[IJ]]("i, j\00")

// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[AT:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: i64)
// CHECK:         %[[DATA:.*]] = builtin.unrealized_conversion_cast %[[X]] : memref<?xf32> to !llvm.ptr
// CHECK:         %[[OFFSET:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK:         %[[ADDRESS:.*]] = llvm.getelementptr inbounds|nuw %[[DATA]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @[[READ]]
// CHECK:         llvm.call @chirt_race_access(%[[SITE]], %[[ADDRESS]], %[[N]], %c0_i32)
// CHECK:         %[[SITE1:.*]] = llvm.mlir.addressof @[[WRITE]]
// CHECK:         llvm.call @chirt_race_access(%[[SITE1]], %{{.*}}, %[[N]], %c3_i32)
func.func private @k.t0.body(%x: memref<?xf32>, %at: index, %n: i64)
    attributes {chi.body, chi.kernel = "k", chi.axes = "i, j"} {
  chi.record_access %x[%at] by %n kind 0 of "x" : memref<?xf32> loc("k.chi":7:3 to :9)
  chi.record_access %x[%at] by %n kind 3 : memref<?xf32> loc("k.chi":8:1 to :4)
  return
}
