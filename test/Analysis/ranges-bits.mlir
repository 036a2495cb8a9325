// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Shifts by 0 to the width less one are products and quotients of powers of 2;
// others have no value.
func.func @launches() attributes {chi.control} {
  %m6 = arith.constant -6 : i32
  %c5 = arith.constant 5 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %m1 = arith.constant -1 : i32
  chi.launch @shifts(%m6, %c1, %c0, %m1 : i32, i32, i32, i32)
  chi.launch @shifts(%c5, %c3, %c32, %c3 : i32, i32, i32, i32)
  return
}
chi.task @shifts (%x: i32, %by: i32, %past: i32, %below: i32) () {
  %left = arith.shli %x, %by : i32
  "ask.interval"(%left) : (i32) -> () // expected-remark {{[-48, 40]}}
  "ask.wraps"(%left) : (i32) -> () // expected-remark {{exact by intervals}}
  // -6 >> 1 is -3, 5 >> 1 is 2; -6 >> 3 is -1.
  %right = arith.shrsi %x, %by : i32
  "ask.interval"(%right) : (i32) -> () // expected-remark {{[-3, 2]}}
  // Without the sign, -6 is 4294967290, and half of it 2147483645.
  %logical = arith.shrui %x, %by : i32
  "ask.interval"(%logical) : (i32) -> () // expected-remark {{[0, 2147483647]}}
  %c4 = arith.constant 4 : i32
  %nibble = arith.shrui %x, %c4 : i32
  "ask.interval"(%nibble) : (i32) -> () // expected-remark {{[0, 268435455]}}
  // By nothing it stays itself.
  %c0 = arith.constant 0 : i32
  %same = arith.shrui %x, %c0 : i32
  "ask.interval"(%same) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // As far as the width, or backwards.
  %a = arith.shli %x, %past : i32
  %b = arith.shrsi %x, %past : i32
  %c = arith.shrui %x, %past : i32
  "ask.interval"(%a) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%b) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%c) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %d = arith.shli %x, %below : i32
  %e = arith.shrsi %x, %below : i32
  "ask.interval"(%d) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%e) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%a, %d) : (i32, i32) -> () // expected-remark {{may wrap, may wrap}}
  // Out of the top: -6 << 29 is not -3221225472. -4 << 29 would just fit.
  %c29 = arith.constant 29 : i32
  %out = arith.shli %x, %c29 : i32
  "ask.interval"(%out) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%out) : (i32) -> () // expected-remark {{may wrap}}
  "ask.linear"(%out) : (i32) -> () // expected-remark {{'shli'}}
  %c28 = arith.constant 28 : i32
  %in = arith.shli %x, %c28 : i32
  "ask.interval"(%in) : (i32) -> () // expected-remark {{[-1610612736, 1342177280]}}
  "ask.linear"(%in) : (i32) -> () // expected-remark {{'268435456 * c0'}}
  // Of 1 to the sign: 1 << 31 is negative.
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %sign = arith.shli %c1, %c31 : i32
  "ask.interval"(%sign) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%sign) : (i32) -> () // expected-remark {{may wrap}}
  chi.next
}

// -----

// 64 bits: a shift by 63 is left out, one by 62 is none too many.
func.func @launches() attributes {chi.control} {
  %m2 = arith.constant -2 : i64
  %c1 = arith.constant 1 : i64
  chi.launch @wide(%m2 : i64)
  chi.launch @wide(%c1 : i64)
  return
}
chi.task @wide (%x: i64) () {
  %c62 = arith.constant 62 : i64
  %c63 = arith.constant 63 : i64
  %a = arith.shli %x, %c62 : i64
  "ask.interval"(%a) : (i64) -> () // expected-remark {{[-9223372036854775808, 4611686018427387904]}}
  %b = arith.shli %x, %c63 : i64
  "ask.interval"(%b) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  "ask.wraps"(%a, %b) : (i64, i64) -> () // expected-remark {{exact by intervals, may wrap}}
  %sign = arith.shrsi %x, %c63 : i64
  "ask.interval"(%sign) : (i64) -> () // expected-remark {{[-1, 0]}}
  %bit = arith.shrui %x, %c63 : i64
  "ask.interval"(%bit) : (i64) -> () // expected-remark {{[0, 1]}}
  chi.next
}

// -----

// Bit by bit: known where a sign bit is known to be 0.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %c4 = arith.constant 4 : i32
  %c20 = arith.constant 20 : i32
  %m8 = arith.constant -8 : i32
  chi.launch @bits(%c0, %c4, %m8 : i32, i32, i32)
  chi.launch @bits(%c9, %c20, %c20 : i32, i32, i32)
  return
}
chi.task @bits (%x: i32, %y: i32, %any: i32) () {
  // At most the smaller one, and 0 where they share no bit.
  %and = arith.andi %x, %y : i32
  "ask.interval"(%and) : (i32) -> () // expected-remark {{[0, 9]}}
  // 5 bits hold 20; 9 | 22 would be 31.
  %or = arith.ori %x, %y : i32
  "ask.interval"(%or) : (i32) -> () // expected-remark {{[0, 31]}}
  %xor = arith.xori %x, %y : i32
  "ask.interval"(%xor) : (i32) -> () // expected-remark {{[0, 31]}}
  %c0 = arith.constant 0 : i32
  %zero = arith.ori %c0, %c0 : i32
  "ask.interval"(%zero) : (i32) -> () // expected-remark {{[0, 0]}}
  // One side without a sign decides for `and`.
  %mask = arith.andi %any, %x : i32
  "ask.interval"(%mask) : (i32) -> () // expected-remark {{[0, 9]}}
  %mask2 = arith.andi %x, %any : i32
  "ask.interval"(%mask2) : (i32) -> () // expected-remark {{[0, 9]}}
  // Not for the others: -8 | 9 is -7, -8 ^ 9 is -15; -8 & -8 is -8.
  %a = arith.ori %any, %x : i32
  %b = arith.xori %any, %x : i32
  %c = arith.andi %any, %any : i32
  "ask.interval"(%a) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%b) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%c) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // The rest by a power of two, of whatever sign.
  %c7 = arith.constant 7 : i32
  %low = arith.andi %any, %c7 : i32
  "ask.interval"(%low) : (i32) -> () // expected-remark {{[0, 7]}}
  chi.next
}
