// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// The variable of a counted loop: from the lowest start to one below the
// highest end. That it takes every third number only is not seen.
func.func @launches(%n: i32) attributes {chi.control} {
  %m2 = arith.constant -2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  chi.launch @counted(%m2, %c4, %n : i32, i32, i32)
  chi.launch @counted(%c3, %c7, %n : i32, i32, i32)
  return
}
chi.task @counted (%from: i32, %to: i32, %x: i32) () {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %top = arith.constant 2147483647 : i32
  scf.for %k = %from to %to step %c3 : i32 {
    "ask.interval"(%k) : (i32) -> () // expected-remark {{[-2, 6]}}
    // Inside it is known to be below its end, and that the loop turns at all.
    %less = arith.cmpi slt, %k, %to : i32
    %atLeast = arith.cmpi sge, %k, %from : i32
    %turns = arith.cmpi slt, %from, %to : i32
    "ask.true"(%less, %atLeast, %turns) : (i1, i1, i1) -> () // expected-remark {{holds, holds, holds}}
  }
  // Up to the end of the numbers: the next one never wraps.
  scf.for %k = %from to %top step %c1 : i32 {
    %next = arith.addi %k, %c1 : i32
    "ask.interval"(%k, %next) : (i32, i32) -> () // expected-remark {{[-2, 2147483646], [-1, 2147483647]}}
  }
  // A loop that compares as unsigned is another one: from 4294967294, say.
  scf.for unsigned %k = %from to %to step %c1 : i32 {
    "ask.interval"(%k) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
    %less = arith.cmpi slt, %k, %to : i32
    "ask.true"(%less) : (i1) -> () // expected-remark {{open}}
  }
  // That it turns at all says so of unsigned numbers, too: from 3 to -1.
  scf.for unsigned %k = %from to %x step %c1 : i32 {
    %turns = arith.cmpi slt, %from, %x : i32
    "ask.true"(%turns) : (i1) -> () // expected-remark {{open}}
  }
  chi.next
}

// -----

// What a loop carries. Each result may also be what went in.
chi.task @carried (%n: i32, %x: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  // A count may wrap if the loop is long enough.
  %count = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %next = arith.addi %a, %c1 : i32
    scf.yield %next : i32
  }
  "ask.interval"(%count) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // Kept below 10. Without the promise the sum could wrap for what a carried
  // value is taken for at first, all above its start.
  %capped = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    "ask.interval"(%a) : (i32) -> () // expected-remark {{[0, 10]}}
    %next = arith.addi %a, %c1 overflow<nsw> : i32
    %cap = arith.minsi %next, %c10 : i32
    "ask.interval"(%next, %cap) : (i32, i32) -> () // expected-remark {{[1, 11], [1, 10]}}
    scf.yield %cap : i32
  }
  %wrapping = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %next = arith.addi %a, %c1 : i32
    %cap = arith.minsi %next, %c10 : i32
    scf.yield %cap : i32
  }
  "ask.interval"(%capped, %wrapping) : (i32, i32) -> () // expected-remark {{[0, 10], [-2147483648, 10]}}
  // Kept above 0 on the way down.
  %floor = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c10) -> (i32) : i32 {
    %less = arith.subi %a, %c1 : i32
    %plus = arith.maxsi %less, %c0 : i32
    scf.yield %plus : i32
  }
  "ask.interval"(%floor) : (i32) -> () // expected-remark {{[0, 10]}}
  // Two that go round: 1 and 10, but an end that moves goes to the type's.
  %p, %q = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c10) -> (i32, i32) : i32 {
    scf.yield %b, %a : i32, i32
  }
  "ask.interval"(%p, %q) : (i32, i32) -> () // expected-remark {{[0, 2147483647], [0, 2147483647]}}
  // Three: what goes in last comes round after two turns.
  %r, %s, %t = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1, %c = %x) -> (i32, i32, i32) : i32 {
    scf.yield %b, %c, %c2 : i32, i32, i32
  }
  "ask.interval"(%r) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // A loop that never turns may have what never comes out of it.
  %still = scf.for %k = %c0 to %c0 step %c1 iter_args(%a = %c1) -> (i32) : i32 {
    scf.yield %a : i32
  }
  "ask.interval"(%still) : (i32) -> () // expected-remark {{[1, 1]}}
  // A truth value, and a sum of a number that never changes.
  %true = arith.constant true
  %false = arith.constant false
  %flag, %same = scf.for %k = %c0 to %n step %c1 iter_args(%f = %true, %a = %c2) -> (i1, i32) : i32 {
    %not = arith.xori %f, %true : i1
    scf.yield %not, %a : i1, i32
  }
  "ask.interval"(%flag, %same) : (i1, i32) -> () // expected-remark {{[0, 1], [2, 2]}}
  chi.next
}

// -----

// Loops in loops: what the inner one makes of a value goes round the outer one.
chi.task @nested (%n: i32, %m: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %out = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %in = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> (i32) : i32 {
      "ask.interval"(%a, %b) : (i32, i32) -> () // expected-remark {{[0, 7], [0, 7]}}
      %next = arith.addi %b, %c1 overflow<nsw> : i32
      %rest = arith.remsi %next, %c5 : i32
      scf.yield %rest : i32
    }
    %more = arith.addi %in, %c1 overflow<nsw> : i32
    %cap = arith.minsi %more, %c7 : i32
    scf.yield %cap : i32
  }
  "ask.interval"(%out) : (i32) -> () // expected-remark {{[0, 7]}}
  // The inner loop runs to where the outer one is.
  scf.for %i = %c0 to %c5 step %c1 : i32 {
    scf.for %j = %i to %c7 step %c1 : i32 {
      "ask.interval"(%j) : (i32) -> () // expected-remark {{[0, 6]}}
      %after = arith.cmpi sge, %j, %i : i32
      %away = arith.subi %j, %i : i32
      "ask.true"(%after) : (i1) -> () // expected-remark {{holds}}
      "ask.interval"(%away) : (i32) -> () // expected-remark {{[-4, 6]}}
      %plus = arith.cmpi sge, %away, %c0 : i32
      "ask.true"(%plus) : (i1) -> () // expected-remark {{holds}}
    }
  }
  chi.next
}

// -----

// A while: its condition holds in the body, and not behind the loop.
chi.task @while (%x: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %end = scf.while (%a = %c0) : (i32) -> i32 {
    "ask.interval"(%a) : (i32) -> () // expected-remark {{[0, 10]}}
    %more = arith.cmpi slt, %a, %c10 : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    "ask.interval"(%b) : (i32) -> () // expected-remark {{[0, 9]}}
    %next = arith.addi %b, %c1 : i32
    scf.yield %next : i32
  }
  "ask.interval"(%end) : (i32) -> () // expected-remark {{[10, 10]}}
  // The results need not be what is carried.
  %passed:2 = scf.while (%a = %x) : (i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %a, %c0 : i32
    %rest = arith.remsi %a, %c10 : i32
    scf.condition(%more) %rest, %a : i32, i32
  } do {
  ^bb0(%b: i32, %c: i32):
    "ask.interval"(%b, %c) : (i32, i32) -> () // expected-remark {{[0, 9], [1, 2147483647]}}
    scf.yield %b : i32
  }
  // The rest of a number that is not positive is none.
  "ask.interval"(%passed#0, %passed#1) : (i32, i32) -> () // expected-remark {{[-9, 0], [-2147483648, 0]}}
  // Without end the count wraps.
  %wrapped = scf.while (%a = %c0) : (i32) -> i32 {
    %more = arith.cmpi ne, %a, %x : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    %next = arith.addi %b, %c1 : i32
    scf.yield %next : i32
  }
  "ask.interval"(%wrapped) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  chi.next
}
