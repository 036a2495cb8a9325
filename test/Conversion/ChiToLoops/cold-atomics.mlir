// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s

// The form with atomic operations, for where copies are refused: hardly ever where each thread adds many times to few elements, and then small code
// will do; otherwise with many threads.
// CHECK-LABEL: func.func private @many.may_alias(
// CHECK-SAME:    chi.cold
// CHECK-LABEL: func.func private @few.may_alias(
// CHECK-NOT:     chi.cold
// CHECK-LABEL: func.func private @unknown.may_alias(
// CHECK-NOT:     chi.cold
// CHECK-LABEL: func.func @launches(
chi.task @many(%at: !chi.field<6400xi32>, %to: !chi.field<1600xf32>) over 0 (%p: i32)
    attributes {kernel = "k", facts = #chi.facts<from = [= 0], to = [= 6400], inputs = [?, ?]>, schedule = #chi.schedule<privatized = [#chi.privatized<argument = 1, count = 1>]>} {
  %one = arith.constant 1.0 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<6400xi32> -> i32
  chi.accum add %one, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<1600xf32>
  chi.next
}
chi.task @few(%at: !chi.field<6400xi32>, %to: !chi.field<1604xf32>) over 0 (%p: i32)
    attributes {kernel = "k", facts = #chi.facts<from = [= 0], to = [= 6400], inputs = [?, ?]>, schedule = #chi.schedule<privatized = [#chi.privatized<argument = 1, count = 1>]>} {
  %one = arith.constant 1.0 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<6400xi32> -> i32
  chi.accum add %one, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<1604xf32>
  chi.next
}
chi.task @unknown(%at: !chi.field<?xi32>, %to: !chi.field<4xf32>) over 0 (%p: i32)
    attributes {kernel = "k", schedule = #chi.schedule<privatized = [#chi.privatized<argument = 1, count = 1>]>} {
  %one = arith.constant 1.0 : f32
  %i = chi.load %at[%p : i32] inbounds : !chi.field<?xi32> -> i32
  chi.accum add %one, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<4xf32>
  chi.next
}
func.func @launches(%at: !chi.field<6400xi32>, %b: !chi.field<1600xf32>, %c: !chi.field<1604xf32>, %d: !chi.field<?xi32>, %e: !chi.field<4xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 6400 : i32
  chi.launch @many(%at, %b : !chi.field<6400xi32>, !chi.field<1600xf32>) from(%c0 : i32) to(%n : i32)
  chi.launch @few(%at, %c : !chi.field<6400xi32>, !chi.field<1604xf32>) from(%c0 : i32) to(%n : i32)
  chi.launch @unknown(%d, %e : !chi.field<?xi32>, !chi.field<4xf32>) from(%c0 : i32) to(%n : i32)
  return
}
