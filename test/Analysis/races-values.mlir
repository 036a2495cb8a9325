// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-races --split-input-file --verify-diagnostics

// What two iterations do to one element: each pair of a store, a load and the
// kinds of updates.
chi.task @storeLoad (%x: !chi.field<8xi32>, %y: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%c0 : i32] : !chi.field<8xi32> -> i32 // expected-remark {{race with it}}
  chi.store %a, %x[%i : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  chi.next
}
chi.task @loads (%x: !chi.field<8xi32>, %y: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%c0 : i32] : !chi.field<8xi32> -> i32
  chi.store %a, %y[%i : i32] : i32, !chi.field<8xi32>
  chi.next
}
chi.task @sums (%x: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  chi.accum add %i, %x[%c0 : i32] : i32, !chi.field<8xi32>
  %a = chi.atomic sub %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  %b = chi.atomic add %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  %c = chi.atomic load %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  chi.next
}
chi.task @sumLoad (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum add %i, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  %a = chi.load %x[%c0 : i32] : !chi.field<8xi32> -> i32 // expected-remark {{race with it}}
  chi.next
}
chi.task @sumProduct (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum add %i, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  chi.accum mul %i, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race with it}}
  chi.next
}
// A difference is a sum, and no product, whatever number the kinds have.
chi.task @differenceProduct (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum mul %i, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  %a = chi.atomic sub %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32 // expected-remark {{race with it}}
  chi.next
}
chi.task @largest (%x: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  chi.accum max %i, %x[%c0 : i32] : i32, !chi.field<8xi32>
  %a = chi.atomic max %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  chi.next
}
chi.task @largestUnsigned (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum max %i, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  %a = chi.atomic maxu %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32 // expected-remark {{race with it}}
  chi.next
}
chi.task @casSum (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.atomic cas %i, %x[%c0 : i32] expects(%c0 : i32) : i32, !chi.field<8xi32> -> i32 // expected-remark {{race at ['0']}}
  %b = chi.atomic add %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32 // expected-remark {{race with it}}
  chi.next
}
// `atomic_load` does not go beside a plain store.
chi.task @storeAtomicLoad (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.atomic load %i, %x[%c0 : i32] : i32, !chi.field<8xi32> -> i32 // expected-remark {{race}}
  chi.store %i, %x[%i : i32] : i32, !chi.field<8xi32> // expected-remark {{race}}
  chi.next
}
// Two fields, two components: nothing is shared. Of a component that is found
// at run time nothing is certain.
chi.task @parts (%x: !chi.field<8x!chi.vec<2xi32>>, %y: !chi.field<8x!chi.vec<2xi32>>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%c0 : i32] component 1 : !chi.field<8x!chi.vec<2xi32>> -> i32
  chi.store %a, %x[%i : i32] : i32, !chi.field<8x!chi.vec<2xi32>>
  chi.store %i, %y[%c0 : i32] dynamic(%i : i32) : i32, !chi.field<8x!chi.vec<2xi32>>
  chi.next
}

// -----

// Stores of one value from all are no race: a constant, a captured number, what
// is computed or loaded alike; of two values they are.
chi.task @constant (%x: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  chi.store %c0, %x[%c0 : i32] : i32, !chi.field<8xi32>
  chi.next
}
chi.task @twoConstants (%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi eq, %i, %c0 : i32
  scf.if %first {
    chi.store %c0, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race at ['0']}}
  } else {
    chi.store %c1, %x[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{race with it}}
  }
  chi.next
}
chi.task @sameConstants (%x: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.cmpi eq, %i, %c0 : i32
  scf.if %first {
    chi.store %c1, %x[%c0 : i32] : i32, !chi.field<8xi32>
  } else {
    %one = arith.constant 1 : i32
    chi.store %one, %x[%c0 : i32] : i32, !chi.field<8xi32>
  }
  chi.next
}
chi.task @computed (%x: !chi.field<8xf32>, %y: !chi.field<8xf32>, %a: f32) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %b = chi.load %y[%c0 : i32] : !chi.field<8xf32> -> f32
  %c = arith.mulf %a, %b : f32
  chi.store %c, %x[%c0 : i32] : f32, !chi.field<8xf32>
  chi.next
}
// Made in one way in two places.
chi.task @twice (%x: !chi.field<8xf32>, %a: f32) over 0 (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %first = arith.cmpi eq, %i, %c0 : i32
  scf.if %first {
    %b = math.sqrt %a : f32
    chi.store %b, %x[%c0 : i32] : f32, !chi.field<8xf32>
  } else {
    %b = math.sqrt %a : f32
    chi.store %b, %x[%c0 : i32] : f32, !chi.field<8xf32>
  }
  chi.next
}
// i // 2 is the same for the two that share the element, and so is what is
// made of it; i is not.
chi.task @halves (%x: !chi.field<8xi32>) over 0 (%i: i32) { // expected-remark {{no race}}
  %c2 = arith.constant 2 : i32
  %half = chi.floordiv %i, %c2 : i32
  %square = arith.muli %half, %half : i32
  chi.store %square, %x[%half : i32] : i32, !chi.field<8xi32>
  chi.next
}
chi.task @random (%x: !chi.field<8xi64>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %it = chi.iteration : i64
  %r = chi.random loop 0 call %c0 launch %c0 iteration %it draw %c0
  chi.store %r, %x[%c0 : i32] : i64, !chi.field<8xi64> // expected-remark {{by itself}}
  chi.next
}
// The value of the column, on an element for the row; of the row it is one.
chi.task @columns (%x: !chi.field<8x8xf32>, %y: !chi.field<8xf32>, %z: !chi.field<8xf32>) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%c0, %j : i32, i32] : !chi.field<8x8xf32> -> f32
  %b = chi.load %x[%i, %c0 : i32, i32] : !chi.field<8x8xf32> -> f32
  chi.store %a, %y[%i : i32] : f32, !chi.field<8xf32> // expected-remark {{by itself}}
  chi.store %b, %z[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}
// Through local arrays that are set from each other.
chi.task @locals (%y: !chi.field<8xi32>, %z: !chi.field<8xi32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = chi.local "s" : !chi.local<4xi32>
  %t = chi.local "t" : !chi.local<4xi32>
  chi.set %i, %t[%c0 : i32] : i32, !chi.local<4xi32>
  %b = chi.get %t[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %b, %s[%c0 : i32] : i32, !chi.local<4xi32>
  %x = chi.get %s[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %x, %t[%c1 : i32] : i32, !chi.local<4xi32>
  chi.store %b, %y[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{by itself}}
  chi.store %x, %z[%c0 : i32] : i32, !chi.field<8xi32> // expected-remark {{by itself}}
  chi.next
}
