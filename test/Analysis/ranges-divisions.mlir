// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Quotients and rests: rounded down as Python's, to zero as C's, and unsigned.
func.func @launches() attributes {chi.control} {
  %m7 = arith.constant -7 : i32
  %c9 = arith.constant 9 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  chi.launch @signs(%m7, %c2 : i32, i32)
  chi.launch @signs(%c9, %c4 : i32, i32)
  return
}
chi.task @signs (%x: i32, %y: i32) () {
  // -7 // 2 is -4, 9 // 2 is 4.
  %floor = chi.floordiv %x, %y : i32
  "ask.interval"(%floor) : (i32) -> () // expected-remark {{[-4, 4]}}
  %floor2 = arith.floordivsi %x, %y : i32
  "ask.interval"(%floor2) : (i32) -> () // expected-remark {{[-4, 4]}}
  // To zero, -7 / 2 is -3.
  %trunc = arith.divsi %x, %y : i32
  "ask.interval"(%trunc) : (i32) -> () // expected-remark {{[-3, 4]}}
  // Below the divisor, and never negative: the sign is the divisor's.
  %mod = chi.floormod %x, %y : i32
  "ask.interval"(%mod) : (i32) -> () // expected-remark {{[0, 3]}}
  // The sign is the dividend's.
  %rem = arith.remsi %x, %y : i32
  "ask.interval"(%rem) : (i32) -> () // expected-remark {{[-3, 3]}}
  // Of a negative divisor.
  %c0 = arith.constant 0 : i32
  %ny = arith.subi %c0, %y : i32
  %nfloor = chi.floordiv %x, %ny : i32
  "ask.interval"(%nfloor) : (i32) -> () // expected-remark {{[-5, 3]}}
  %ntrunc = arith.divsi %x, %ny : i32
  "ask.interval"(%ntrunc) : (i32) -> () // expected-remark {{[-4, 3]}}
  %nmod = chi.floormod %x, %ny : i32
  "ask.interval"(%nmod) : (i32) -> () // expected-remark {{[-3, 0]}}
  %nrem = arith.remsi %x, %ny : i32
  "ask.interval"(%nrem) : (i32) -> () // expected-remark {{[-3, 3]}}
  // What is nearer to zero than the divisor is its own rest; with another sign
  // it is not for floormod.
  %c100 = arith.constant 100 : i32
  %own = arith.remsi %x, %c100 : i32
  "ask.interval"(%own) : (i32) -> () // expected-remark {{[-7, 9]}}
  %all = chi.floormod %x, %c100 : i32
  "ask.interval"(%all) : (i32) -> () // expected-remark {{[0, 99]}}
  %small = chi.floormod %y, %c100 : i32
  "ask.interval"(%small) : (i32) -> () // expected-remark {{[2, 4]}}
  // 2 % -100 is -98 and 4 % -100 is -96: more than is known.
  %m100 = arith.constant -100 : i32
  %other = chi.floormod %y, %m100 : i32
  "ask.interval"(%other) : (i32) -> () // expected-remark {{[-99, 0]}}
  chi.next
}

// -----

// A divisor that may be zero: nothing is known, whatever the sides.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %m4 = arith.constant -4 : i32
  %c4 = arith.constant 4 : i32
  chi.launch @zero(%c0, %m4, %c0, %m4 : i32, i32, i32, i32)
  chi.launch @zero(%c9, %c0, %c4, %c4 : i32, i32, i32, i32)
  return
}
chi.task @zero (%x: i32, %upTo: i32, %from: i32, %around: i32) () {
  %a = chi.floordiv %x, %upTo : i32
  %b = chi.floordiv %x, %from : i32
  %c = chi.floordiv %x, %around : i32
  "ask.interval"(%a) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%b) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%c) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %d = chi.floormod %x, %from : i32
  %e = arith.divsi %x, %around : i32
  %f = arith.remsi %x, %around : i32
  "ask.interval"(%d) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%e) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%f) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %g = arith.divui %x, %from : i32
  %h = arith.remui %x, %from : i32
  "ask.interval"(%g) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%h) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // A guard keeps the zero away.
  %c0 = arith.constant 0 : i32
  %isOne = arith.cmpi ne, %from, %c0 : i32
  scf.if %isOne {
    %q = chi.floordiv %x, %from : i32
    %r = chi.floormod %x, %from : i32
    "ask.interval"(%from, %q, %r) : (i32, i32, i32) -> () // expected-remark {{[1, 4], [0, 9], [0, 3]}}
  }
  // Away from one inside of an interval it cannot be kept.
  %isNotZero = arith.cmpi ne, %around, %c0 : i32
  scf.if %isNotZero {
    "ask.interval"(%around) : (i32) -> () // expected-remark {{[-4, 4]}}
    %q = chi.floordiv %x, %around : i32
    "ask.interval"(%q) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  chi.next
}

// -----

// The smallest number over -1 wraps to itself; its rest is 0.
func.func @launches() attributes {chi.control} {
  %bottom = arith.constant -2147483648 : i32
  %low = arith.constant -2147483640 : i32
  %m2 = arith.constant -2 : i32
  %m1 = arith.constant -1 : i32
  chi.launch @bottom(%bottom, %m2 : i32, i32)
  chi.launch @bottom(%low, %m1 : i32, i32)
  return
}
chi.task @bottom (%m: i32, %y: i32) () {
  %m1 = arith.constant -1 : i32
  %m2 = arith.constant -2 : i32
  %floor = chi.floordiv %m, %m1 : i32
  %trunc = arith.divsi %m, %y : i32
  "ask.interval"(%floor) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%trunc) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %half = chi.floordiv %m, %m2 : i32
  "ask.interval"(%half) : (i32) -> () // expected-remark {{[1073741820, 1073741824]}}
  %mod = chi.floormod %m, %m1 : i32
  %rem = arith.remsi %m, %m1 : i32
  "ask.interval"(%mod, %rem) : (i32, i32) -> () // expected-remark {{[0, 0], [0, 0]}}
  // By the smallest number itself; the rest of -1 is -1, of others they.
  %bottom = arith.constant -2147483648 : i32
  %modBottom = chi.floormod %y, %bottom : i32
  "ask.interval"(%modBottom) : (i32) -> () // expected-remark {{[-2147483647, 0]}}
  %remBottom = arith.remsi %y, %bottom : i32
  "ask.interval"(%remBottom) : (i32) -> () // expected-remark {{[-2, 0]}}
  // In 64 bits the negative of that divisor leaves the numbers: none is known.
  %wide = arith.constant -9223372036854775808 : i64
  %y64 = arith.extsi %y : i32 to i64
  %remWide = arith.remsi %y64, %wide : i64
  "ask.interval"(%remWide) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  chi.next
}

// -----

// Unsigned: a number that is negative as signed is a large one.
func.func @launches() attributes {chi.control} {
  %m7 = arith.constant -7 : i32
  %c9 = arith.constant 9 : i32
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %m1 = arith.constant -1 : i32
  chi.launch @unsigned(%m7, %c0, %c2, %m1 : i32, i32, i32, i32)
  chi.launch @unsigned(%c9, %c9, %c4, %c4 : i32, i32, i32, i32)
  return
}
chi.task @unsigned (%any: i32, %plus: i32, %y: i32, %huge: i32) () {
  %quotient = arith.divui %plus, %y : i32
  %rest = arith.remui %plus, %y : i32
  "ask.interval"(%quotient, %rest) : (i32, i32) -> () // expected-remark {{[0, 4], [0, 3]}}
  // 4294967289 over 2 is 2147483644, which is positive.
  %large = arith.divui %any, %y : i32
  "ask.interval"(%large) : (i32) -> () // expected-remark {{[0, 2147483647]}}
  %largeRest = arith.remui %any, %y : i32
  "ask.interval"(%largeRest) : (i32) -> () // expected-remark {{[0, 3]}}
  // Over 1 it is itself.
  %c1 = arith.constant 1 : i32
  %same = arith.divui %any, %c1 : i32
  "ask.interval"(%same) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // 4294967295 over 10 is 429496729.
  %c10 = arith.constant 10 : i32
  %tenth = chi.floordiv %any, %c10 unsigned : i32
  "ask.interval"(%tenth) : (i32) -> () // expected-remark {{[0, 429496729]}}
  %digit = chi.floormod %any, %c10 unsigned : i32
  "ask.interval"(%digit) : (i32) -> () // expected-remark {{[0, 9]}}
  // The divisor may be 4294967295.
  %byHuge = arith.divui %plus, %huge : i32
  %restHuge = chi.floormod %any, %huge unsigned : i32
  "ask.interval"(%byHuge) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%restHuge) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // 64 bits: 18446744073709551615 over 2 is the largest signed number.
  %wide = arith.extsi %any : i32 to i64
  %l2 = arith.constant 2 : i64
  %halfWide = arith.divui %wide, %l2 : i64
  "ask.interval"(%halfWide) : (i64) -> () // expected-remark {{[0, 9223372036854775807]}}
  chi.next
}
