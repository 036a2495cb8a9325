// RUN: chi-opt %s --chi-lower-checks=records | FileCheck %s

// What the tasks of a unit can report: one table of sites and one of formats,
// each entry once, in the order in which checks are lowered, the last one of a
// function first. A number in the code is the place in its table.
// CHECK-DAG: constant @chi.unit() {{.*}}chi.members = [@chi.sites, @chi.formats, 4 : i32, 4 : i32]
// CHECK-DAG: constant @[[X:chi.text.[0-9a-f]+]]("x\00")
// CHECK-DAG: constant @[[Y:chi.text.[0-9a-f]+]]("y\00")
// CHECK-DAG: constant @[[F:chi.text.[0-9a-f]+]]("f\00")
// CHECK-DAG: constant @[[G:chi.text.[0-9a-f]+]]("g\00")
// CHECK-DAG: constant @[[IJ:chi.text.[0-9a-f]+]]("i, j\00")
// Two values of type i32 are 3, 3.
// CHECK-DAG: constant @[[TYPES:chi.types.[0-9a-f]+]]("\03\03")

// Place, kind, name, axis, types, kernel, number of axes, no format, axes.
// CHECK-DAG: constant @chi.sites() {{.*}}chi.members = {{\[\[}}@{{[^,]*}}, 2 : i32, 1 : i32, 2 : i32, 0 : i32, @[[Y]], 1 : i32, 2 : i32, @[[TYPES]], @[[F]], 2 : i32, -1 : i32, @[[IJ]]], [@{{[^,]*}}, 1 : i32, 1 : i32, 2 : i32, 0 : i32, @[[X]], 0 : i32, 2 : i32, @[[TYPES]], @[[F]], 2 : i32, -1 : i32, @[[IJ]]], [@{{[^,]*}}, 1 : i32, 1 : i32, 2 : i32, 0 : i32, @[[X]], 0 : i32, 2 : i32, @[[TYPES]], @[[G]], 2 : i32, -1 : i32, @[[IJ]]],

// A format: the array of its parts, how many these are, the words of the values.
// "…" takes 3 bytes.
// CHECK-DAG: constant @[[ETC:chi.text.[0-9a-f]+]]("\E2\80\A6\00")
// CHECK-DAG: constant @[[HELLO:chi.text.[0-9a-f]+]]("hello\00")
// CHECK-DAG: constant @chi.formats() {{.*}}chi.members = {{\[\[}}@{{[^,]*}}, 1 : i32, 1 : i32], [@{{[^,]*}}, 1 : i32, 1 : i32], [@[[ONLY:[^,]*]], 1 : i32, 0 : i32], [@[[CUT:[^,]*]], 2 : i32, 16 : i32]]
// CHECK-DAG: constant @[[ONLY]]() {{.*}}chi.members = {{\[\[}}@[[HELLO]], -1 : i32, 1 : i32, 5 : i32, 1 : i32, unit, 0 : i32]]
// CHECK-DAG: constant @[[CUT]]() {{.*}}chi.members = {{\[\[}}@{{[^,]*}}, 12 : i32, 2 : i32, 4 : i32, 4 : i32, unit, 0 : i32], [@[[ETC]], -1 : i32, 1 : i32, 3 : i32, 1 : i32, unit, 0 : i32]]

// The blocks of failing checks stand at the end, in the order of the source.
// CHECK-LABEL: func.func private @f.body(
// CHECK:         %[[X1:.*]] = arith.constant 1 : i32
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %[[X1]], %
// CHECK:         %[[Y1:.*]] = arith.constant 0 : i32
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %[[Y1]], %
// CHECK:         %[[Y2:.*]] = arith.constant 0 : i32
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %[[Y2]], %
func.func private @f.body(%ok: i1, %v: i32, %i: i64) attributes {chi.body, chi.kernel = "f", chi.axes = "i, j"} {
  chi.check bounds %ok (%v, %v, %i, %i : i32, i32, i64, i64) {what = "x", iteration = 2 : i64} loc("p.chi":1:1)
  chi.check bounds %ok (%v, %v, %i, %i : i32, i32, i64, i64) {what = "y", axis = 1 : i64, iteration = 2 : i64} loc("p.chi":2:1)
  chi.check bounds %ok (%v, %v, %i, %i : i32, i32, i64, i64) {what = "y", axis = 1 : i64, iteration = 2 : i64} loc("p.chi":2:1)
  return
}
// The same place of another kernel is another site.
// CHECK-LABEL: func.func private @g.body(
// CHECK:         %[[G1:.*]] = arith.constant 2 : i32
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %[[G1]], %
func.func private @g.body(%ok: i1, %v: i32, %i: i64) attributes {chi.body, chi.kernel = "g", chi.axes = "i, j"} {
  chi.check bounds %ok (%v, %v, %i, %i : i32, i32, i64, i64) {what = "x", iteration = 2 : i64} loc("p.chi":1:1)
  return
}

// Equal formats of two prints are one; a sign makes two. An unsigned value is
// extended by zeros. Format 0 is used twice, format 1 once.
// CHECK-LABEL: func.func private @prints.body(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i8)
// CHECK:         arith.extsi %[[N]] : i8 to i64
// CHECK:         %[[F0:.*]] = arith.constant 0 : i32
// CHECK:         llvm.call @chirt_print_record(%{{.*}}, %[[F0]], %
// CHECK:         arith.extui %[[N]] : i8 to i64
// CHECK:         %[[F1:.*]] = arith.constant 1 : i32
// CHECK:         llvm.call @chirt_print_record(%{{.*}}, %[[F1]], %
// CHECK:         arith.extsi %[[N]] : i8 to i64
// CHECK:         %[[F2:.*]] = arith.constant 0 : i32
// CHECK:         llvm.call @chirt_print_record(%{{.*}}, %[[F2]], %
func.func private @prints.body(%n: i8) attributes {chi.body, chi.kernel = "p", chi.axes = "i"} {
  chi.print [{shape = array<i64>, type = "i8"}] (%n : i8)
  chi.print [{shape = array<i64>, type = "u8"}] (%n : i8)
  chi.print [{shape = array<i64>, type = "i8"}] (%n : i8)
  return
}

// A print without values has a format of one literal, of 5 bytes.
// CHECK-LABEL: func.func private @literal.body(
// CHECK:         %[[F3:.*]] = arith.constant 2 : i32
// CHECK:         llvm.call @chirt_print_record(%{{.*}}, %[[F3]], %
func.func private @literal.body() attributes {chi.body, chi.kernel = "l", chi.axes = "i"} {
  chi.print ["hello"]
  return
}

// A message has room behind the values of the check: 24 - 1 words. Of a 4x4
// matrix and eight more numbers the matrix is kept, the vector is replaced by
// "…", and so is all that follows.
// CHECK-LABEL: func.func private @long.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[V:[a-z0-9]+]]: i32, %[[A:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: i64)
// CHECK:         arith.extsi %[[V]] : i32 to i64
// CHECK-COUNT-16: arith.bitcast %[[A]] : f64 to i64
// CHECK-NOT:     llvm.store %[[B]],
// CHECK:         llvm.call @chirt_fail(
func.func private @long.body(%ok: i1, %v: i32, %a: f64, %b: i64) attributes {chi.body, chi.kernel = "m", chi.axes = ""} {
  chi.check assert %ok (%v, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %b, %b, %b, %b, %b, %b, %b, %b : i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i64, i64, i64, i64, i64, i64, i64, i64) {
    what = "v", parts = [{shape = array<i64: 4, 4>, type = "f64"}, {shape = array<i64: 8>, type = "i64"}, "behind"]}
  return
}
