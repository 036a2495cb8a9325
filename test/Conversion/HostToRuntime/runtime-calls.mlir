// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// A call of the run time is declared once, with what is known of it, and takes
// what C has: handles and strs as pointers, arrays as their memory, bools as
// bytes. One that may fail takes first where it stands.
// CHECK-DAG: llvm.func @chirt_field_copy(!llvm.ptr, !llvm.ptr, !llvm.ptr) attributes {passthrough = ["nounwind"]}
// CHECK-DAG: llvm.func @chirt_field_sum(!llvm.ptr, !llvm.ptr) attributes {passthrough = ["nounwind"]}
// CHECK-DAG: llvm.func @chirt_str_equal(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @chirt_raise(!llvm.ptr, !llvm.ptr) attributes {passthrough = ["nounwind", "cold", "noreturn"]}
// Sites: file, line, column, end; kind of a call; what; no axis; no values; no
// kernel. The same place with the same text is one.
// CHECK-DAG: llvm.mlir.global internal constant @[[COPY:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@[[FILE:chi.text.[0-9a-f]+]], 3 : i32, 1 : i32, 20 : i32, {{[0-9]+}} : i32, @[[WHAT:chi.text.[0-9a-f]+]], 0 : i32, 0 : i32, unit, unit, 0 : i32, -1 : i32, unit]
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[FILE]]("p.chi\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[WHAT]]("copy_from\00")
!F = !chi.field<?xf32>
// CHECK-LABEL: func.func @calls(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[G:[a-z0-9]+]]: !llvm.ptr, %[[S:[a-z0-9]+]]: !llvm.ptr)
func.func @calls(%f: !F, %g: !F, %s: !chi.str) -> (i32, f64) attributes {chi.host} {
  // CHECK:      %[[SITE:.*]] = llvm.mlir.addressof @[[COPY]]
  // CHECK:      llvm.call @chirt_field_copy(%[[SITE]], %[[F]], %[[G]])
  chi.rt "chirt_field_copy"(%f, %g) at "copy_from" : (!F, !F) -> () loc("p.chi":3:1 to :20)
  // CHECK:      %[[SAME:.*]] = llvm.mlir.addressof @[[COPY]]
  // CHECK:      llvm.call @chirt_field_copy(%[[SAME]], %[[G]], %[[F]])
  chi.rt "chirt_field_copy"(%g, %f) at "copy_from" : (!F, !F) -> () loc("p.chi":3:1 to :20)
  // A result by its address.
  // CHECK:      %[[AT:.*]] = builtin.unrealized_conversion_cast %[[BUFFER:.*]] : memref<1xf64> to !llvm.ptr
  // CHECK:      llvm.call @chirt_field_sum(%[[F]], %[[AT]])
  %r = chi.local "r" : !chi.local<f64>
  chi.rt "chirt_field_sum"(%f, %r) : (!F, !chi.local<f64>) -> ()
  // CHECK:      %[[SUM:.*]] = memref.load %[[BUFFER]]
  %v = chi.get %r : !chi.local<f64> -> f64
  // Texts: pointers in, pointers out.
  // CHECK:      %[[T:.*]] = llvm.mlir.addressof @chi.text.
  // CHECK:      %[[EQUAL:.*]] = llvm.call @chirt_str_equal(%[[S]], %[[T]])
  %t = chi.str "fast"
  %e = chi.rt "chirt_str_equal"(%s, %t) : (!chi.str, !chi.str) -> i32
  // CHECK:      return %[[EQUAL]], %[[SUM]]
  return %e, %v : i32, f64
}

// Whatever a kernel needs from outside, in control functions as well; the
// place of an inlined call is the callee's, unless that has none.
// CHECK-LABEL: func.func @places(
// CHECK:         %[[A:.*]] = llvm.mlir.addressof @[[INNER:chi.site.[0-9a-f]+]]
// CHECK:         llvm.call @chirt_field_copy(%[[A]],
// CHECK:         %[[B:.*]] = llvm.mlir.addressof @[[INNER]]
// CHECK:         llvm.call @chirt_field_copy(%[[B]],
// CHECK:         %[[C:.*]] = llvm.mlir.addressof @[[INNER]]
// CHECK:         llvm.call @chirt_field_copy(%[[C]],
// CHECK:         %[[D:.*]] = llvm.mlir.addressof @[[OTHER:chi.site.[0-9a-f]+]]
// CHECK:         llvm.call @chirt_field_copy(%[[D]],
func.func @places(%f: !F, %g: !F) attributes {chi.control} {
  chi.rt "chirt_field_copy"(%f, %g) at "c" : (!F, !F) -> () loc("p.chi":5:2 to :7)
  chi.rt "chirt_field_copy"(%f, %g) at "c" : (!F, !F) -> () loc(callsite("p.chi":5:2 to :7 at "p.chi":9:9 to :10))
  chi.rt "chirt_field_copy"(%f, %g) at "c" : (!F, !F) -> () loc(callsite(unknown at fused["named"("p.chi":5:2 to :7), unknown]))
  chi.rt "chirt_field_copy"(%f, %g) at "d" : (!F, !F) -> () loc("p.chi":5:2 to :7)
  %w = chi.local "w" : !chi.local<2xi64>
  chi.rt "chirt_raise"(%w) at "e" : (!chi.local<2xi64>) -> ()
  return
}
