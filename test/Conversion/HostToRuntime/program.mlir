// RUN: chi-opt %s --convert-host-to-runtime > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=TABLE < %t

// Handles are pointers, a bool is a byte in memory, globals are hidden.
// CHECK-DAG: llvm.mlir.global external hidden @x() {{.*}} : !llvm.ptr
// CHECK-DAG: llvm.mlir.global external hidden @flag() {{.*}} : i8
// TABLE-DAG: llvm.mlir.global internal constant @chi.param.0.storage
// TABLE-DAG: llvm.mlir.global internal constant @chi.param.0.choices() {{.*}} : !llvm.array<3 x ptr>
// TABLE-DAG: llvm.mlir.global external constant @chi_program
// The kernels that host code calls are listed by what their units define.
// TABLE-DAG: llvm.mlir.global external hidden constant @k.table() {addr_space = 0 : i32} : !llvm.struct<(ptr, ptr, i32)>
// TABLE-DAG: llvm.mlir.global internal constant @chi.table.kernels() {{.*}} : !llvm.array<1 x ptr>
// CHECK-NOT: chi.param "
// CHECK-NOT: chi.test "
module attributes {chi.file = "p.chi", chi.doc = "A program"} {
  chi.param "mode" : "str" [@param.mode] of ["a", "b"] default "a" set_by @chi.default.mode doc "which"
  chi.test "one" @chi.test.0
  chi.global @x : !chi.field<?xf32>
  chi.global @flag : i1
  chi.global @param.mode : !chi.str param 0
  func.func @chi.default.mode() attributes {chi.host} {
    %a = chi.str "a"
    chi.global_store %a, @param.mode : !chi.str
    return
  }
  func.func @chi.test.0() attributes {chi.host} {
    return
  }
  func.func private @k(!chi.field<?xf32>, i1) -> f32 attributes {chi.control}
  // CHECK-LABEL: func.func @chi.script()
  // CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @chi.site.
  // CHECK:         %[[X:.*]] = llvm.call @chirt_field_new(%[[SITE]],
  // CHECK:         llvm.store %[[X]], %{{.*}} : !llvm.ptr, !llvm.ptr
  // CHECK:         %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
  // CHECK:         %[[FLAG:.*]] = arith.trunci %[[BYTE]] : i8 to i1
  // CHECK:         %[[R:.*]] = scf.if %[[FLAG]] -> (!llvm.ptr)
  // CHECK:         call @k(%[[R]], %[[FLAG]]) : (!llvm.ptr, i1) -> f32
  // The element [3]: data is the first member of the handle.
  // CHECK:         llvm.call @chirt_field_element(%[[R]],
  // CHECK:         %[[DATA:.*]] = llvm.load %[[R]] : !llvm.ptr -> !llvm.ptr
  // CHECK:         llvm.getelementptr inbounds|nuw %[[DATA]][
  // CHECK:         llvm.call @chirt_fmt_text
  // CHECK:         llvm.call @chirt_fmt_value
  // CHECK:         llvm.call @chirt_fmt_print
  // CHECK-NOT:     chi.field
  func.func @chi.script() attributes {chi.host} {
    %one = arith.constant 1 : i64
    %i = arith.constant 3 : i32
    %desc = chi.str "f32"
    %x = chi.rt "chirt_field_new"(%desc, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field"
      : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<?xf32>
    chi.global_store %x, @x : !chi.field<?xf32>
    %flag = chi.global_load @flag : i1
    %r = scf.if %flag -> !chi.field<?xf32> {
      scf.yield %x : !chi.field<?xf32>
    } else {
      %null = chi.null : !chi.field<?xf32>
      scf.yield %null : !chi.field<?xf32>
    }
    %s = func.call @k(%r, %flag) : (!chi.field<?xf32>, i1) -> f32
    %v = chi.load %r[%i : i32] : !chi.field<?xf32> -> f32
    chi.print ["v = ", {shape = array<i64>, type = "f32", spec = ".3f"}] (%v : f32)
    return
  }
}
