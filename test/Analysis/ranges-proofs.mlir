// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// Facts in a chain: a < b, b <= c, c < d.
chi.task @chain (%a: i32, %b: i32, %c: i32, %d: i32) () {
  %ab = arith.cmpi slt, %a, %b : i32
  %bc = arith.cmpi sge, %c, %b : i32
  %cd = arith.cmpi sgt, %d, %c : i32
  chi.check bounds %ab
  chi.check bounds %bc
  %c1 = arith.constant 1 : i32
  %ac = arith.cmpi slt, %a, %c : i32
  %ca = arith.cmpi sge, %a, %c : i32
  %ad = arith.cmpi slt, %a, %d : i32
  "ask.true"(%ac, %ca, %ad) : (i1, i1, i1) -> () // expected-remark {{holds, open, open}}
  chi.check bounds %cd
  "ask.true"(%ad) : (i1) -> () // expected-remark {{holds}}
  // Two steps lie between them, of which `<=` gives none.
  %next = arith.addi %a, %c1 : i32
  %two = arith.cmpi slt, %next, %d : i32
  %more = arith.addi %next, %c1 : i32
  %three = arith.cmpi slt, %more, %d : i32
  "ask.true"(%two, %three) : (i1, i1) -> () // expected-remark {{holds, open}}
  // Different, of two that are ordered; equal is none.
  %ne = arith.cmpi ne, %a, %c : i32
  %eq = arith.cmpi eq, %b, %c : i32
  %bNotC = arith.cmpi ne, %b, %c : i32
  "ask.true"(%ne, %eq, %bNotC) : (i1, i1, i1) -> () // expected-remark {{holds, open, open}}
  %le = arith.cmpi sle, %c, %b : i32
  scf.if %le {
    "ask.true"(%eq) : (i1) -> () // expected-remark {{holds}}
  }
  chi.next
}

// -----

// Quotients: divisor * q <= dividend < divisor * (q + 1), if the divisor is
// positive and it is rounded down.
func.func @launches() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %m100 = arith.constant -100 : i32
  %c100 = arith.constant 100 : i32
  chi.launch @quotients() from (%c0, %m100 : i32, i32) to (%c100, %c100 : i32, i32)
  return
}
chi.task @quotients () (%i: i32, %x: i32) {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  // Of either sign.
  %q = chi.floordiv %x, %c4 : i32
  %low = arith.muli %q, %c4 : i32
  %high = arith.addi %low, %c3 : i32
  %atLeast = arith.cmpi sle, %low, %x : i32
  %atMost = arith.cmpi sle, %x, %high : i32
  %less = arith.cmpi slt, %x, %high : i32
  "ask.true"(%atLeast, %atMost, %less) : (i1, i1, i1) -> () // expected-remark {{holds, holds, open}}
  // To zero: of what is not negative only, -7 / 4 * 4 is above -7.
  %t = arith.divsi %x, %c4 : i32
  %tLow = arith.muli %t, %c4 : i32
  %tAtLeast = arith.cmpi sle, %tLow, %x : i32
  %u = arith.divsi %i, %c4 : i32
  %uLow = arith.muli %u, %c4 : i32
  %uAtLeast = arith.cmpi sle, %uLow, %i : i32
  "ask.true"(%tAtLeast, %uAtLeast) : (i1, i1) -> () // expected-remark {{open, holds}}
  // Unsigned likewise: -7 is 4294967289 then, and a fourth of that above -7.
  %v = arith.divui %x, %c4 : i32
  %vBelow = arith.cmpi sle, %v, %x : i32
  %w = arith.divui %i, %c4 : i32
  %wBelow = arith.cmpi sle, %w, %i : i32
  "ask.true"(%vBelow, %wBelow) : (i1, i1) -> () // expected-remark {{open, holds}}
  // A guard makes it one of what is not negative, though it came before.
  %plus = arith.cmpi sge, %x, %c0 : i32
  scf.if %plus {
    "ask.true"(%tAtLeast, %vBelow) : (i1, i1) -> () // expected-remark {{holds, holds}}
  }
  // A shift to the right is a quotient by a power of two.
  %c2 = arith.constant 2 : i32
  %s = arith.shrsi %x, %c2 : i32
  %sLow = arith.muli %s, %c4 : i32
  %sAtLeast = arith.cmpi sle, %sLow, %x : i32
  %l = arith.shrui %x, %c2 : i32
  %lBelow = arith.cmpi sle, %l, %x : i32
  "ask.true"(%sAtLeast, %lBelow) : (i1, i1) -> () // expected-remark {{holds, open}}
  // By a negative divisor nothing is said.
  %m4 = arith.constant -4 : i32
  %n = chi.floordiv %i, %m4 : i32
  %nBelow = arith.cmpi sle, %n, %i : i32
  "ask.true"(%nBelow) : (i1) -> () // expected-remark {{holds}}
  %nTimes = arith.muli %n, %m4 : i32
  %nAbove = arith.cmpi sge, %nTimes, %i : i32
  "ask.true"(%nAbove) : (i1) -> () // expected-remark {{open}}
  chi.next
}

// -----

// Rests: below a positive divisor, which may be a symbol.
chi.task @rests (%x: i32, %n: i32, %t: i32, %f: !chi.field<?xf32>) () {
  %c0 = arith.constant 0 : i32
  %d = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %r = chi.floormod %x, %d : i32
  %below = arith.cmpi ult, %r, %d : i32
  // The extent may be 0.
  "ask.true"(%below) : (i1) -> () // expected-remark {{open}}
  %some = arith.cmpi sgt, %d, %c0 : i32
  scf.if %some {
    "ask.true"(%below) : (i1) -> () // expected-remark {{holds}}
    // With the sign of the dividend it is not.
    %c = arith.remsi %x, %d : i32
    %cBelow = arith.cmpi slt, %c, %d : i32
    %cPlus = arith.cmpi sge, %c, %c0 : i32
    "ask.true"(%cBelow, %cPlus) : (i1, i1) -> () // expected-remark {{open, open}}
    %plus = arith.cmpi sge, %x, %c0 : i32
    scf.if %plus {
      "ask.true"(%cBelow, %cPlus) : (i1, i1) -> () // expected-remark {{holds, holds}}
    }
  }
  // Of a negative divisor it is above it.
  %minus = arith.cmpi slt, %n, %c0 : i32
  scf.if %minus {
    %s = chi.floormod %x, %n : i32
    %negative = arith.cmpi sle, %s, %c0 : i32
    %sBelow = arith.cmpi slt, %s, %n : i32
    "ask.true"(%negative, %sBelow) : (i1, i1) -> () // expected-remark {{holds, open}}
  }
  // Unsigned: a dividend of either sign leaves a rest below a divisor that is
  // known to be positive, which needs a constant here.
  %c7 = arith.constant 7 : i32
  %u = arith.remui %x, %c7 : i32
  %uBelow = arith.cmpi ult, %u, %c7 : i32
  "ask.true"(%uBelow) : (i1) -> () // expected-remark {{holds}}
  chi.next
}

// -----

// The smaller and the larger of two, by facts and by cases.
chi.task @sizes (%x: i32, %y: i32, %z: i32) () {
  %min = arith.minsi %x, %y : i32
  %max = arith.maxsi %x, %y : i32
  %a = arith.cmpi sle, %min, %x : i32
  %b = arith.cmpi sle, %min, %y : i32
  %c = arith.cmpi sge, %max, %x : i32
  %d = arith.cmpi sle, %min, %max : i32
  "ask.true"(%a, %b, %c, %d) : (i1, i1, i1, i1) -> () // expected-remark {{holds, holds, holds, holds}}
  // The other way it holds only if it does of both.
  %e = arith.cmpi sle, %z, %min : i32
  %zx = arith.cmpi sle, %z, %x : i32
  %zy = arith.cmpi sle, %z, %y : i32
  "ask.true"(%e) : (i1) -> () // expected-remark {{open}}
  chi.check bounds %zx
  "ask.true"(%e) : (i1) -> () // expected-remark {{open}}
  chi.check bounds %zy
  "ask.true"(%e) : (i1) -> () // expected-remark {{holds}}
  // A select by hand is as good, as each side is seen under its condition.
  %less = arith.cmpi slt, %x, %y : i32
  %pick = arith.select %less, %x, %y : i32
  %f = arith.cmpi sle, %pick, %x : i32
  %g = arith.cmpi sle, %pick, %y : i32
  %h = arith.cmpi sle, %z, %pick : i32
  %wrong = arith.cmpi sge, %pick, %x : i32
  "ask.true"(%f, %g, %h, %wrong) : (i1, i1, i1, i1) -> () // expected-remark {{holds, holds, holds, open}}
  // So is a branch.
  %branch = scf.if %less -> (i32) {
    scf.yield %y : i32
  } else {
    scf.yield %x : i32
  }
  %k = arith.cmpi sge, %branch, %x : i32
  %l = arith.cmpi slt, %branch, %y : i32
  "ask.true"(%k, %l) : (i1, i1) -> () // expected-remark {{holds, open}}
  chi.next
}
