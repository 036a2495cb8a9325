// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK: chi.global @x : !chi.field<8192xf32>
chi.global @x : !chi.field<8192xf32>
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
  return
}
