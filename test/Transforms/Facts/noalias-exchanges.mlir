// Variables that exchange fields, copy them, or view them.
// RUN: chi-opt %s --chi-noalias-fields | FileCheck %s

!F = !chi.field<8xf32>

// Three in a circle: each has a field of its own after the last store.
// CHECK-DAG: chi.global @u : !chi.field<8xf32> noalias
// CHECK-DAG: chi.global @v : !chi.field<8xf32> noalias
// CHECK-DAG: chi.global @w : !chi.field<8xf32> noalias
chi.global @u : !F
chi.global @v : !F
chi.global @w : !F
// A view has the memory of another field.
// CHECK-DAG: chi.global @s : !chi.field<8xf32>{{$}}
// CHECK-DAG: chi.global @t : !chi.field<8xf32> noalias
chi.global @s : !F
chi.global @t : !F
// A copy: two variables hold one field. It is enough that one of them has no
// attribute, as it is meant of two that have it.
// CHECK-DAG: chi.global @a : !chi.field<8xf32> noalias
// CHECK-DAG: chi.global @b : !chi.field<8xf32>{{$}}
chi.global @a : !F
chi.global @b : !F
// Half of an exchange: the other store is in a branch.
// CHECK-DAG: chi.global @c : !chi.field<8xf32>{{$}}
// CHECK-DAG: chi.global @d : !chi.field<8xf32>{{$}}
chi.global @c : !F
chi.global @d : !F
// Nobody assigns it.
// CHECK-DAG: chi.global @e : !chi.field<8xf32>{{$}}
chi.global @e : !F
// An argument may be any field.
// CHECK-DAG: chi.global @f : !chi.field<8xf32>{{$}}
chi.global @f : !F
// In a loop, too, each store is of a field that was just made.
// CHECK-DAG: chi.global @g : !chi.field<8xf32> noalias
chi.global @g : !F
// A field that is made here, and used for something else as well.
// CHECK-DAG: chi.global @h : !chi.field<8xf32>{{$}}
chi.global @h : !F

func.func @host(%any: !F, %ok: i1, %from: index, %to: index) attributes {chi.host} {
  %n = arith.constant 8 : i64
  %z = arith.constant 0 : i64
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %t = chi.str "f32"
  %new_u = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_u, @u : !F
  %new_v = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_v, @v : !F
  %new_w = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_w, @w : !F
  %new_t = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_t, @t : !F
  %new_a = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_a, @a : !F
  %new_b = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_b, @b : !F
  %new_c = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_c, @c : !F
  %new_d = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.global_store %new_d, @d : !F
  %u1 = chi.global_load @u : !F
  %v1 = chi.global_load @v : !F
  %w1 = chi.global_load @w : !F
  chi.global_store %v1, @u : !F
  chi.global_store %w1, @v : !F
  chi.global_store %u1, @w : !F
  %a1 = chi.global_load @a : !F
  chi.rt "chirt_field_retain"(%a1) : (!F) -> ()
  chi.global_store %a1, @b : !F
  %c1 = chi.global_load @c : !F
  %d1 = chi.global_load @d : !F
  chi.global_store %d1, @c : !F
  scf.if %ok {
    chi.global_store %c1, @d : !F
  }
  chi.global_store %any, @f : !F
  scf.for %k = %from to %to step %from {
    %new_g = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
    chi.global_store %new_g, @g : !F
  }
  %h1 = chi.rt "chirt_field_new"(%t, %n, %n, %n, %n, %n, %n, %n, %n, %n) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !F
  chi.store %one, %h1[%c0 : i32] : f32, !F
  chi.global_store %h1, @h : !F
  %words = chi.local "slices" : !chi.local<3xi64>
  %t1 = chi.global_load @t : !F
  %view = chi.rt "chirt_field_slice"(%t1, %words) at "slice" : (!F, !chi.local<3xi64>) -> !F
  chi.global_store %view, @s : !F
  return
}
