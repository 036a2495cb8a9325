// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK: chi.global @x : !chi.field<8192xf32>
chi.global @x : !chi.field<8192xf32>
// CHECK: chi.global @own : !chi.field<8xf32> noalias
chi.global @own : !chi.field<8xf32> noalias
// CHECK: chi.global @n : i32 param 0
chi.global @n : i32 param 0

// CHECK-LABEL: func.func @chi.script
func.func @chi.script() attributes {chi.host} {
  // CHECK: chi.global_load @n : i32
  %n = chi.global_load @n : i32
  // CHECK: chi.null : !chi.field<8192xf32>
  %z = chi.null : !chi.field<8192xf32>
  // CHECK: chi.global_store %{{.*}}, @x : !chi.field<8192xf32>
  chi.global_store %z, @x : !chi.field<8192xf32>
  // CHECK: chi.str "text"
  %s = chi.str "text"
  // CHECK: chi.rt "chirt_exit"(%{{.*}}) : (i32) -> ()
  chi.rt "chirt_exit"(%n) : (i32) -> ()
  // CHECK: chi.rt "chirt_field_copy"(%{{.*}}, %{{.*}}) at "copy_from" : (!chi.field<8192xf32>, !chi.field<8192xf32>) -> ()
  chi.rt "chirt_field_copy"(%z, %z) at "copy_from" : (!chi.field<8192xf32>, !chi.field<8192xf32>) -> ()
  return
}

// CHECK: chi.param "n" : "i32" [@n] in[1.000000e+00, 6.400000e+01] default "8" set_by @chi.default.n doc "bodies"
chi.param "n" : "i32" [@n] in [1.0, 64.0] default "8" set_by @chi.default.n doc "bodies"
// CHECK: chi.param "mode" : "i32" [@n] of ["1", "2"] default "1" fixed "2"
chi.param "mode" : "i32" [@n] of ["1", "2"] default "1" fixed "2"
func.func @chi.default.n() attributes {chi.host} {
  return
}
// CHECK: chi.test "runs" @chi.default.n
chi.test "runs" @chi.default.n
