// What has no derivative yet is an error at its place.
// RUN: chi-opt %s --chi-differentiate=all --split-input-file --verify-diagnostics

chi.task @slots(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{what hangs on the result of an atomic operation is not differentiated yet}}
  %slot = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
  chi.store %a, %y[%slot : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

chi.task @exchanged(%x: !chi.field<?xf32>, %y: !chi.field<f32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{the result of an atomic operation on floats is not differentiated yet}}
  %old = chi.atomic exchange %a, %y[] inbounds : f32, !chi.field<f32> -> f32
  chi.next
}

// -----

chi.task @read_again(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %p: !chi.field<?xi32>) over 0 (%i: i32) {
  %k = chi.load %p[%i : i32] inbounds : !chi.field<?xi32> -> i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may read or change otherwise too is not differentiated yet}}
  chi.accum mul %a, %y[%k : i32] inbounds : f32, !chi.field<?xf32>
  %b = chi.load %y[%k : i32] inbounds : !chi.field<?xf32> -> f32
  chi.store %b, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

chi.task @two_ways(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %p: !chi.field<?xi32>) over 0 (%i: i32) {
  %k = chi.load %p[%i : i32] inbounds : !chi.field<?xi32> -> i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum max %a, %y[%k : i32] inbounds : f32, !chi.field<?xf32>
  // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may read or change otherwise too is not differentiated yet}}
  chi.accum min %a, %y[%k : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

func.func private @again(f32) -> f32

chi.task @recursive(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{a call of a recursive function is not differentiated yet}}
  %b = func.call @again(%a) : (f32) -> f32
  chi.store %b, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
