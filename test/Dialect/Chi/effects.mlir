// Which operations are one, and which go, by their effects.
// RUN: chi-opt %s --cse --canonicalize | FileCheck %s

// A draw advances the stream: two draws are two, also if nothing uses them. A
// draw that has its number is a value: equal ones are one, unused ones none.
// CHECK-LABEL: chi.task @draws(
// CHECK:         chi.iteration
// CHECK-NOT:     chi.iteration
// CHECK-COUNT-2: chi.random{{$}}
// CHECK:         chi.random loop
// CHECK-NOT:     chi.random
// CHECK:         chi.next
chi.task @draws(%x: !chi.field<?xi64>) over 0 (%i: i32) {
  %n = chi.iteration : i64
  %m = chi.iteration : i64
  %a = chi.random
  %b = chi.random
  %c = chi.random loop 1 call %i launch %i iteration %n draw %i
  %d = chi.random loop 1 call %i launch %i iteration %m draw %i
  %e = arith.addi %c, %d : i64
  chi.store %e, %x[%i : i32] : i64, !chi.field<?xi64>
  chi.next
}

// Loads see no store between them here; a store, an addition, an atomic
// operation and a call of the run time stay, and so does a global that is
// stored.
// CHECK-LABEL: func.func @memory(
// CHECK-COUNT-1: chi.load
// CHECK-NOT:     chi.load
// CHECK:         chi.store
// CHECK:         chi.store
// CHECK:         chi.accum
// CHECK:         chi.global_load
// CHECK-NEXT:    chi.global_store
// CHECK-NOT:     chi.dim
// CHECK-NOT:     chi.str
// CHECK:         return
chi.global @n : i32
func.func @memory(%x: !chi.field<?xf32>, %i: i32) {
  %a = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
  %b = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
  %c = arith.addf %a, %b : f32
  chi.store %c, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.store %c, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.accum add %c, %x[%i : i32] : f32, !chi.field<?xf32>
  %g = chi.global_load @n : i32
  chi.global_store %g, @n : i32
  %d = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  %t = chi.str "unused"
  return
}

// A checked sum that overflows is reported: it stays if nothing uses it.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:    chi.checked add
// CHECK-NEXT:    return
func.func @unused(%x: i32, %y: i32) {
  %a = chi.checked add %x, %y : i32
  %b = chi.overflow add %x, %y : i32
  %c = chi.ipow %x, %y : i32
  return
}

// Globals are memory: two loads are one if nothing may store between them, and a
// task that is launched may.
// CHECK-LABEL: func.func @globals(
// CHECK:         %[[A:.*]] = chi.global_load @n
// CHECK-NEXT:    chi.launch @idle
// CHECK-NEXT:    %[[B:.*]] = chi.global_load @n
// CHECK-NEXT:    return %[[A]], %[[A]], %[[B]]
chi.task @idle() () {
  chi.next
}
func.func @globals() -> (i32, i32, i32) {
  %a = chi.global_load @n : i32
  %b = chi.global_load @n : i32
  chi.launch @idle()
  %c = chi.global_load @n : i32
  return %a, %b, %c : i32, i32, i32
}

// An atomic load is no load: others may have stored since. An extent does not
// change.
// CHECK-LABEL: func.func @again(
// CHECK-COUNT-2: chi.atomic load
// CHECK:         %[[N:.*]] = chi.dim
// CHECK-NOT:     chi.dim
// CHECK:         arith.addi %[[N]], %[[N]]
func.func @again(%x: !chi.field<?xi32>, %i: i32) -> (i32, i32, i32) {
  %a = chi.atomic load %i, %x[%i : i32] : i32, !chi.field<?xi32> -> i32
  %b = chi.atomic load %i, %x[%i : i32] : i32, !chi.field<?xi32> -> i32
  %m = chi.dim %x, 0 : !chi.field<?xi32> -> i32
  %n = chi.dim %x, 0 : !chi.field<?xi32> -> i32
  %s = arith.addi %m, %n : i32
  return %a, %b, %s : i32, i32, i32
}
