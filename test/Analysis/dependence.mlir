// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-dependence --split-input-file --verify-diagnostics

// Values of their operands; what is captured is the same everywhere.
chi.task @values (%n: i32, %x: f32, %f: !chi.field<?x8xf32>) (%i: i32, %j: i32, %k: i32) attributes {axes = ["i", "j", "k"]} {
  %c2 = arith.constant 2 : i32
  %d = chi.dim %f, 0 : !chi.field<?x8xf32> -> i32
  "ask.axes"(%i, %k, %n, %x, %c2, %d) : (i32, i32, i32, f32, i32, i32) -> () // expected-remark {{i, k, none, none, none, none;}}
  %sum = arith.addi %i, %n : i32
  %both = arith.muli %sum, %k : i32
  %float = arith.sitofp %both : i32 to f32
  %product = arith.mulf %float, %x : f32
  "ask.axes"(%sum, %both, %product) : (i32, i32, f32) -> () // expected-remark {{i, i k, i k;}}
  // That it cancels is not looked at.
  %none = arith.subi %j, %j : i32
  "ask.axes"(%none) : (i32) -> () // expected-remark {{j;}}
  %less = arith.cmpi slt, %i, %c2 : i32
  %pick = arith.select %less, %j, %n : i32
  "ask.axes"(%less, %pick) : (i1, i32) -> () // expected-remark {{i, i j;}}
  chi.next
}

// -----

// Loads: of a field that the task only reads, where it is read; of one that it
// writes, anything, as others may have written before.
chi.task @loads (%read: !chi.field<8xf32>, %written: !chi.field<8xf32>, %sums: !chi.field<8xf32>, %seen: !chi.field<8xi32>, %which: !chi.field<8xi32>, %vecs: !chi.field<8x!chi.vec<2xf32>>) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c0 = arith.constant 0 : i32
  %a = chi.load %read[%i : i32] : !chi.field<8xf32> -> f32
  %b = chi.load %read[%c0 : i32] : !chi.field<8xf32> -> f32
  "ask.axes"(%a, %b) : (f32, f32) -> () // expected-remark {{i, none;}}
  // Through another field, and with a component found at run time.
  %w = chi.load %which[%j : i32] : !chi.field<8xi32> -> i32
  %c = chi.load %read[%w : i32] : !chi.field<8xf32> -> f32
  %v = chi.load %vecs[%i : i32] dynamic(%j : i32) : !chi.field<8x!chi.vec<2xf32>> -> f32
  "ask.axes"(%w, %c, %v) : (i32, f32, f32) -> () // expected-remark {{j, j, i j;}}
  %d = chi.load %written[%c0 : i32] : !chi.field<8xf32> -> f32
  chi.store %a, %written[%i : i32] : f32, !chi.field<8xf32>
  %e = chi.load %written[%i : i32] : !chi.field<8xf32> -> f32
  "ask.axes"(%d, %e) : (f32, f32) -> () // expected-remark {{all, all;}}
  // Written through a cast, read through another.
  %cast = chi.cast_field %sums : !chi.field<8xf32> to !chi.field<?xf32>
  chi.accum add %a, %cast[%i : i32] : f32, !chi.field<?xf32>
  %f = chi.load %sums[%c0 : i32] : !chi.field<8xf32> -> f32
  "ask.axes"(%f) : (f32) -> () // expected-remark {{all;}}
  // An atomic operation says which came first.
  %old = chi.atomic add %c0, %seen[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  %now = chi.atomic load %c0, %seen[%c0 : i32] : i32, !chi.field<8xi32> -> i32
  %next = arith.addi %now, %c0 : i32
  "ask.axes"(%old, %now, %next) : (i32, i32, i32) -> () // expected-remark {{all, all, all;}}
  chi.next
}

// -----

// Random numbers are others in each iteration, also once they are numbered.
chi.task @random () (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %a = chi.random
  %it = chi.iteration : i64
  %b = chi.random loop 0 call %c0 launch %c0 iteration %it draw %c0
  %l7 = arith.constant 7 : i64
  %c = arith.andi %b, %l7 : i64
  "ask.axes"(%a, %b, %c) : (i64, i64, i64) -> () // expected-remark {{all, all, all;}}
  chi.next
}

// -----

// Branches: what is yielded, and which way it went.
chi.task @branches (%n: i32, %f: !chi.field<8xf32>) (%i: i32, %j: i32, %k: i32) attributes {axes = ["i", "j", "k"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %less = arith.cmpi slt, %i, %n : i32
  %same = arith.cmpi slt, %c0, %n : i32
  %a = scf.if %less -> (i32) {
    scf.yield %c1 : i32
  } else {
    scf.yield %c0 : i32
  }
  %b = scf.if %same -> (i32) {
    // What is computed inside does not depend on the way to it.
    %inner = arith.addi %k, %n : i32
    "ask.axes"(%inner) : (i32) -> () // expected-remark {{k;}}
    scf.yield %j : i32
  } else {
    scf.yield %n : i32
  }
  // All that stands in the branch counts, needed or not: k is not.
  "ask.axes"(%a, %b) : (i32, i32) -> () // expected-remark {{i, j k;}}
  chi.next
}

// -----

// Loops: their ends, what they start from and what stands in them.
chi.task @loops (%n: i32, %f: !chi.field<8xi32>) (%i: i32, %j: i32, %k: i32) attributes {axes = ["i", "j", "k"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = scf.for %t = %c0 to %n step %c1 iter_args(%s = %i) -> (i32) : i32 {
    %next = arith.addi %s, %t : i32
    "ask.axes"(%t, %s, %next) : (i32, i32, i32) -> () // expected-remark {{i, i, i;}}
    scf.yield %next : i32
  }
  %b = scf.for %t = %c0 to %j step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %next = arith.addi %s, %c1 : i32
    scf.yield %next : i32
  }
  %c = scf.for %t = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %v = chi.load %f[%k : i32] : !chi.field<8xi32> -> i32
    %next = arith.addi %s, %v : i32
    scf.yield %next : i32
  }
  %d = scf.for %t = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %next = arith.addi %s, %t : i32
    scf.yield %next : i32
  }
  "ask.axes"(%a, %b, %c, %d) : (i32, i32, i32, i32) -> () // expected-remark {{i, j, k, none;}}
  %e = scf.while (%s = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %s, %k : i32
    scf.condition(%more) %s : i32
  } do {
  ^bb0(%s: i32):
    %next = arith.addi %s, %c1 : i32
    scf.yield %next : i32
  }
  "ask.axes"(%e) : (i32) -> () // expected-remark {{k;}}
  chi.next
}

// -----

// Local arrays: what was ever put into them, at which place, also later.
chi.task @locals (%n: i32) (%i: i32, %j: i32, %k: i32) attributes {axes = ["i", "j", "k"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = chi.local "p" : !chi.local<4xi32>
  %q = chi.local "q" : !chi.local<4xi32>
  %r = chi.local "r" : !chi.local<4xi32>
  chi.set %n, %p[%c0 : i32] : i32, !chi.local<4xi32>
  %a = chi.get %p[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %i, %p[%c1 : i32] : i32, !chi.local<4xi32>
  // Put at a place that is another in each iteration; got from one.
  chi.set %n, %q[%j : i32] : i32, !chi.local<4xi32>
  %b = chi.get %q[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %n, %r[%c0 : i32] : i32, !chi.local<4xi32>
  %c = chi.get %r[%k : i32] : !chi.local<4xi32> -> i32
  %d = chi.get %r[%c0 : i32] : !chi.local<4xi32> -> i32
  "ask.axes"(%a, %b, %c, %d) : (i32, i32, i32, i32) -> () // expected-remark {{i, j, k, none;}}
  chi.next
}

// -----

// Two arrays that are set from each other: the answer on one must not be cut
// short by the search for the other.
chi.task @cycle () (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %s = chi.local "s" : !chi.local<4xi32>
  %t = chi.local "t" : !chi.local<4xi32>
  chi.set %i, %t[%c0 : i32] : i32, !chi.local<4xi32>
  %b = chi.get %t[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %b, %s[%c0 : i32] : i32, !chi.local<4xi32>
  %x = chi.get %s[%c0 : i32] : !chi.local<4xi32> -> i32
  chi.set %x, %t[%c1 : i32] : i32, !chi.local<4xi32>
  "ask.axes"(%b) : (i32) -> () // expected-remark {{i;}}
  "ask.axes"(%x) : (i32) -> () // expected-remark {{i;}}
  // One that is set from itself.
  %u = chi.local "u" : !chi.local<4xi32>
  %y = chi.get %u[%c0 : i32] : !chi.local<4xi32> -> i32
  %z = arith.addi %y, %i : i32
  chi.set %z, %u[%c1 : i32] : i32, !chi.local<4xi32>
  "ask.axes"(%y, %z) : (i32, i32) -> () // expected-remark {{i, i;}}
  chi.next
}
