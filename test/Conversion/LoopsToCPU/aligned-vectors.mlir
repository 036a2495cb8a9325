// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Whole vectors lie inside of their memory, so their addresses say so. They are
// aligned as they say, else as one element.
// CHECK-LABEL: llvm.func hidden @vectors
// CHECK-SAME:    (%[[M:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK:         %[[A:.*]] = llvm.getelementptr inbounds|nuw %[[M]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:         %[[V:.*]] = llvm.load %[[A]] {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK:         llvm.store %[[V]], %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
func.func @vectors(%m: memref<?xf32>, %i: index) {
  %v = vector.load %m[%i] {alignment = 64 : i64} : memref<?xf32>, vector<16xf32>
  vector.store %v, %m[%i] : memref<?xf32>, vector<16xf32>
  return
}

// What is asked for ahead may lie outside.
// CHECK-LABEL: llvm.func hidden @prefetch
// CHECK-SAME:    (%[[M:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK:         %[[BYTES:.*]] = llvm.mul %[[I]], %{{.*}} overflow<nsw> : i64
// CHECK:         %[[A:.*]] = llvm.getelementptr %[[M]][%[[BYTES]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:         "llvm.intr.prefetch"(%[[A]]) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
func.func @prefetch(%m: memref<?xf32>, %i: index) {
  memref.prefetch %m[%i], read, locality<2>, data : memref<?xf32>
  return
}
