// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-ranges --split-input-file --verify-diagnostics

// Each comparison with a constant, where it holds and where it does not.
chi.task @comparisons (%x: i32) () {
  %c5 = arith.constant 5 : i32
  %lt = arith.cmpi slt, %x, %c5 : i32
  scf.if %lt {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 4]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[5, 2147483647]}}
  }
  %le = arith.cmpi sle, %x, %c5 : i32
  scf.if %le {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 5]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[6, 2147483647]}}
  }
  %gt = arith.cmpi sgt, %c5, %x : i32
  scf.if %gt {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 4]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[5, 2147483647]}}
  }
  %ge = arith.cmpi sge, %x, %c5 : i32
  scf.if %ge {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[5, 2147483647]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 4]}}
  }
  %eq = arith.cmpi eq, %x, %c5 : i32
  scf.if %eq {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[5, 5]}}
    "ask.linear"(%x) : (i32) -> () // expected-remark {{'5'}}
  } else {
    // Not equal to one inside of it.
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
    "ask.true"(%eq) : (i1) -> () // expected-remark {{open}}
    %ne = arith.cmpi ne, %x, %c5 : i32
    "ask.true"(%ne) : (i1) -> () // expected-remark {{holds}}
  }
  // Behind the branches nothing is left of it.
  "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  chi.next
}

// -----

// Unsigned: below a number that is not negative means not negative; above one
// means nothing, since a negative number is large.
chi.task @unsigned (%x: i32, %n: i32, %f: !chi.field<?xf32>) () {
  %c5 = arith.constant 5 : i32
  %m1 = arith.constant -1 : i32
  %lt = arith.cmpi ult, %x, %c5 : i32
  scf.if %lt {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 4]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  %ge = arith.cmpi uge, %c5, %x : i32
  scf.if %ge {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 5]}}
  }
  %gt = arith.cmpi ugt, %x, %c5 : i32
  scf.if %gt {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 5]}}
  }
  // Below 4294967295 is everything but -1.
  %all = arith.cmpi ult, %x, %m1 : i32
  scf.if %all {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  // Below a value of either sign.
  %some = arith.cmpi ult, %x, %n : i32
  scf.if %some {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  // An extent is not negative.
  %d = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %in = arith.cmpi ult, %x, %d : i32
  scf.if %in {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 2147483646]}}
    %less = arith.cmpi slt, %x, %d : i32
    "ask.true"(%less) : (i1) -> () // expected-remark {{holds}}
  }
  chi.next
}

// -----

// At the ends of the type a guard may say nothing, or that it is dead code,
// where any answer is right.
chi.task @ends (%x: i32, %y: i64) () {
  %top = arith.constant 2147483647 : i32
  %bottom = arith.constant -2147483648 : i32
  %le = arith.cmpi sle, %x, %top : i32
  scf.if %le {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  %lt = arith.cmpi slt, %x, %top : i32
  scf.if %lt {
    %c1 = arith.constant 1 : i32
    %next = arith.addi %x, %c1 : i32
    "ask.interval"(%next) : (i32) -> () // expected-remark {{[-2147483647, 2147483647]}}
    "ask.linear"(%next) : (i32) -> () // expected-remark {{'c0 + 1'}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[2147483647, 2147483647]}}
  }
  // `ne` at an end moves it.
  %ne = arith.cmpi ne, %x, %bottom : i32
  scf.if %ne {
    %c0 = arith.constant 0 : i32
    %negative = arith.subi %c0, %x : i32
    "ask.interval"(%x, %negative) : (i32, i32) -> () // expected-remark {{[-2147483647, 2147483647], [-2147483647, 2147483647]}}
    "ask.wraps"(%negative) : (i32) -> () // expected-remark {{exact by intervals}}
  }
  // In 64 bits the gap of a strict comparison with the smallest number leaves
  // the numbers; nothing is said then.
  %bottom64 = arith.constant -9223372036854775808 : i64
  %never = arith.cmpi slt, %y, %bottom64 : i64
  scf.if %never {
    "ask.interval"(%y) : (i64) -> () // expected-remark {{[}}
  } else {
    "ask.interval"(%y) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  }
  chi.next
}

// -----

// A check holds behind it, in blocks there too, and not before it.
chi.task @checks (%x: i32, %y: i32, %t: i1) () {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %low = arith.cmpi sge, %x, %c0 : i32
  %high = arith.cmpi slt, %x, %c9 : i32
  %both = arith.andi %low, %high : i1
  "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  chi.check bounds %both
  "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 8]}}
  "ask.true"(%both, %low, %high) : (i1, i1, i1) -> () // expected-remark {{holds, holds, holds}}
  scf.if %t {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 8]}}
    // One in a branch holds in the branch.
    %mine = arith.cmpi slt, %y, %c9 : i32
    chi.check bounds %mine
    "ask.interval"(%y) : (i32) -> () // expected-remark {{[-2147483648, 8]}}
  }
  "ask.interval"(%y) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // One that compares two: each narrows the other.
  %less = arith.cmpi slt, %y, %x : i32
  chi.check bounds %less
  "ask.interval"(%y) : (i32) -> () // expected-remark {{[-2147483648, 2147483646]}}
  // The other side is taken without guards, so the proof is left to facts.
  %below = arith.cmpi slt, %y, %c9 : i32
  "ask.true"(%below) : (i1) -> () // expected-remark {{holds}}
  chi.next
}

// -----

// Through casts: a fact about the wide number holds for the narrow one.
chi.task @casts (%x: i32, %y: i64) () {
  %c10 = arith.constant 10 : i64
  %wide = arith.extsi %x : i32 to i64
  %lt = arith.cmpi slt, %wide, %c10 : i64
  chi.check bounds %lt
  "ask.interval"(%x, %wide) : (i32, i64) -> () // expected-remark {{[-2147483648, 9], [-2147483648, 9]}}
  // Not the other way: the cut number says nothing of the whole.
  %c3 = arith.constant 3 : i32
  %cut = arith.trunci %y : i64 to i32
  %small = arith.cmpi ult, %cut, %c3 : i32
  chi.check bounds %small
  "ask.interval"(%cut) : (i32) -> () // expected-remark {{[0, 2]}}
  "ask.interval"(%y) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  // Nor does a fact about the number without its sign.
  %z = arith.extui %x : i32 to i64
  %zero = arith.constant 0 : i64
  %plus = arith.cmpi sge, %z, %zero : i64
  chi.check bounds %plus
  "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 9]}}
  // A truth value that is sign extended is -1, and not compared as its bit.
  %bit = arith.cmpi slt, %x, %c3 : i32
  %sign = arith.extsi %bit : i1 to i64
  %negative = arith.cmpi slt, %sign, %zero : i64
  scf.if %negative {
    "ask.interval"(%bit, %sign) : (i1, i64) -> () // expected-remark {{[0, 1], [-1, -1]}}
  } else {
    "ask.interval"(%bit, %sign) : (i1, i64) -> () // expected-remark {{[0, 1], [0, 0]}}
  }
  chi.next
}
