// RUN: chi-opt %s --chi-launch-facts --chi-insert-checks --chi-remove-checks --split-input-file | FileCheck %s

// Clamped indices, by min and max and by comparisons.
// CHECK-LABEL: chi.task @clamped
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @clamped (%q: !chi.field<512x512xf32>, %k: i32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c511 = arith.constant 511 : i32
  %p = arith.addi %i, %k : i32
  %low = arith.maxsi %p, %c0 : i32
  %in = arith.minsi %low, %c511 : i32
  %a = chi.load %q[%in, %j : i32, i32] : !chi.field<512x512xf32> -> f32
  %isLow = arith.cmpi slt, %p, %c0 : i32
  %r = arith.select %isLow, %c0, %p : i32
  %isHigh = arith.cmpi sgt, %r, %c511 : i32
  %s = arith.select %isHigh, %c511, %r : i32
  %b = chi.load %q[%i, %s : i32, i32] : !chi.field<512x512xf32> -> f32
  chi.next
}

// -----

// Guards: nested, joined, of a short-circuit and.
// CHECK-LABEL: chi.task @guarded
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @guarded (%x: !chi.field<?x?xf32>, %p: i32, %q: i32) (%k: i32) {
  %c0 = arith.constant 0 : i32
  %false = arith.constant false
  %gx = chi.dim %x, 0 : !chi.field<?x?xf32> -> i32
  %gy = chi.dim %x, 1 : !chi.field<?x?xf32> -> i32
  %d = arith.addi %p, %k : i32
  %a = arith.cmpi sle, %c0, %d : i32
  %b = arith.cmpi slt, %d, %gx : i32
  %ab = arith.andi %a, %b : i1
  %both = scf.if %ab -> (i1) {
    %c = arith.cmpi sge, %q, %c0 : i32
    %more = scf.if %c -> (i1) {
      %e = arith.cmpi slt, %q, %gy : i32
      scf.yield %e : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %more : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %both {
    %v = chi.load %x[%d, %q : i32, i32] : !chi.field<?x?xf32> -> f32
  }
  chi.next
}

// -----

// A fact of a guard's other branch does not hold in this one.
// CHECK-LABEL: chi.task @wrong_guard
// CHECK:       scf.if
// CHECK:         chi.check
// CHECK:       else
// CHECK-NOT:     chi.check
// CHECK:       chi.next
chi.task @wrong_guard (%x: !chi.field<8xf32>, %p: i32) (%k: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %a = arith.cmpi slt, %p, %c0 : i32
  %b = arith.cmpi sge, %p, %c8 : i32
  %ab = arith.ori %a, %b : i1
  scf.if %ab {
    %v = chi.load %x[%p : i32] : !chi.field<8xf32> -> f32
  } else {
    %v = chi.load %x[%p : i32] : !chi.field<8xf32> -> f32
  }
  chi.next
}

// -----

// Sums of 32 bits wrap: i + 2000000000 - 2000000000 is not known to be i, but
// i + k - k for a k that keeps it small is.
// CHECK-LABEL: chi.task @wrap
// CHECK:       chi.check
// CHECK:       chi.load
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @wrap (%x: !chi.field<1000000000xi8>, %y: !chi.field<8xi8>) over 0 (%i: i32) {
  %big = arith.constant 2000000000 : i32
  %a = arith.addi %i, %big : i32
  %c1 = arith.constant 1 : i32
  %b = arith.shrsi %a, %c1 : i32
  %v = chi.load %x[%b : i32] : !chi.field<1000000000xi8> -> i8
  %small = arith.constant 5 : i32
  %p = arith.addi %i, %small : i32
  %q = arith.subi %p, %small : i32
  %w = chi.load %x[%q : i32] : !chi.field<1000000000xi8> -> i8
  chi.next
}

// -----

// Bytes index a table of 256.
// CHECK-LABEL: chi.task @histogram
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @histogram (%data: !chi.field<?xi8>, %h: !chi.field<256xi32>, %one: i32) over 0 (%i: i32) {
  %b = chi.load %data[%i : i32] : !chi.field<?xi8> -> i8
  %k = arith.extui %b : i8 to i32
  chi.accum add %one, %h[%k : i32] : i32, !chi.field<256xi32>
  chi.next
}

// -----

// A counter that a loop carries under a guard, and a while loop.
// CHECK-LABEL: chi.task @counter
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @counter (%nb: !chi.field<16x100xi32>, %x: !chi.field<?xf32>, %m: i32) over 0 (%p: i32, %r: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %n = scf.for %s = %c0 to %m step %c1 iter_args(%count = %c0) -> (i32) : i32 {
    %fits = arith.cmpi slt, %count, %c100 : i32
    %next = scf.if %fits -> (i32) {
      chi.store %s, %nb[%p, %count : i32, i32] : i32, !chi.field<16x100xi32>
      %more = arith.addi %count, %c1 : i32
      scf.yield %more : i32
    } else {
      scf.yield %count : i32
    }
    scf.yield %next : i32
  }
  %extent = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  %end = scf.while (%k = %c0) : (i32) -> (i32) {
    %go = arith.cmpi slt, %k, %extent : i32
    scf.condition(%go) %k : i32
  } do {
  ^bb0(%k: i32):
    %v = chi.load %x[%k : i32] : !chi.field<?xf32> -> f32
    %k1 = arith.addi %k, %c1 : i32
    scf.yield %k1 : i32
  }
  chi.next
}

// -----

// A captured number that every launch takes from the extent of the field.
// CHECK-LABEL: chi.task @captured.t0
// CHECK-NOT:   chi.check
// CHECK:       chi.next
func.func @captured(%x: !chi.field<?xf32>, %m: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  chi.launch @captured.t0(%x, %n : !chi.field<?xf32>, i32) from (%c0 : i32) to (%m : i32)
  return
}
chi.task @captured.t0 (%x: !chi.field<?xf32>, %n: i32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %v = chi.load %x[%j : i32] : !chi.field<?xf32> -> f32
  }
  chi.next
}

// -----

// In host code the checks of overflow go where the numbers are small.
// CHECK-LABEL: func.func @host
// CHECK-NOT:   chi.check
// CHECK:       return
func.func @host() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %true = arith.constant true
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    %over = chi.overflow mul %k, %k : i32
    %ok = arith.xori %over, %true : i1
    chi.check overflow %ok (%k, %k : i32, i32)
  }
  return
}
