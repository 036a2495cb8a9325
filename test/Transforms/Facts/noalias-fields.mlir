// RUN: chi-opt %s --chi-noalias-fields | FileCheck %s

// Made once, put in one variable.
// CHECK-DAG: chi.global @x : !chi.field<8xf32> noalias
chi.global @x : !chi.field<8xf32>
// One another's fields, but never one of both.
// CHECK-DAG: chi.global @a : !chi.field<8xf32> noalias
// CHECK-DAG: chi.global @b : !chi.field<8xf32> noalias
chi.global @a : !chi.field<8xf32>
chi.global @b : !chi.field<8xf32>
// Exchanged with one that shares.
// CHECK-DAG: chi.global @e : !chi.field<8xf32>{{$}}
chi.global @e : !chi.field<8xf32>
// A kernel between the two stores would see one field in both.
// CHECK-DAG: chi.global @g : !chi.field<8xf32>{{$}}
// CHECK-DAG: chi.global @h : !chi.field<8xf32>{{$}}
chi.global @g : !chi.field<8xf32>
chi.global @h : !chi.field<8xf32>
// One field, two variables.
// CHECK-DAG: chi.global @c : !chi.field<8xf32>{{$}}
// CHECK-DAG: chi.global @d : !chi.field<8xf32>{{$}}
chi.global @c : !chi.field<8xf32>
chi.global @d : !chi.field<8xf32>
// No field.
// CHECK-DAG: chi.global @n : i32{{$}}
chi.global @n : i32

func.func @host() attributes {chi.host} {
  %n = arith.constant 8 : i64
  %m = arith.constant 8 : i32
  %t = chi.str "f32"
  %x = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %x, @x : !chi.field<8xf32>
  %a = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %a, @a : !chi.field<8xf32>
  %b = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %b, @b : !chi.field<8xf32>
  %p = chi.global_load @a : !chi.field<8xf32>
  %q = chi.global_load @b : !chi.field<8xf32>
  chi.rt "chirt_field_retain"(%q) : (!chi.field<8xf32>) -> ()
  chi.global_store %q, @a : !chi.field<8xf32>
  chi.global_store %p, @b : !chi.field<8xf32>
  %c = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %c, @c : !chi.field<8xf32>
  chi.global_store %c, @d : !chi.field<8xf32>
  chi.global_store %m, @n : i32
  %e = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %e, @e : !chi.field<8xf32>
  %r = chi.global_load @e : !chi.field<8xf32>
  %s = chi.global_load @d : !chi.field<8xf32>
  chi.global_store %s, @e : !chi.field<8xf32>
  chi.global_store %r, @d : !chi.field<8xf32>
  %g = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %g, @g : !chi.field<8xf32>
  %h = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.global_store %h, @h : !chi.field<8xf32>
  %u = chi.global_load @g : !chi.field<8xf32>
  %v = chi.global_load @h : !chi.field<8xf32>
  chi.global_store %v, @g : !chi.field<8xf32>
  func.call @kernel() : () -> ()
  chi.global_store %u, @h : !chi.field<8xf32>
  return
}
func.func private @kernel() attributes {chi.control}
