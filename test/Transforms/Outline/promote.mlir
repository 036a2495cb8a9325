// RUN: chi-opt %s --chi-promote | FileCheck %s
// RUN: chi-opt %s --chi-promote > %t && chi-opt %t --chi-promote | diff %t -

// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: f32, %[[Y:.*]]: f32
func.func @branch(%c: i1, %x: f32, %y: f32) -> f32 {
  %a = chi.local "a" : !chi.local<f32>
  chi.set %x, %a : f32, !chi.local<f32>
  scf.if %c {
    chi.set %y, %a : f32, !chi.local<f32>
  }
  %r = chi.get %a : !chi.local<f32> -> f32
  // CHECK: %[[R:.*]] = arith.select %[[C]], %[[Y]], %[[X]]
  // CHECK: return %[[R]]
  return %r : f32
}

// Only what is changed and read is carried: not `unused`, not `same`, and not
// `only`, which keeps but itself alive.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[N:.*]]: i32, %[[X:.*]]: f32
func.func @loop(%n: i32, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %sum = chi.local "sum" : !chi.local<f32>
  %unused = chi.local "unused" : !chi.local<f32>
  %same = chi.local "same" : !chi.local<f32>
  %only = chi.local "only" : !chi.local<f32>
  chi.set %f0, %sum : f32, !chi.local<f32>
  chi.set %f0, %only : f32, !chi.local<f32>
  chi.set %x, %same : f32, !chi.local<f32>
  // CHECK: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
  // CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[X]]
  // CHECK-NEXT: scf.yield %[[T]]
  scf.for %i = %zero to %n step %one : i32 {
    %s = chi.get %sum : !chi.local<f32> -> f32
    %v = chi.get %same : !chi.local<f32> -> f32
    %t = arith.addf %s, %v : f32
    chi.set %t, %sum : f32, !chi.local<f32>
    chi.set %t, %unused : f32, !chi.local<f32>
    %o = chi.get %only : !chi.local<f32> -> f32
    %p = arith.addf %o, %x : f32
    chi.set %p, %only : f32, !chi.local<f32>
  }
  // CHECK: return %[[R]]
  %r = chi.get %sum : !chi.local<f32> -> f32
  return %r : f32
}

// A slot of the body starts afresh in each iteration.
// CHECK-LABEL: func.func @inner(
func.func @inner(%n: i32, %x: !chi.field<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: scf.for
  // CHECK-NOT: iter_args
  scf.for %i = %zero to %n step %one : i32 {
    %a = chi.local "a" : !chi.local<i32>
    chi.set %i, %a : i32, !chi.local<i32>
    %b = chi.get %a : !chi.local<i32> -> i32
    // CHECK: chi.store %{{.*}}
    chi.store %b, %x[] : i32, !chi.field<i32>
  }
  return
}

// Set in the first region of a while, read in the second and after it.
// CHECK-LABEL: func.func @while(
func.func @while(%n: i32, %x: !chi.field<i32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %k = chi.local "k" : !chi.local<i32>
  %t = chi.local "t" : !chi.local<i32>
  chi.set %zero, %k : i32, !chi.local<i32>
  // CHECK: %[[R:.*]] = scf.while (%[[K:.*]] = %{{.*}}) : (i32) -> i32 {
  // CHECK:   %[[D:.*]] = arith.addi %[[K]], %[[K]]
  // CHECK:   scf.condition(%{{.*}}) %[[D]]
  // CHECK: ^bb0(%[[E:.*]]: i32):
  // CHECK:   chi.store %[[E]]
  // CHECK: return %[[R]]
  scf.while : () -> () {
    %a = chi.get %k : !chi.local<i32> -> i32
    %b = arith.addi %a, %a : i32
    chi.set %b, %t : i32, !chi.local<i32>
    %c = arith.cmpi slt, %b, %n : i32
    scf.condition(%c)
  } do {
    %d = chi.get %t : !chi.local<i32> -> i32
    chi.store %d, %x[] : i32, !chi.field<i32>
    %e = arith.addi %d, %one : i32
    chi.set %e, %k : i32, !chi.local<i32>
    scf.yield
  }
  %f = chi.get %t : !chi.local<i32> -> i32
  return %f : i32
}

// Read in a parallel loop: the value is captured. Undefined reads give zero.
// CHECK-LABEL: chi.kernel @captured(
// CHECK-SAME: %[[A:.*]]: f32
chi.kernel @captured(%a: f32, %x: !chi.field<?xf32>, %y: !chi.field<?xf32>) {
  // CHECK: %[[Z:.*]] = arith.constant 0.0
  %s = chi.local "s" : !chi.local<f32>
  %u = chi.local "u" : !chi.local<f32>
  chi.set %a, %s : f32, !chi.local<f32>
  // CHECK: chi.parallel
  chi.parallel (%i : i32) over %x : !chi.field<?xf32> {
    %v = chi.get %s : !chi.local<f32> -> f32
    %w = chi.get %u : !chi.local<f32> -> f32
    // CHECK: chi.store %[[A]]
    chi.store %v, %x[%i : i32] : f32, !chi.field<?xf32>
    // CHECK: chi.store %[[Z]]
    chi.store %w, %y[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}

// An array of which each index is constant becomes values; it starts zeroed.
// CHECK-LABEL: func.func @array(
// CHECK-SAME: %[[X:.*]]: f32
func.func @array(%x: f32, %i: i32) -> (f32, f32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: %[[Z:.*]] = arith.constant 0.0
  %a = chi.local "a" : !chi.local<2x2xf32>
  chi.set %x, %a[%one, %zero : i32, i32] : f32, !chi.local<2x2xf32>
  %b = chi.get %a[%one, %zero : i32, i32] : !chi.local<2x2xf32> -> f32
  %c = chi.get %a[%zero, %one : i32, i32] : !chi.local<2x2xf32> -> f32
  // One with an index known at run time stays.
  // CHECK: %[[D:.*]] = chi.local "d"
  %d = chi.local "d" : !chi.local<4xf32>
  chi.set %x, %d[%i : i32] : f32, !chi.local<4xf32>
  // CHECK: %[[E:.*]] = chi.get %[[D]]
  %e = chi.get %d[%one : i32] : !chi.local<4xf32> -> f32
  // CHECK: return %[[X]], %[[Z]], %[[E]]
  return %b, %c, %e : f32, f32, f32
}

// CHECK-LABEL: func.func @field(
func.func @field(%c: i1, %x: !chi.field<?xf32>) -> !chi.field<?xf32> attributes {chi.host} {
  %a = chi.local "a" : !chi.local<!chi.field<?xf32>>
  scf.if %c {
    chi.set %x, %a : !chi.field<?xf32>, !chi.local<!chi.field<?xf32>>
  }
  // CHECK: %[[NULL:.*]] = chi.null
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[NULL]]
  %r = chi.get %a : !chi.local<!chi.field<?xf32>> -> !chi.field<?xf32>
  return %r : !chi.field<?xf32>
}
