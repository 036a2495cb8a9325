// RUN: chi-opt %s --convert-host-to-runtime --split-input-file > %t
// RUN: FileCheck %s < %t

// The table of a program, which the run time reads before any of its code runs:
// version, file, text, params, script, tests. Of a param its name, type, the
// variables of its scalars, its text, its default, its limits or choices, the
// value that is compiled in, and what stores its default.

// CHECK-DAG: constant @[[DIR:chi.text.[0-9a-f]+]]("dir\00")
// CHECK-DAG: constant @[[WHERE:chi.text.[0-9a-f]+]]("where to\00")
// CHECK-DAG: constant @[[WAS:chi.text.[0-9a-f]+]]("(1, 0)\00")
// CHECK-DAG: constant @[[IS:chi.text.[0-9a-f]+]]("(0, 1)\00")
// CHECK-DAG: constant @[[B:chi.text.[0-9a-f]+]]("b\00")
// CHECK-DAG: constant @[[SECOND:chi.text.[0-9a-f]+]]("second\00")
// CHECK-DAG: constant @[[FILE:chi.text.[0-9a-f]+]]("p.chi\00")
module attributes {chi.file = "p.chi", chi.fields = ["x", "y"]} {
  chi.param "n" : "i32" [@param.n] in [-2.0, 64.5] default "8" set_by @chi.default.n
  chi.param "dir" : "f64" [@param.dir.0, @param.dir.1] default "(1, 0)" fixed "(0, 1)" doc "where to"
  chi.param "mode" : "str" [@param.mode] of ["a", "b"] default "a" set_by @missing
  chi.test "first" @chi.test.0
  chi.test "second" @chi.test.1
  chi.global @x : !chi.field<?xf32>
  chi.global @y : !chi.field<?xi32>
  chi.global @param.n : i32 param 0
  chi.global @param.dir.0 : f64 param 1
  chi.global @param.dir.1 : f64 param 1
  chi.global @param.mode : !chi.str param 2
  func.func @chi.default.n() attributes {chi.host} {
    return
  }
  func.func private @missing() attributes {chi.host}
  func.func @chi.test.0() attributes {chi.host} {
    return
  }
  func.func @chi.test.1() attributes {chi.host} {
    return
  }
  func.func @chi.script() attributes {chi.host} {
    return
  }
}
// The fields of a library, by name.
// CHECK:       llvm.mlir.global internal constant @chi.table.fields() {{.*}} : !llvm.array<2 x struct<(ptr, ptr)>> {
// CHECK:         llvm.mlir.addressof @[[X:chi.text.*]] : !llvm.ptr
// CHECK-NEXT:    llvm.mlir.addressof @x
// CHECK:         llvm.mlir.addressof @y
// CHECK:       llvm.mlir.global external constant @chi_fields()
// CHECK:         %[[COUNT:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK:         %[[NAMES:.*]] = llvm.mlir.addressof @chi.table.fields
// CHECK:         %[[HALF:.*]] = llvm.insertvalue %[[NAMES]], %{{.*}}[0]
// CHECK:         llvm.insertvalue %[[COUNT]], %[[HALF]][1]
// Params: i32 is type 3, one scalar; limits from -2 to 64.5.
// CHECK:       llvm.mlir.global internal constant @chi.table.params() {{.*}} : !llvm.array<3 x
// CHECK:         llvm.mlir.constant(3 : i32)
// CHECK-NEXT:    llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.addressof @chi.param.0.storage
// CHECK:         llvm.mlir.constant(1 : i32)
// CHECK-NEXT:    llvm.mlir.constant(-2.000000e+00 : f64)
// CHECK-NEXT:    llvm.mlir.constant(6.450000e+01 : f64)
// No choices, nothing compiled in.
// CHECK-NEXT:    llvm.mlir.zero
// CHECK-NEXT:    llvm.mlir.zero
// CHECK-NEXT:    constant @chi.default.n
// f64 is 11, two scalars; no limits; a value compiled in, and no default's code.
// CHECK:         llvm.mlir.addressof @[[DIR]]
// CHECK-NEXT:    llvm.mlir.constant(12 : i32)
// CHECK-NEXT:    llvm.mlir.constant(2 : i32)
// CHECK-NEXT:    llvm.mlir.addressof @chi.param.1.storage
// CHECK-NEXT:    llvm.mlir.addressof @[[WHERE]]
// CHECK-NEXT:    llvm.mlir.addressof @[[WAS]]
// CHECK-NEXT:    llvm.mlir.constant(0 : i32)
// CHECK-NEXT:    llvm.mlir.constant(0.000000e+00 : f64)
// CHECK-NEXT:    llvm.mlir.constant(0.000000e+00 : f64)
// CHECK-NEXT:    llvm.mlir.zero
// CHECK-NEXT:    llvm.mlir.addressof @[[IS]]
// CHECK-NEXT:    llvm.mlir.zero
// Choices.
// CHECK:         llvm.mlir.addressof @chi.param.2.storage
// CHECK:         llvm.mlir.addressof @chi.param.2.choices
// CHECK-NEXT:    llvm.mlir.zero
// CHECK-NEXT:    constant @missing
// What the entries of a param point to.
// CHECK:       llvm.mlir.global internal constant @chi.param.0.storage() {{.*}} : !llvm.array<1 x ptr>
// CHECK:         llvm.mlir.addressof @param.n
// CHECK:       llvm.mlir.global internal constant @chi.param.1.storage() {{.*}} : !llvm.array<2 x ptr>
// CHECK:         llvm.mlir.addressof @param.dir.0
// CHECK:         llvm.mlir.addressof @param.dir.1
// Two texts, then none.
// CHECK:       llvm.mlir.global internal constant @chi.param.2.choices() {{.*}} : !llvm.array<3 x ptr>
// CHECK:         llvm.mlir.addressof @chi.text.
// CHECK:         %[[LAST:.*]] = llvm.mlir.addressof @[[B]]
// CHECK:         llvm.insertvalue %[[LAST]], %{{.*}}[1]
// CHECK:         %[[END:.*]] = llvm.mlir.zero
// CHECK:         llvm.insertvalue %[[END]], %{{.*}}[2]
// CHECK:       llvm.mlir.global internal constant @chi.table.tests() {{.*}} : !llvm.array<2 x struct<(ptr, ptr)>>
// CHECK:         constant @chi.test.0
// CHECK:         llvm.mlir.addressof @[[SECOND]]
// CHECK:         constant @chi.test.1
// CHECK:       llvm.mlir.global external constant @chi_program()
// CHECK:         llvm.mlir.addressof @[[FILE]]
// CHECK:         llvm.mlir.addressof @chi.table.params
// CHECK-NEXT:    llvm.mlir.constant(3 : i32)
// CHECK-NEXT:    constant @chi.script
// CHECK:         llvm.mlir.addressof @chi.table.tests
// CHECK-NEXT:    llvm.mlir.constant(2 : i32)
// CHECK-NOT:   chi.param "
// CHECK-NOT:   chi.test "

// -----

// A module without the script (a kernel's part of a program) has no table; what
// it says of params is dropped.
// CHECK-LABEL: module {
// CHECK-NOT:   chi_program
// CHECK-NOT:   chi.table
// CHECK-NOT:   chi.param
// CHECK:       llvm.mlir.global external hidden @param.k() {{.*}} : i32{{$}}
module {
  chi.param "k" : "i32" [@param.k] default "8"
  chi.global @param.k : i32 {chi.extern}
  func.func private @chi.script() attributes {chi.host}
}
