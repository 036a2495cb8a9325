// RUN: chi-opt %s --chi-lower-checks | FileCheck %s

// A site is a constant named by all that it says, so that equal ones are one and
// any difference makes two: its place, its kind, what it names, the axis, the
// types of its values, kernel and axes. A place over several lines ends behind
// its first column; one without a width is a column wide; one that is not known
// is line 0 of no file.
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[FILE:chi.text.[0-9a-f]+]]("p.chi\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[EMPTY:chi.text.[0-9a-f]+]]("\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[LINES:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@[[FILE]], 5 : i32, 2 : i32, 3 : i32,
// CHECK-DAG: llvm.mlir.global internal constant @[[POINT:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@[[FILE]], 6 : i32, 4 : i32, 5 : i32,
// CHECK-DAG: llvm.mlir.global internal constant @[[NOWHERE:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@[[EMPTY]], 0 : i32, 0 : i32, 0 : i32,

// CHECK-LABEL: func.func @places(
// CHECK:         %[[A:.*]] = llvm.mlir.addressof @[[LINES]]
// CHECK:         llvm.call @chirt_raise(%[[A]],
// CHECK:         %[[B:.*]] = llvm.mlir.addressof @[[POINT]]
// CHECK:         llvm.call @chirt_raise(%[[B]],
// CHECK:         %[[C:.*]] = llvm.mlir.addressof @[[NOWHERE]]
// CHECK:         llvm.call @chirt_raise(%[[C]],
func.func @places(%ok: i1) attributes {chi.host} {
  chi.check assert %ok loc("p.chi":5:2 to 7:3)
  chi.check assert %ok loc("p.chi":6:4)
  chi.check assert %ok loc(unknown)
  return
}

// The same words twice: one site. Another kind, name, axis, or type of a value:
// others.
// CHECK-LABEL: func.func @differences(
// CHECK:         llvm.mlir.addressof @[[ONE:chi.site.[0-9a-f]+]]
// CHECK:         llvm.call @chirt_raise
// CHECK:         llvm.mlir.addressof @[[ONE]] :
// CHECK:         llvm.call @chirt_raise
// CHECK-NOT:     llvm.mlir.addressof @[[ONE]] :
// CHECK-LABEL: func.func private @task(
func.func @differences(%ok: i1, %a: i32, %b: i64) attributes {chi.host} {
  chi.check bounds %ok (%a, %a : i32, i32) {what = "x"} loc("p.chi":9:1 to :5)
  chi.check bounds %ok (%a, %a : i32, i32) {what = "x"} loc("p.chi":9:1 to :5)
  chi.check shape %ok (%a, %a : i32, i32) {what = "x"} loc("p.chi":9:1 to :5)
  chi.check bounds %ok (%a, %a : i32, i32) {what = "y"} loc("p.chi":9:1 to :5)
  chi.check bounds %ok (%a, %a : i32, i32) {what = "x", axis = 1 : i64} loc("p.chi":9:1 to :5)
  chi.check bounds %ok (%a, %b : i32, i64) {what = "x"} loc("p.chi":9:1 to :5)
  chi.check bounds %ok (%a, %a : i32, i32) {what = "x", is_unsigned} loc("p.chi":9:1 to :5)
  return
}
// In a task it names the kernel.
func.func private @task(%ok: i1, %a: i32) attributes {chi.body, chi.kernel = "k", chi.axes = ""} {
  chi.check bounds %ok (%a, %a : i32, i32) {what = "x"} loc("p.chi":9:1 to :5)
  return
}

// Each kind by its number: bounds, divide, assert, overflow, power, shape, nan.
// CHECK-LABEL: func.func @kinds(
func.func @kinds(%ok: i1) attributes {chi.host} {
  chi.check bounds %ok {what = "kind"} loc("k.chi":1:1)
  chi.check divide %ok {what = "kind"} loc("k.chi":1:1)
  chi.check assert %ok {what = "kind"} loc("k.chi":1:1)
  chi.check overflow %ok {what = "kind"} loc("k.chi":1:1)
  chi.check power %ok {what = "kind"} loc("k.chi":1:1)
  chi.check shape %ok {what = "kind"} loc("k.chi":1:1)
  chi.check nan %ok {what = "kind"} loc("k.chi":1:1)
  return
}

// RUN: chi-opt %s --chi-lower-checks | FileCheck %s --check-prefix=KINDS
// KINDS-DAG: constant @[[K:chi.text.[0-9a-f]+]]("kind\00")
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 0 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 1 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 2 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 3 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 4 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 5 : i32, @[[K]],
// KINDS-DAG: chi.members = [@{{.*}}, 1 : i32, 1 : i32, 2 : i32, 6 : i32, @[[K]],
