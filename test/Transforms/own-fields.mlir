// RUN: chi-opt %s --chi-own-fields | FileCheck %s

// Made once, put in one variable.
// CHECK-DAG: chi.global @x : !chi.field<8xf32> {chi.own}
chi.global @x : !chi.field<8xf32>
// Another variable's field at times.
// CHECK-DAG: chi.global @a : !chi.field<8xf32>{{$}}
// CHECK-DAG: chi.global @b : !chi.field<8xf32>{{$}}
chi.global @a : !chi.field<8xf32>
chi.global @b : !chi.field<8xf32>
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
  %x = chi.rt "chirt_field_new"(%t, %n) : (!chi.str, i64) -> !chi.field<8xf32>
  chi.global_store %x, @x : !chi.field<8xf32>
  %a = chi.rt "chirt_field_new"(%t, %n) : (!chi.str, i64) -> !chi.field<8xf32>
  chi.global_store %a, @a : !chi.field<8xf32>
  %b = chi.rt "chirt_field_new"(%t, %n) : (!chi.str, i64) -> !chi.field<8xf32>
  chi.global_store %b, @b : !chi.field<8xf32>
  %p = chi.global_load @a : !chi.field<8xf32>
  %q = chi.global_load @b : !chi.field<8xf32>
  chi.global_store %q, @a : !chi.field<8xf32>
  chi.global_store %p, @b : !chi.field<8xf32>
  %c = chi.rt "chirt_field_new"(%t, %n) : (!chi.str, i64) -> !chi.field<8xf32>
  chi.global_store %c, @c : !chi.field<8xf32>
  chi.global_store %c, @d : !chi.field<8xf32>
  chi.global_store %m, @n : i32
  return
}
