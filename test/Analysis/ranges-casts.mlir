// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Casts: to a wider type the number stays, to a narrower one only if it fits.
func.func @launches() attributes {chi.control} {
  %m3 = arith.constant -3 : i32
  %c100 = arith.constant 100 : i32
  %c0 = arith.constant 0 : i32
  %c127 = arith.constant 127 : i32
  %c128 = arith.constant 128 : i32
  %no = arith.constant false
  %yes = arith.constant true
  chi.launch @casts(%m3, %c0, %c0, %no : i32, i32, i32, i1)
  chi.launch @casts(%c100, %c127, %c128, %yes : i32, i32, i32, i1)
  return
}
chi.task @casts (%x: i32, %in: i32, %out: i32, %t: i1) () {
  %wide = arith.extsi %x : i32 to i64
  "ask.interval"(%wide) : (i64) -> () // expected-remark {{[-3, 100]}}
  "ask.linear"(%wide) : (i64) -> () // expected-remark {{'c0'}}
  // -3 becomes 4294967293.
  %unsigned = arith.extui %x : i32 to i64
  "ask.interval"(%unsigned) : (i64) -> () // expected-remark {{[0, 4294967295]}}
  "ask.linear"(%unsigned) : (i64) -> () // expected-remark {{'extui'}}
  %plus = arith.extui %in : i32 to i64
  "ask.interval"(%plus) : (i64) -> () // expected-remark {{[0, 127]}}
  "ask.linear"(%plus) : (i64) -> () // expected-remark {{'c1'}}
  %fits = arith.trunci %in : i32 to i8
  "ask.interval"(%fits) : (i8) -> () // expected-remark {{[0, 127]}}
  "ask.linear"(%fits) : (i8) -> () // expected-remark {{'c1'}}
  // 128 becomes -128.
  %cut = arith.trunci %out : i32 to i8
  "ask.interval"(%cut) : (i8) -> () // expected-remark {{[-128, 127]}}
  "ask.linear"(%cut) : (i8) -> () // expected-remark {{'trunci'}}
  // A truth value is 0 or 1, and -1 if its bit is taken for a sign.
  %one = arith.extui %t : i1 to i32
  %minus = arith.extsi %t : i1 to i32
  "ask.interval"(%one, %minus) : (i32, i32) -> () // expected-remark {{[0, 1], [-1, 0]}}
  %bit = arith.trunci %x : i32 to i1
  "ask.interval"(%bit) : (i1) -> () // expected-remark {{[0, 1]}}
  // To index and back.
  %index = arith.index_cast %x : i32 to index
  %back = arith.index_cast %index : index to i32
  "ask.interval"(%index, %back) : (index, i32) -> () // expected-remark {{[-3, 100], [-3, 100]}}
  "ask.linear"(%back) : (i32) -> () // expected-remark {{'c0'}}
  %narrow = arith.index_cast %index : index to i8
  "ask.interval"(%narrow) : (i8) -> () // expected-remark {{[-3, 100]}}
  // A sign is extended on the way to index, too.
  %truth = arith.index_cast %t : i1 to index
  "ask.interval"(%truth) : (index) -> () // expected-remark {{[-1, 0]}}
  chi.next
}

// -----

// Smaller, larger, without sign.
func.func @launches() attributes {chi.control} {
  %m4 = arith.constant -4 : i32
  %c6 = arith.constant 6 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %m9 = arith.constant -9 : i32
  %m2 = arith.constant -2 : i32
  %bottom = arith.constant -2147483648 : i32
  chi.launch @sizes(%m4, %c1, %m9, %bottom : i32, i32, i32, i32)
  chi.launch @sizes(%c6, %c9, %m2, %m2 : i32, i32, i32, i32)
  return
}
chi.task @sizes (%x: i32, %y: i32, %minus: i32, %bottom: i32) () {
  %min = arith.minsi %x, %y : i32
  %max = arith.maxsi %x, %y : i32
  "ask.interval"(%min, %max) : (i32, i32) -> () // expected-remark {{[-4, 6], [1, 9]}}
  // Unsigned, -4 is above 9: the smaller one is in 0 … 9, the larger anything.
  %minu = arith.minui %x, %y : i32
  %minu2 = arith.minui %y, %x : i32
  "ask.interval"(%minu, %minu2) : (i32, i32) -> () // expected-remark {{[0, 9], [0, 9]}}
  %maxu = arith.maxui %x, %y : i32
  "ask.interval"(%maxu) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %both = arith.minui %x, %minus : i32
  "ask.interval"(%both) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  %c5 = arith.constant 5 : i32
  %plus = arith.minui %y, %c5 : i32
  %plus2 = arith.maxui %y, %c5 : i32
  "ask.interval"(%plus, %plus2) : (i32, i32) -> () // expected-remark {{[1, 5], [5, 9]}}
  // Without sign: of both signs, of one, and of what has no opposite.
  %a = math.absi %x : i32
  %b = math.absi %minus : i32
  %c = math.absi %y : i32
  "ask.interval"(%a, %b, %c) : (i32, i32, i32) -> () // expected-remark {{[0, 6], [2, 9], [1, 9]}}
  %d = math.absi %bottom : i32
  "ask.interval"(%d) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  // What is not known is anything.
  %e = chi.ipow %y, %c5 : i32
  %f = arith.ceildivsi %y, %c5 : i32
  "ask.interval"(%e) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  "ask.interval"(%f) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  chi.next
}
