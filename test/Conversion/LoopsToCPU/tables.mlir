// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// CHECK: llvm.mlir.global internal unnamed_addr constant @chi.table.1(dense<[1, 2, 3]> : tensor<3xi32>) {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<3 x i32>
// CHECK-LABEL: llvm.func hidden @f(
// CHECK:         %[[T:.*]] = llvm.mlir.addressof @chi.table.1 : !llvm.ptr
// CHECK:         %[[P:.*]] = llvm.getelementptr inbounds|nuw %[[T]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK:         llvm.load %[[P]]
memref.global "private" constant @chi.table.1 : memref<3xi32> = dense<[1, 2, 3]>
func.func @f(%i: index) -> i32 {
  %t = memref.get_global @chi.table.1 : memref<3xi32>
  %v = memref.load %t[%i] : memref<3xi32>
  return %v : i32
}
