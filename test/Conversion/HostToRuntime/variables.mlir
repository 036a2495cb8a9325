// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// Variables of the program are memory of the module, hidden outside of it, that
// starts as zeros; those that another module defines are only named. Variables
// of a function are memory of its frame.
// CHECK-DAG: llvm.mlir.global external hidden @x() {{.*}} : !llvm.ptr {
// CHECK-DAG: llvm.mlir.global external hidden @name() {{.*}} : !llvm.ptr {
// CHECK-DAG: llvm.mlir.global external hidden @on() {{.*}} : i8 {
// CHECK-DAG: llvm.mlir.global external hidden @half() {{.*}} : f16 {
// CHECK:     llvm.mlir.global external hidden @there() {addr_space = 0 : i32} : i64{{$}}
!F = !chi.field<?xf32>
chi.global @x : !F
chi.global @name : !chi.str
chi.global @on : i1
chi.global @half : f16
chi.global @there : i64 {chi.extern}

// The address of a variable is made once, where the function begins, however
// often and wherever it is used.
// CHECK-LABEL: func.func @globals(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[C:[a-z0-9]+]]: i1)
// CHECK-DAG:     %[[X:.*]] = llvm.mlir.addressof @x
// CHECK-DAG:     %[[ON:.*]] = llvm.mlir.addressof @on
// CHECK-DAG:     %[[HALF:.*]] = llvm.mlir.addressof @half
// CHECK-DAG:     %[[THERE:.*]] = llvm.mlir.addressof @there
// CHECK-NOT:     llvm.mlir.addressof
// CHECK:         %[[OLD:.*]] = llvm.load %[[X]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.store %[[F]], %[[X]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[BYTE:.*]] = llvm.load %[[ON]] : !llvm.ptr -> i8
// CHECK:         %[[BIT:.*]] = arith.trunci %[[BYTE]] : i8 to i1
// CHECK:         scf.if %[[BIT]] {
// CHECK:           %[[OUT:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK:           llvm.store %[[OUT]], %[[ON]] : i8, !llvm.ptr
// CHECK:           llvm.store %{{.*}}, %[[HALF]] : f16, !llvm.ptr
// CHECK:         }
// CHECK:         %[[N:.*]] = llvm.load %[[THERE]] : !llvm.ptr -> i64
// CHECK:         return %[[OLD]], %[[N]]
func.func @globals(%f: !F, %c: i1) -> (!F, i64) attributes {chi.host} {
  %old = chi.global_load @x : !F
  chi.global_store %f, @x : !F
  %on = chi.global_load @on : i1
  scf.if %on {
    chi.global_store %c, @on : i1
    %h = arith.constant 1.5 : f16
    chi.global_store %h, @half : f16
  }
  %n = chi.global_load @there : i64
  return %old, %n : !F, i64
}
// Another function has its own.
// CHECK-LABEL: func.func @other(
// CHECK:         %[[X:.*]] = llvm.mlir.addressof @x
// CHECK:         llvm.load %[[X]]
func.func @other() -> !F attributes {chi.host} {
  %f = chi.global_load @x : !F
  return %f : !F
}

// A slot for a handle starts as none, each time that it is met, although its
// memory is made once.
// CHECK-LABEL: func.func @handles(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[S:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[T:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK-DAG:     %[[G:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK:         scf.for
// CHECK:           %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:           llvm.store %[[NONE]], %[[ONE:.*]] : !llvm.ptr, !llvm.ptr
// CHECK:           llvm.store %[[F]], %[[ONE]] : !llvm.ptr, !llvm.ptr
// CHECK:           %[[BACK:.*]] = llvm.load %[[ONE]] : !llvm.ptr -> !llvm.ptr
// CHECK:           llvm.store %[[BACK]],
// CHECK-NOT:     chi.local
func.func @handles(%f: !F, %s: !chi.str, %n: i32) attributes {chi.host} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %z to %n step %one : i32 {
    %g = chi.local "g" : !chi.local<!F>
    chi.set %f, %g : !F, !chi.local<!F>
    %h = chi.get %g : !chi.local<!F> -> !F
    chi.global_store %h, @x : !F
    %t = chi.local "t" : !chi.local<!chi.str>
    chi.set %s, %t : !chi.str, !chi.local<!chi.str>
    %u = chi.get %t : !chi.local<!chi.str> -> !chi.str
    chi.global_store %u, @name : !chi.str
  }
  return
}

// An array of scalars is zeroed where it is met; a scalar is not. The entries
// are row-major.
// CHECK-LABEL: func.func @arrays(
// CHECK-SAME:    %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i64, %[[V:[a-z0-9]+]]: f64)
// CHECK-DAG:     %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<15xf64>
// CHECK-DAG:     %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1xf64>
// CHECK:         scf.for %[[K:.*]] = %c0{{.*}} to %c15{{.*}} step
// CHECK-NEXT:      memref.store %{{.*}}, %[[A]][%[[K]]] : memref<15xf64>
// CHECK-NEXT:    }
// CHECK-NOT:     scf.for
// CHECK:         %[[II:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:         %[[ROW:.*]] = arith.muli %[[II]], %c5{{.*}} overflow<nsw> : index
// CHECK:         %[[JJ:.*]] = arith.index_cast %[[J]] : i64 to index
// CHECK:         %[[AT:.*]] = arith.addi %[[ROW]], %[[JJ]] overflow<nsw> : index
// CHECK:         memref.store %[[V]], %[[A]][%[[AT]]]
// CHECK:         memref.store %[[V]], %[[S]][%c0{{.*}}] : memref<1xf64>
// CHECK:         %[[R:.*]] = memref.load %[[S]][%c0{{.*}}] : memref<1xf64>
// CHECK:         return %[[R]]
func.func @arrays(%i: i32, %j: i64, %v: f64) -> f64 attributes {chi.host} {
  %a = chi.local "a" : !chi.local<3x5xf64>
  %s = chi.local "s" : !chi.local<f64>
  chi.set %v, %a[%i, %j : i32, i64] : f64, !chi.local<3x5xf64>
  chi.set %v, %s : f64, !chi.local<f64>
  %r = chi.get %s : !chi.local<f64> -> f64
  return %r : f64
}
