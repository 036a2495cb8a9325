// What has no derivative yet is an error at its place.
// RUN: chi-opt %s --chi-differentiate=all --split-input-file --verify-diagnostics

chi.task @turns(%x: !chi.field<?xf32>, %y: !chi.field<f32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %end = scf.while (%at = %i) : (i32) -> i32 {
    %goes = arith.cmpi slt, %at, %c8 : i32
    scf.condition(%goes) %at : i32
  } do {
  ^bb0(%at: i32):
    // expected-error @below {{the number of executions of this atomic operation depends on the result of an atomic operation}}
    %slot = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
    chi.accum add %a, %y[] inbounds : f32, !chi.field<f32>
    scf.yield %slot : i32
  }
  chi.next
}

// -----

// Counted in `before`, where a loop would decide by it.
chi.task @decided(%x: !chi.field<?xf32>, %n: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  scf.while : () -> () {
    // expected-error @below {{the number of executions of this atomic operation depends on the result of an atomic operation}}
    %at = chi.atomic add %c1, %n[] inbounds : i32, !chi.field<i32> -> i32
    %goes = arith.cmpi slt, %at, %c8 : i32
    scf.condition(%goes)
  } do {
    scf.yield
  }
  chi.store %a, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

chi.task @exchanged(%x: !chi.field<?xf32>, %y: !chi.field<f32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{a value with a derivative goes through this atomic operation}}
  %old = chi.atomic exchange %a, %y[] inbounds : f32, !chi.field<f32> -> f32
  chi.next
}

// -----

chi.task @summed(%x: !chi.field<?xf32>, %y: !chi.field<f32>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{the result of this atomic operation has no derivative}}
  %old = chi.atomic add %a, %y[] inbounds : f32, !chi.field<f32> -> f32
  chi.store %old, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// -----

chi.task @read_again(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %p: !chi.field<?xi32>) over 0 (%i: i32) {
  %k = chi.load %p[%i : i32] inbounds : !chi.field<?xi32> -> i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may also access otherwise is not differentiated yet}}
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
  // expected-error @below {{an update by `*=`, `min` or `max` of an element that the iteration may also access otherwise is not differentiated yet}}
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
