// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Sums of symbols with factors, where nothing wraps.
func.func @launches(%n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  chi.launch @sums() from (%c0, %c1 : i32, i32) to (%c64, %c64 : i32, i32)
  return
}
chi.task @sums () (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %m1 = arith.constant -1 : i32
  %a = arith.addi %i, %j : i32
  %b = arith.addi %a, %i : i32
  %c = arith.subi %b, %c3 : i32
  "ask.linear"(%a, %b, %c) : (i32, i32, i32) -> () // expected-remark {{'i + j', '2 * i + j', '2 * i + j - 3'}}
  // What cancels is gone.
  %d = arith.subi %b, %j : i32
  %e = arith.subi %d, %i : i32
  %f = arith.subi %e, %i : i32
  "ask.linear"(%d, %e, %f) : (i32, i32, i32) -> () // expected-remark {{'2 * i', 'i', '0'}}
  // Products with a constant on either side, and of a sum.
  %g = arith.muli %i, %c3 : i32
  %h = arith.muli %m1, %a : i32
  %k = arith.muli %c, %c2 : i32
  "ask.linear"(%g, %h, %k) : (i32, i32, i32) -> () // expected-remark {{'3 * i', '-i - j', '4 * i + 2 * j - 6'}}
  %l = arith.shli %a, %c3 : i32
  %m = arith.muli %a, %c0 : i32
  "ask.linear"(%l, %m) : (i32, i32) -> () // expected-remark {{'8 * i + 8 * j', '0'}}
  // A product of two symbols is one of its own, and the same each time it is
  // asked for; another op of the same kind is another.
  %p = arith.muli %i, %j : i32 loc("p")
  %q = arith.muli %i, %j : i32 loc("q")
  %pp = arith.addi %p, %p : i32
  %pq = arith.subi %p, %q : i32
  "ask.linear"(%p, %pp, %pq) : (i32, i32, i32) -> () // expected-remark {{'p', '2 * p', 'p - q'}}
  // A quotient is none of its dividend.
  %half = chi.floordiv %i, %c2 : i32 loc("half")
  %twice = arith.muli %half, %c2 : i32
  %odd = arith.subi %i, %twice : i32
  "ask.linear"(%twice, %odd) : (i32, i32) -> () // expected-remark {{'2 * half', '-2 * half + i'}}
  "ask.interval"(%odd) : (i32) -> () // expected-remark {{[-62, 63]}}
  %true = arith.cmpi ult, %odd, %c2 : i32
  "ask.true"(%true) : (i1) -> () // expected-remark {{holds}}
  chi.next
}

// -----

// Values that lie at one point are constants, however they are made.
func.func @launches() attributes {chi.control} {
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  chi.launch @points(%c5 : i32) from (%c5 : i32) to (%c6 : i32)
  return
}
chi.task @points (%x: i32) (%i: i32) {
  %c3 = arith.constant 3 : i32
  %quotient = chi.floordiv %x, %c3 : i32
  "ask.linear"(%x, %i, %quotient) : (i32, i32, i32) -> () // expected-remark {{'5', '5', '1'}}
  chi.next
}

// -----

// What may wrap is a symbol; the same sum under a guard is not.
chi.task @wraps (%x: i32, %y: i32, %z: i64) () {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %next = arith.addi %x, %c1 : i32 loc("next")
  %less = arith.subi %x, %y : i32 loc("less")
  %twice = arith.muli %x, %c2 : i32 loc("twice")
  %shifted = arith.shli %x, %c1 : i32 loc("shifted")
  "ask.linear"(%next, %less, %twice, %shifted) : (i32, i32, i32, i32) -> () // expected-remark {{'next', 'less', 'twice', 'shifted'}}
  // x + 1 - 1 is x whatever wraps, but that is not known.
  %back = arith.subi %next, %c1 : i32 loc("back")
  "ask.linear"(%back) : (i32) -> () // expected-remark {{'back'}}
  // With promises.
  %nextN = arith.addi %x, %c1 overflow<nsw> : i32
  %lessN = arith.subi %x, %y overflow<nsw> : i32
  %twiceN = arith.muli %x, %c2 overflow<nsw> : i32
  "ask.linear"(%nextN, %lessN, %twiceN) : (i32, i32, i32) -> () // expected-remark {{'c0 + 1', 'c0 - c1', '2 * c0'}}
  // A sum in 64 bits of numbers with 32.
  %wideX = arith.extsi %x : i32 to i64
  %wideY = arith.extsi %y : i32 to i64
  %wide = arith.addi %wideX, %wideY : i64
  "ask.linear"(%wide) : (i64) -> () // expected-remark {{'c0 + c1'}}
  // The cast of what wrapped before is not the sum.
  %late = arith.extsi %next : i32 to i64
  "ask.linear"(%late) : (i64) -> () // expected-remark {{'next'}}
  // By facts: x < y, so x + 1 is at most y.
  %lt = arith.cmpi slt, %x, %y : i32
  scf.if %lt {
    %inner = arith.addi %x, %c1 : i32
    "ask.wraps"(%inner) : (i32) -> () // expected-remark {{exact by intervals}}
    "ask.linear"(%inner, %next) : (i32, i32) -> () // expected-remark {{'c0 + 1', 'c0 + 1'}}
  }
  chi.next
}

// -----

// Where no interval but a fact keeps a sum from wrapping: x + y <= z.
chi.task @byFacts (%x: i32, %y: i32, %z: i32, %u: i64, %v: i64) () {
  %c0 = arith.constant 0 : i32
  %plusX = arith.cmpi sge, %x, %c0 : i32
  %plusY = arith.cmpi sge, %y, %c0 : i32
  %room = arith.subi %z, %x : i32
  chi.check bounds %plusX
  chi.check bounds %plusY
  %plusZ = arith.cmpi sge, %z, %c0 : i32
  chi.check bounds %plusZ
  %sum = arith.addi %x, %y : i32
  "ask.wraps"(%sum) : (i32) -> () // expected-remark {{may wrap}}
  %fits = arith.cmpi sle, %y, %room : i32
  scf.if %fits {
    %inner = arith.addi %x, %y : i32
    "ask.wraps"(%inner) : (i32) -> () // expected-remark {{exact by facts}}
    "ask.linear"(%inner) : (i32) -> () // expected-remark {{'c0 + c1'}}
    %in = arith.cmpi sle, %inner, %z : i32
    %minus = arith.cmpi slt, %inner, %c0 : i32
    "ask.true"(%in, %minus) : (i1, i1) -> () // expected-remark {{holds, open}}
  }
  // The same in 64 bits is left open: the least number has no negative, by
  // which it would be compared.
  %l0 = arith.constant 0 : i64
  %plusU = arith.cmpi sge, %u, %l0 : i64
  %plusV = arith.cmpi sge, %v, %l0 : i64
  %plus = arith.andi %plusU, %plusV : i1
  chi.check bounds %plus
  %top = arith.constant 9223372036854775807 : i64
  %space = arith.subi %top, %u : i64
  %enough = arith.cmpi sle, %v, %space : i64
  scf.if %enough {
    %inner = arith.addi %u, %v : i64
    "ask.wraps"(%inner) : (i64) -> () // expected-remark {{may wrap}}
  }
  chi.next
}

// -----

// A truth value is none of the integers that are added.
chi.task @truth (%w: i32) () {
  %bit = arith.trunci %w : i32 to i1
  %number = arith.extui %bit : i1 to i32 loc("number")
  %sign = arith.extsi %bit : i1 to i32 loc("sign")
  "ask.linear"(%number, %sign) : (i32, i32) -> () // expected-remark {{'number', 'sign'}}
  chi.next
}

// -----

// Extents: of one field on one axis there is one, through casts too.
chi.task @extents (%f: !chi.field<?x?xf32>, %g: !chi.field<8x?xf32>) () {
  %a = chi.dim %f, 0 : !chi.field<?x?xf32> -> i32
  %b = chi.dim %f, 0 : !chi.field<?x?xf32> -> i64
  %c = chi.dim %f, 1 : !chi.field<?x?xf32> -> i32
  %d = chi.dim %g, 0 : !chi.field<8x?xf32> -> i32
  "ask.linear"(%a, %b, %c, %d) : (i32, i64, i32, i32) -> () // expected-remark {{'extent(c0, 0)', 'extent(c0, 0)', 'extent(c0, 1)', '8'}}
  "ask.interval"(%a, %d) : (i32, i32) -> () // expected-remark {{[0, 2147483647], [8, 8]}}
  %c1 = arith.constant 1 : i32
  %last = arith.subi %a, %c1 : i32
  %past = arith.addi %a, %c1 : i32
  "ask.wraps"(%last, %past) : (i32, i32) -> () // expected-remark {{exact by intervals, may wrap}}
  %h = chi.cast_field %g : !chi.field<8x?xf32> to !chi.field<?x?xf32>
  %e = chi.dim %h, 1 : !chi.field<?x?xf32> -> i32
  %i = chi.dim %h, 0 : !chi.field<?x?xf32> -> i32
  "ask.linear"(%e, %i) : (i32, i32) -> () // expected-remark {{'extent(c1, 1)', '8'}}
  chi.next
}
