// What has no tangent in one iteration is refused.
// RUN: chi-opt %s --chi-tangents=all --split-input-file --verify-diagnostics

!F = !chi.field<?xf32>
chi.task @product(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @+1 {{[E1021] an update by `*=` of an element that other iterations may access, too, has no tangent yet}}
  chi.accum mul %a, %y[%c0 : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<?xf32>
chi.task @result(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @+1 {{[E1021] an atomic operation on a float whose result is used has no tangent yet}}
  %o = chi.atomic add %a, %y[%c0 : i32] inbounds : f32, !F -> f32
  chi.store %o, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<?xf32>
func.func private @f(f32) -> f32
chi.task @call(%x: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @+1 {{[E1021] a call of a recursive function has no tangent yet}}
  %r = func.call @f(%a) : (f32) -> f32
  chi.store %r, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

// Where the element is also read, which value counts is not known.
!F = !chi.field<?xf32>
chi.task @read(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @+1 {{[E1021] an update by `*=`, `min` or `max` of an element that the iteration may also access otherwise has no tangent yet}}
  chi.accum max %a, %y[%c0 : i32] inbounds : f32, !F
  %b = chi.load %y[%c0 : i32] inbounds : !F -> f32
  chi.store %b, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

// Integers may be updated in any way.
chi.task @integers(%x: !chi.field<?xi32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c = arith.constant 1.0 : f32
  %o = chi.atomic add %i, %x[%c0 : i32] inbounds : i32, !chi.field<?xi32> -> i32
  chi.accum max %i, %x[%c0 : i32] inbounds : i32, !chi.field<?xi32>
  chi.store %c, %y[%o : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
