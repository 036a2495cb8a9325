// RUN: chi-opt %s --chi-lower-checks | FileCheck %s

// A failing check of a task records its values and the iteration, and leaves.
// CHECK-DAG:   llvm.mlir.global internal constant @chi.sites()
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^[[GOES_ON:.*]], ^[[COLD:.*]]
// CHECK:       ^[[GOES_ON]]:
// CHECK-NEXT:    return
// CHECK:       ^[[COLD]]:
// CHECK:         llvm.call @chirt_fail(
// CHECK-NEXT:    return
func.func private @k.t0.body(%i: i32, %n: i32, %j: i64) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  %ok = arith.cmpi ult, %i, %n : i32
  chi.check bounds %ok (%i, %n, %j : i32, i32, i64) {what = "x", iteration = 1 : i64}
  return
}

// In host code the run time does not come back; a message is gathered first.
// CHECK-LABEL: func.func @host(
// CHECK:         llvm.call @chirt_fmt_text
// CHECK:         llvm.call @chirt_fmt_value
// CHECK:         llvm.call @chirt_raise
// CHECK-NEXT:    llvm.unreachable
func.func @host(%ok: i1, %x: f32) -> i32 attributes {chi.host} {
  chi.check assert %ok (%x, %x, %x : f32, f32, f32) {what = "x == y",
    parts = ["x is ", {shape = array<i64>, type = "f32", spec = ""}]}
  %r = arith.constant 1 : i32
  return %r : i32
}

// Unsigned operands are extended by zeros.
// CHECK-LABEL: func.func @unsigned(
// CHECK:         arith.extui %{{.*}} : i8 to i64
func.func @unsigned(%ok: i1, %x: i8) attributes {chi.host} {
  chi.check assert %ok (%x, %x : i8, i8) {what = "x == y", is_unsigned}
  return
}
