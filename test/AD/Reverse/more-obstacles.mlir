// Atomic operations and updates that have no derivative, each at its place, and
// those near them that have one.
// RUN: chi-opt %s --chi-differentiate=all --split-input-file --verify-diagnostics

!F = !chi.field<?xf32>
!S = !chi.field<f32>

chi.task @claimed(%x: !F, %y: !S, %k: f32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  // expected-error @below {{a value with a derivative goes through this atomic operation}}
  %old = chi.atomic cas %a, %y[] expects(%k : f32) inbounds : f32, !S -> f32
  chi.next
}

// -----

!F = !chi.field<?xf32>
!S = !chi.field<f32>

// What it reads there has a derivative, though what it stores has none.
chi.task @swapped(%x: !F, %y: !S) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{a value with a derivative goes through this atomic operation}}
  %old = chi.atomic exchange %one, %y[] inbounds : f32, !S -> f32
  chi.store %old, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<?xf32>
!S = !chi.field<f32>

chi.task @loaded(%x: !F, %y: !S) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{the result of this atomic operation has no derivative}}
  %now = chi.atomic load %zero, %y[] inbounds : f32, !S -> f32
  chi.store %now, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<?xf32>
!S = !chi.field<f32>
!N = !chi.field<?xi32>

// A result that only decides is no obstacle.
chi.task @decides(%x: !F, %y: !S, %n: !N) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f32
  %old = chi.atomic exchange %one, %y[] inbounds : f32, !S -> f32
  %k = chi.to_int %old : f32 -> i32
  chi.store %k, %n[%i : i32] inbounds : i32, !N
  chi.store %one, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// -----

!F = !chi.field<?xf32>
!S = !chi.field<f32>

// A store may come before or after the update.
chi.task @stored(%x: !F, %y: !S) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %y[] inbounds : f32, !S
  // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may also access otherwise is not differentiated yet}}
  chi.accum min %a, %y[] inbounds : f32, !S
  chi.next
}

// -----

!F = !chi.field<?xf32>
!S = !chi.field<f32>

// The load comes first in the text, but a loop contains both.
chi.task @turns(%x: !F, %y: !S, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %b = chi.load %y[] inbounds : !S -> f32
    chi.store %b, %x[%j : i32] inbounds : f32, !F
    %a = chi.load %x[%i : i32] inbounds : !F -> f32
    // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may also access otherwise is not differentiated yet}}
    chi.accum mul %a, %y[] inbounds : f32, !S
  }
  chi.next
}

// -----

!F = !chi.field<?xf32>

// A call that takes and returns integers has no derivative, and is no obstacle.
func.func private @again(i32) -> i32

chi.task @recursive(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %k = func.call @again(%i) : (i32) -> i32
  chi.store %a, %y[%k : i32] inbounds : f32, !F
  chi.next
}
