// Slots that stay slots, and what is erased with those that become values.
// RUN: chi-opt %s --chi-promote | FileCheck %s
// RUN: chi-opt %s --chi-promote > %t && chi-opt %t --chi-promote | diff %t -

!F = !chi.field<?xf32>
!S = !chi.local<f32>

// A parallel loop sets it: its iterations have no order in which one value would
// follow the other.
// CHECK-LABEL: chi.kernel @shared(
// CHECK:         %[[S:.*]] = chi.local "s"
// CHECK:         chi.set %{{.*}}, %[[S]]
// CHECK:         chi.parallel
// CHECK:           chi.set %{{.*}}, %[[S]]
// CHECK:         %[[R:.*]] = chi.get %[[S]]
// CHECK:         chi.store %[[R]]
chi.kernel @shared(%x: !F, %a: f32) {
  %c0 = arith.constant 0 : i32
  %s = chi.local "s" : !S
  chi.set %a, %s : f32, !S
  chi.parallel (%i : i32) over %x : !F {
    %v = chi.load %x[%i : i32] : !F -> f32
    chi.set %v, %s : f32, !S
    chi.next
  }
  %r = chi.get %s : !S -> f32
  chi.store %r, %x[%c0 : i32] : f32, !F
  chi.return
}

// A slot of the iteration is its own.
// CHECK-LABEL: chi.kernel @own(
// CHECK-NOT:     chi.local
// CHECK:         chi.store
// CHECK:         chi.return
chi.kernel @own(%x: !F, %a: f32) {
  chi.parallel (%i : i32) over %x : !F {
    %s = chi.local "s" : !S
    chi.set %a, %s : f32, !S
    %v = chi.get %s : !S -> f32
    chi.store %v, %x[%i : i32] : f32, !F
    chi.next
  }
  chi.return
}

// The run time gets its address.
// CHECK-LABEL: func.func @address(
// CHECK:         %[[WORDS:.*]] = chi.local "words"
// CHECK:         chi.set %{{.*}}, %[[WORDS]]
// CHECK:         chi.rt "chirt_field_slice"(%{{.*}}, %[[WORDS]])
func.func @address(%f: !F) -> !F attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 3 : i64
  %words = chi.local "words" : !chi.local<3xi64>
  chi.set %n, %words[%c0 : i32] : i64, !chi.local<3xi64>
  %r = chi.rt "chirt_field_slice"(%f, %words) at "slice" : (!F, !chi.local<3xi64>) -> !F
  return %r : !F
}

// A constant index that is outside, or negative, has no element.
// CHECK-LABEL: func.func @outside(
// CHECK:         chi.local "a"
// CHECK:         chi.local "b"
func.func @outside(%x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %m1 = arith.constant -1 : i32
  %a = chi.local "a" : !chi.local<4xf32>
  %b = chi.local "b" : !chi.local<4xf32>
  chi.set %x, %a[%c4 : i32] : f32, !chi.local<4xf32>
  chi.set %x, %b[%m1 : i32] : f32, !chi.local<4xf32>
  %r = chi.get %a[%c0 : i32] : !chi.local<4xf32> -> f32
  %s = chi.get %b[%c0 : i32] : !chi.local<4xf32> -> f32
  return %r, %s : f32, f32
}

// An index that is a constant once a slot is a value: the array is split then.
// CHECK-LABEL: func.func @later(
// CHECK-NOT:     chi.local
// CHECK:         return %arg0
func.func @later(%x: f32) -> f32 {
  %one = arith.constant 1 : i32
  %k = chi.local "k" : !chi.local<i32>
  %a = chi.local "a" : !chi.local<4xf32>
  chi.set %one, %k : i32, !chi.local<i32>
  %i = chi.get %k : !chi.local<i32> -> i32
  %j = arith.addi %i, %one : i32
  chi.set %x, %a[%j : i32] : f32, !chi.local<4xf32>
  %r = chi.get %a[%j : i32] : !chi.local<4xf32> -> f32
  return %r : f32
}

// An array of a loop's body starts zeroed in each iteration.
// CHECK-LABEL: func.func @zeroed(
// CHECK:         %[[Z:.*]] = arith.constant 0.0
// CHECK:         scf.for
// CHECK-NOT:       iter_args
// CHECK:           chi.store %[[Z]], %arg1[%c0_i32 : i32]
func.func @zeroed(%n: i32, %f: !F, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = chi.local "a" : !chi.local<2xf32>
    %v = chi.get %a[%c0 : i32] : !chi.local<2xf32> -> f32
    chi.store %v, %f[%c0 : i32] : f32, !F
    chi.set %x, %a[%c0 : i32] : f32, !chi.local<2xf32>
  }
  return
}

// A loop of which nothing remains goes, with the branch in it.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     scf.
// CHECK:         return %arg1
func.func @nothing(%n: i32, %x: f32, %c: i1) -> f32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = chi.local "s" : !S
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %c {
      %v = chi.get %s : !S -> f32
      %w = arith.addf %v, %x : f32
      chi.set %w, %s : f32, !S
    }
  }
  return %x : f32
}

// A while loop that prints carries what its condition and the print read; the
// sum keeps only itself alive.
// CHECK-LABEL: func.func @prints(
// CHECK:         scf.while (%[[K:.*]] = %{{.*}}) : (i32) -> i32
// CHECK-NOT:       arith.addf
// CHECK:           chi.print
// CHECK-NOT:       arith.addf
// CHECK:         return
func.func @prints(%n: i32, %x: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %k = chi.local "k" : !chi.local<i32>
  %s = chi.local "s" : !S
  chi.set %c0, %k : i32, !chi.local<i32>
  chi.set %x, %s : f32, !S
  scf.while : () -> () {
    %a = chi.get %k : !chi.local<i32> -> i32
    %c = arith.cmpi slt, %a, %n : i32
    scf.condition(%c)
  } do {
    %a = chi.get %k : !chi.local<i32> -> i32
    chi.print [{shape = array<i64>, type = "i32"}] (%a : i32)
    %b = arith.addi %a, %c1 : i32
    chi.set %b, %k : i32, !chi.local<i32>
    %v = chi.get %s : !S -> f32
    %w = arith.addf %v, %x : f32
    chi.set %w, %s : f32, !S
    scf.yield
  }
  return
}
