// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// What convert-chi-to-loops made of tasks passes this room: bodies as they are,
// and of other functions the checks stay until chi-lower-checks. Functions that
// a task calls are lowered as host code is: they belong to one iteration.

// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[OK:[a-z0-9]+]]: i1, %[[I:[a-z0-9]+]]: i64)
// CHECK-SAME:    attributes {chi.axes = "i", chi.body, chi.kernel = "k"}
// CHECK:         chi.check assert %[[OK]] (%[[I]] : i64) {iteration = 1 : i64, what = "ok"}
// CHECK:         memref.load %[[X]]
func.func private @k.t0.body(%x: memref<?xf32> {llvm.noalias}, %ok: i1, %i: i64) attributes {chi.axes = "i", chi.body, chi.kernel = "k"} {
  chi.check assert %ok (%i : i64) {iteration = 1 : i64, what = "ok"}
  %z = arith.constant 0 : index
  %v = memref.load %x[%z] : memref<?xf32>
  memref.store %v, %x[%z] : memref<?xf32>
  return
}

// CHECK-LABEL: func.func private @k.t0.earlier(
// CHECK:         chi.check assert
func.func private @k.t0.earlier(%ok: i1, %i: i64) attributes {chi.kernel = "k", chi.cold} {
  chi.check assert %ok (%i : i64) {iteration = 1 : i64, what = "ok"}
  return
}

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i32, %[[OK:[a-z0-9]+]]: i1) -> i32 {
// CHECK:         %[[L:.*]] = memref.alloca() {{.*}} : memref<4xi32>
// CHECK:         chi.check divide %[[OK]]
// CHECK:         arith.divsi
// CHECK:         memref.load %[[L]]
// CHECK-NOT:     chi.local
func.func private @callee(%a: i32, %ok: i1) -> i32 {
  chi.check divide %ok (%a : i32)
  %q = chi.floordiv %a, %a : i32
  %l = chi.local "l" : !chi.local<4xi32>
  chi.set %q, %l[%a : i32] : i32, !chi.local<4xi32>
  %r = chi.get %l[%a : i32] : !chi.local<4xi32> -> i32
  return %r : i32
}

// Handles in the types of functions that are only named are pointers as well.
// CHECK:       func.func private @named(!llvm.ptr, i1, !llvm.ptr) -> !llvm.ptr
func.func private @named(!chi.field<?xf32>, i1, !chi.str) -> !chi.field<8xi1>
