// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Sums, differences and products. A captured value lies between what two
// launches pass.
func.func @launches() attributes {chi.control} {
  %m5 = arith.constant -5 : i32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  chi.launch @small(%m5, %c2 : i32, i32)
  chi.launch @small(%c3, %c10 : i32, i32)
  return
}
chi.task @small (%x: i32, %y: i32) () {
  "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-5, 3], [2, 10]}}
  %sum = arith.addi %x, %y : i32
  "ask.interval"(%sum) : (i32) -> () // expected-remark {{[-3, 13]}}
  %less = arith.subi %x, %y : i32
  "ask.interval"(%less) : (i32) -> () // expected-remark {{[-15, 1]}}
  %more = arith.subi %y, %x : i32
  "ask.interval"(%more) : (i32) -> () // expected-remark {{[-1, 15]}}
  // -5 * 10 and 3 * 10 are the ends.
  %product = arith.muli %x, %y : i32
  "ask.interval"(%product) : (i32) -> () // expected-remark {{[-50, 30]}}
  %m3 = arith.constant -3 : i32
  %turned = arith.muli %x, %m3 : i32
  "ask.interval"(%turned) : (i32) -> () // expected-remark {{[-9, 15]}}
  // The interval does not see that both are one value: it holds 0 … 25.
  %square = arith.muli %x, %x : i32
  "ask.interval"(%square) : (i32) -> () // expected-remark {{[-15, 25]}}
  // Nor does it here, but the sum of symbols does.
  %none = arith.subi %x, %x : i32
  "ask.interval"(%none) : (i32) -> () // expected-remark {{[-8, 8]}}
  "ask.linear"(%none) : (i32) -> () // expected-remark {{'0'}}
  "ask.wraps"(%sum, %product, %none) : (i32, i32, i32) -> () // expected-remark {{exact by intervals, exact by intervals, exact by intervals}}
  chi.next
}

// -----

// At the upper end of i32: what may pass it may be anything, what just reaches
// it is known.
func.func @launches() attributes {chi.control} {
  %high = arith.constant 2147483640 : i32
  %top = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  chi.launch @top(%high, %c0 : i32, i32)
  chi.launch @top(%top, %c7 : i32, i32)
  return
}
chi.task @top (%a: i32, %b: i32) () {
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %past = arith.addi %a, %c1 : i32
  "ask.interval"(%past) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%past) : (i32) -> () // expected-remark {{may wrap}}
  // A promise not to wrap cuts off what would.
  %promised = arith.addi %a, %c1 overflow<nsw> : i32
  "ask.interval"(%promised) : (i32) -> () // expected-remark {{[2147483641, 2147483647]}}
  // That it does not wrap as unsigned says nothing of the sign.
  %unsigned = arith.addi %a, %c1 overflow<nuw> : i32
  "ask.interval"(%unsigned) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.linear"(%unsigned) : (i32) -> () // expected-remark {{'addi'}}
  %back = arith.subi %a, %b : i32
  "ask.interval"(%back) : (i32) -> () // expected-remark {{[2147483633, 2147483647]}}
  "ask.wraps"(%back) : (i32) -> () // expected-remark {{exact by intervals}}
  %less = arith.addi %a, %m1 : i32
  "ask.interval"(%less) : (i32) -> () // expected-remark {{[2147483639, 2147483646]}}
  // It wraps on the way, but the last sum does not: 2 * a - a.
  %double = arith.addi %a, %a : i32
  %half = arith.subi %double, %a : i32
  "ask.interval"(%half) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  chi.next
}

// -----

// At the lower end.
func.func @launches() attributes {chi.control} {
  %bottom = arith.constant -2147483648 : i32
  %low = arith.constant -2147483640 : i32
  chi.launch @bottom(%bottom : i32)
  chi.launch @bottom(%low : i32)
  return
}
chi.task @bottom (%m: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %past = arith.subi %m, %c1 : i32
  "ask.interval"(%past) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %promised = arith.subi %m, %c1 overflow<nsw> : i32
  "ask.interval"(%promised) : (i32) -> () // expected-remark {{[-2147483648, -2147483641]}}
  // The smallest number has no negative.
  %negative = arith.subi %c0, %m : i32
  "ask.interval"(%negative) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%negative) : (i32) -> () // expected-remark {{may wrap}}
  %turned = arith.muli %m, %m1 : i32
  "ask.interval"(%turned) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%turned) : (i32) -> () // expected-remark {{may wrap}}
  %up = arith.addi %m, %c1 : i32
  %negated = arith.subi %c0, %up : i32
  "ask.interval"(%negated) : (i32) -> () // expected-remark {{[2147483639, 2147483647]}}
  chi.next
}

// -----

// Products at the ends: 46340 * 46340 is the largest square in i32, and
// 3037000499 * 3037000499 in i64.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c46340 = arith.constant 46340 : i32
  %c46341 = arith.constant 46341 : i32
  %l0 = arith.constant 0 : i64
  %l99 = arith.constant 3037000499 : i64
  %l00 = arith.constant 3037000500 : i64
  chi.launch @squares(%c0, %c0, %l0, %l0 : i32, i32, i64, i64)
  chi.launch @squares(%c46340, %c46341, %l99, %l00 : i32, i32, i64, i64)
  return
}
chi.task @squares (%a: i32, %b: i32, %c: i64, %d: i64) () {
  %aa = arith.muli %a, %a : i32
  "ask.interval"(%aa) : (i32) -> () // expected-remark {{[0, 2147395600]}}
  "ask.wraps"(%aa) : (i32) -> () // expected-remark {{exact by intervals}}
  %bb = arith.muli %b, %b : i32
  "ask.interval"(%bb) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.wraps"(%bb) : (i32) -> () // expected-remark {{may wrap}}
  %cc = arith.muli %c, %c : i64
  "ask.interval"(%cc) : (i64) -> () // expected-remark {{[0, 9223372030926249001]}}
  %dd = arith.muli %d, %d : i64
  "ask.interval"(%dd) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  "ask.wraps"(%cc, %dd) : (i64, i64) -> () // expected-remark {{exact by intervals, may wrap}}
  // 65536 * 32768 is 2^31.
  %c65536 = arith.constant 65536 : i32
  %c32768 = arith.constant 32768 : i32
  %power = arith.muli %c65536, %c32768 : i32
  "ask.wraps"(%power) : (i32) -> () // expected-remark {{may wrap}}
  %m65536 = arith.constant -65536 : i32
  %bottom = arith.muli %m65536, %c32768 : i32
  "ask.interval"(%bottom) : (i32) -> () // expected-remark {{[-2147483648, -2147483648]}}
  "ask.wraps"(%bottom) : (i32) -> () // expected-remark {{exact by intervals}}
  chi.next
}

// -----

// Other widths: 8 bits, 64 bits, an index, and a truth value, whose sum is none
// of integers.
func.func @launches() attributes {chi.control} {
  %b100 = arith.constant 100 : i8
  %b127 = arith.constant 127 : i8
  %b1 = arith.constant 1 : i8
  %b27 = arith.constant 27 : i8
  %high = arith.constant 9223372036854775800 : i64
  %top = arith.constant 9223372036854775807 : i64
  %l1 = arith.constant 1 : i64
  %l7 = arith.constant 7 : i64
  %no = arith.constant false
  %yes = arith.constant true
  chi.launch @widths(%b100, %b1, %high, %l1, %no : i8, i8, i64, i64, i1)
  chi.launch @widths(%b127, %b27, %top, %l7, %yes : i8, i8, i64, i64, i1)
  return
}
chi.task @widths (%p: i8, %q: i8, %h: i64, %k: i64, %t: i1) () {
  %s8 = arith.addi %p, %q : i8
  "ask.interval"(%s8) : (i8) -> () // expected-remark {{[-128, 127]}}
  %d8 = arith.subi %p, %q : i8
  "ask.interval"(%d8) : (i8) -> () // expected-remark {{[73, 126]}}
  %m8 = arith.muli %q, %q : i8
  "ask.interval"(%m8) : (i8) -> () // expected-remark {{[-128, 127]}}
  "ask.wraps"(%s8, %d8, %m8) : (i8, i8, i8) -> () // expected-remark {{may wrap, exact by intervals, may wrap}}
  %s64 = arith.addi %h, %k : i64
  "ask.interval"(%s64) : (i64) -> () // expected-remark {{[-9223372036854775808, 9223372036854775807]}}
  %n64 = arith.addi %h, %k overflow<nsw> : i64
  "ask.interval"(%n64) : (i64) -> () // expected-remark {{[9223372036854775801, 9223372036854775807]}}
  %d64 = arith.subi %h, %k : i64
  "ask.interval"(%d64) : (i64) -> () // expected-remark {{[9223372036854775793, 9223372036854775806]}}
  "ask.wraps"(%s64, %d64) : (i64, i64) -> () // expected-remark {{may wrap, exact by intervals}}
  %x = arith.index_cast %p : i8 to index
  %y = arith.addi %x, %x : index
  "ask.interval"(%y) : (index) -> () // expected-remark {{[200, 254]}}
  %both = arith.addi %t, %t : i1
  "ask.interval"(%t, %both) : (i1, i1) -> () // expected-remark {{[0, 1], [0, 1]}}
  "ask.wraps"(%both) : (i1) -> () // expected-remark {{may wrap}}
  chi.next
}
