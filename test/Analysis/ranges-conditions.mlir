// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Conditions of conditions.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @logic(%c0 : i32) from (%c0 : i32) to (%c8 : i32)
  chi.launch @logic(%c8 : i32) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @logic (%x: i32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %true = arith.constant true
  %false = arith.constant false
  "ask.true"(%true, %false) : (i1, i1) -> () // expected-remark {{holds, open}}
  %yes = arith.cmpi slt, %i, %c8 : i32
  %no = arith.cmpi sge, %i, %c8 : i32
  %maybe = arith.cmpi slt, %i, %c4 : i32
  %and = arith.andi %yes, %maybe : i1
  %and2 = arith.andi %yes, %yes : i1
  %or = arith.ori %maybe, %yes : i1
  %or2 = arith.ori %maybe, %no : i1
  "ask.true"(%and, %and2, %or, %or2) : (i1, i1, i1, i1) -> () // expected-remark {{open, holds, holds, open}}
  // Of `i < 4 or i >= 4` the second holds where the first does not.
  %rest = arith.cmpi sge, %i, %c4 : i32
  %all = arith.ori %maybe, %rest : i1
  "ask.true"(%all) : (i1) -> () // expected-remark {{holds}}
  // Not: of what never holds. An xor of two unknown ones is not looked into.
  %notNo = arith.xori %no, %true : i1
  %notYes = arith.xori %yes, %true : i1
  %same = arith.xori %no, %false : i1
  %mixed = arith.xori %yes, %no : i1
  "ask.true"(%notNo, %notYes, %same, %mixed) : (i1, i1, i1, i1) -> () // expected-remark {{holds, open, open, open}}
  // Not both, not either.
  %none = arith.andi %no, %maybe : i1
  %notNone = arith.xori %none, %true : i1
  %nor = arith.ori %no, %maybe : i1
  %notNor = arith.xori %nor, %true : i1
  "ask.true"(%notNone, %notNor) : (i1, i1) -> () // expected-remark {{holds, open}}
  // Each side where it is chosen: a test that is right only behind the other.
  %upper = arith.cmpi sge, %x, %c4 : i32
  %lower = arith.cmpi slt, %x, %c4 : i32
  %chosen = arith.select %upper, %upper, %lower : i1
  %wrong = arith.select %upper, %lower, %upper : i1
  "ask.true"(%chosen, %wrong) : (i1, i1) -> () // expected-remark {{holds, open}}
  %branch = scf.if %upper -> (i1) {
    scf.yield %upper : i1
  } else {
    scf.yield %yes : i1
  }
  "ask.true"(%branch) : (i1) -> () // expected-remark {{holds}}
  chi.next
}

// -----

// Unsigned comparisons are those of signed numbers where none is negative.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %m1 = arith.constant -1 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @unsigned() from (%c0, %m1 : i32, i32) to (%c8, %c8 : i32, i32)
  return
}
chi.task @unsigned () (%i: i32, %x: i32) {
  %c8 = arith.constant 8 : i32
  %c7 = arith.constant 7 : i32
  %m1 = arith.constant -1 : i32
  %a = arith.cmpi ult, %i, %c8 : i32
  %b = arith.cmpi ult, %x, %c8 : i32
  %c = arith.cmpi ule, %i, %c7 : i32
  %d = arith.cmpi ugt, %c8, %i : i32
  %e = arith.cmpi uge, %c7, %x : i32
  "ask.true"(%a, %b, %c, %d, %e) : (i1, i1, i1, i1, i1) -> () // expected-remark {{holds, open, holds, holds, open}}
  // -1 is the largest.
  %f = arith.cmpi ult, %i, %m1 : i32
  %g = arith.cmpi ugt, %i, %m1 : i32
  %h = arith.cmpi sgt, %i, %m1 : i32
  "ask.true"(%f, %g, %h) : (i1, i1, i1) -> () // expected-remark {{open, open, holds}}
  // That none is above: `not (x >u i)` is `x <=u i`, and may be false.
  %true = arith.constant true
  %j = arith.cmpi ugt, %x, %i : i32
  %k = arith.xori %j, %true : i1
  "ask.true"(%j, %k) : (i1, i1) -> () // expected-remark {{open, open}}
  chi.next
}

// -----

// Equal and not.
chi.task @equal (%x: i32, %y: i32, %t: i1, %u: i1) () {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %eq = arith.cmpi eq, %x, %c3 : i32
  %ne = arith.cmpi ne, %x, %c3 : i32
  %ne4 = arith.cmpi ne, %x, %c4 : i32
  %xy = arith.cmpi eq, %x, %y : i32
  scf.if %eq {
    "ask.true"(%eq, %ne, %ne4) : (i1, i1, i1) -> () // expected-remark {{holds, open, holds}}
    // Equals of equals.
    scf.if %xy {
      %y3 = arith.cmpi eq, %y, %c3 : i32
      "ask.true"(%y3) : (i1) -> () // expected-remark {{holds}}
      "ask.interval"(%y) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
    }
  }
  // A sum of equals.
  scf.if %xy {
    %wx = arith.extsi %x : i32 to i64
    %wy = arith.extsi %y : i32 to i64
    %sx = arith.addi %wx, %wy : i64
    %sy = arith.addi %wy, %wy : i64
    %same = arith.cmpi eq, %sx, %sy : i64
    "ask.true"(%same) : (i1) -> () // expected-remark {{holds}}
  } else {
    %still = arith.cmpi ne, %x, %y : i32
    // Of two that are unequal none is known to be above.
    "ask.true"(%still) : (i1) -> () // expected-remark {{open}}
  }
  // Truth values are not compared as integers: true is 1, and -1 as signed.
  %less = arith.cmpi slt, %t, %u : i1
  %self = arith.cmpi sle, %t, %t : i1
  "ask.true"(%less, %self) : (i1, i1) -> () // expected-remark {{open, open}}
  scf.if %less {
    "ask.interval"(%t, %u) : (i1, i1) -> () // expected-remark {{[0, 1], [0, 1]}}
  }
  chi.next
}

// -----

// That host arithmetic overflows: never proved; that it does not, sometimes.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c46341 = arith.constant 46341 : i32
  %top = arith.constant 2147483647 : i32
  chi.launch @overflows(%top : i32) from (%c0 : i32) to (%c46341 : i32)
  return
}
chi.task @overflows (%top: i32) (%i: i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %add = chi.overflow add %i, %i : i32
  %sub = chi.overflow sub %i, %top : i32
  %mul = chi.overflow mul %i, %i : i32
  %addTop = chi.overflow add %top, %c1 : i32
  %addSome = chi.overflow add %top, %i : i32
  %a = arith.xori %add, %true : i1
  %b = arith.xori %sub, %true : i1
  %c = arith.xori %mul, %true : i1
  %d = arith.xori %addTop, %true : i1
  %e = arith.xori %addSome, %true : i1
  "ask.true"(%a, %b, %c, %d, %e) : (i1, i1, i1, i1, i1) -> () // expected-remark {{holds, holds, holds, open, open}}
  "ask.true"(%addTop) : (i1) -> () // expected-remark {{open}}
  // 46341 * 46341 is too large, -46341 * 46340 is not.
  %past = arith.addi %i, %c1 : i32
  %square = chi.overflow mul %past, %past : i32
  %f = arith.xori %square, %true : i1
  %turned = arith.muli %top, %past : i32
  %c0 = arith.constant 0 : i32
  %minus = arith.subi %c0, %past : i32
  %fits = chi.overflow mul %minus, %i : i32
  %g = arith.xori %fits, %true : i1
  "ask.true"(%f, %g) : (i1, i1) -> () // expected-remark {{open, holds}}
  chi.next
}

// -----

// Numbers at the border of 64 bits: none of the proofs may wrap itself.
chi.task @huge (%x: i64, %y: i64, %z: i64, %u: i64, %v: i64) () {
  %huge = arith.constant 9223372036854775807 : i64
  %a = arith.muli %x, %huge overflow<nsw> : i64
  %b = arith.muli %y, %huge overflow<nsw> : i64
  %c = arith.muli %z, %huge overflow<nsw> : i64
  %ab = arith.addi %a, %b overflow<nsw> : i64
  %abc = arith.addi %ab, %c overflow<nsw> : i64
  // Neither is known: x = 1, y = z = 0 and x = -1, y = z = 0 are possible.
  %l0 = arith.constant 0 : i64
  %plus = arith.cmpi sge, %abc, %l0 : i64
  %minus = arith.cmpi slt, %abc, %l0 : i64
  "ask.true"(%plus, %minus) : (i1, i1) -> () // expected-remark {{open, open}}
  %less = arith.cmpi slt, %x, %y : i64
  %next = arith.cmpi slt, %y, %x : i64
  "ask.true"(%less, %next) : (i1, i1) -> () // expected-remark {{open, open}}
  chi.next
}
