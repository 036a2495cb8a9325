// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// A select is one of its sides, each seen where it is chosen.
func.func @launches() attributes {chi.control} {
  %m5 = arith.constant -5 : i32
  %c20 = arith.constant 20 : i32
  chi.launch @selects(%m5 : i32)
  chi.launch @selects(%c20 : i32)
  return
}
chi.task @selects (%x: i32) () {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %true = arith.constant true
  %negative = arith.cmpi slt, %x, %c0 : i32
  %large = arith.cmpi sgt, %x, %c9 : i32
  // The larger one of x and 0, and a clamp.
  %plus = arith.select %negative, %c0, %x : i32
  "ask.interval"(%plus) : (i32) -> () // expected-remark {{[0, 20]}}
  %inner = arith.select %large, %c9, %x : i32
  %clamp = arith.select %negative, %c0, %inner : i32
  "ask.interval"(%inner, %clamp) : (i32, i32) -> () // expected-remark {{[-5, 9], [0, 9]}}
  // The sides the other way round.
  %other = arith.select %negative, %x, %c0 : i32
  "ask.interval"(%other) : (i32) -> () // expected-remark {{[-5, 0]}}
  %known = arith.select %true, %c9, %x : i32
  "ask.interval"(%known) : (i32) -> () // expected-remark {{[9, 9]}}
  // Where the condition is known by a guard both sides still count, though it
  // is 0 here.
  scf.if %negative {
    "ask.interval"(%plus) : (i32) -> () // expected-remark {{[0, 20]}}
    "ask.interval"(%other) : (i32) -> () // expected-remark {{[-5, 0]}}
  }
  // Of truth values.
  %either = arith.select %negative, %large, %true : i1
  "ask.interval"(%either) : (i1) -> () // expected-remark {{[0, 1]}}
  chi.next
}

// -----

// The result of a branch: what its ends yield, with the checks on the way.
func.func @launches() attributes {chi.control} {
  %m5 = arith.constant -5 : i32
  %c20 = arith.constant 20 : i32
  chi.launch @branches(%m5, %m5 : i32, i32)
  chi.launch @branches(%c20, %c20 : i32, i32)
  return
}
chi.task @branches (%x: i32, %y: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %negative = arith.cmpi slt, %x, %c0 : i32
  %size, %one = scf.if %negative -> (i32, i32) {
    %turned = arith.subi %c0, %x : i32
    scf.yield %turned, %c1 : i32, i32
  } else {
    %small = arith.cmpi sle, %x, %c3 : i32
    chi.check bounds %small
    scf.yield %x, %c3 : i32, i32
  }
  // 1 … 5 or 0 … 3.
  "ask.interval"(%size, %one) : (i32, i32) -> () // expected-remark {{[0, 5], [1, 3]}}
  // Nested: the guard of the outer branch counts in the inner one.
  %deep = scf.if %negative -> (i32) {
    %isOne = arith.cmpi sgt, %y, %x : i32
    %inner = scf.if %isOne -> (i32) {
      scf.yield %x : i32
    } else {
      scf.yield %c0 : i32
    }
    scf.yield %inner : i32
  } else {
    scf.yield %c1 : i32
  }
  "ask.interval"(%deep) : (i32) -> () // expected-remark {{[-5, 1]}}
  chi.next
}

// -----

// `and`, `or` and `not`, also as selects and branches. That an `or` holds, or
// an `and` does not, says nothing of its parts.
chi.task @logic (%x: i32, %y: i32) () {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %false = arith.constant false
  %true = arith.constant true
  %low = arith.cmpi sge, %x, %c0 : i32
  %high = arith.cmpi sle, %y, %c9 : i32
  %and = arith.andi %low, %high : i1
  scf.if %and {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[0, 2147483647], [-2147483648, 9]}}
  } else {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, 2147483647], [-2147483648, 2147483647]}}
  }
  %or = arith.ori %low, %high : i1
  scf.if %or {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, 2147483647], [-2147483648, 2147483647]}}
    "ask.true"(%low, %high, %or) : (i1, i1, i1) -> () // expected-remark {{open, open, open}}
  } else {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, -1], [10, 2147483647]}}
  }
  %not = arith.xori %low, %true : i1
  scf.if %not {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, -1]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 2147483647]}}
  }
  // `low and high`, where the second is looked at only if the first holds.
  %chosen = arith.select %low, %high, %false : i1
  scf.if %chosen {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[0, 2147483647], [-2147483648, 9]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  // `low or high`.
  %either = arith.select %low, %true, %high : i1
  scf.if %either {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  } else {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, -1], [10, 2147483647]}}
  }
  chi.next
}

// -----

// The same as branches that yield a truth value.
chi.task @shortCircuit (%x: i32, %y: i32) () {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %false = arith.constant false
  %true = arith.constant true
  %low = arith.cmpi sge, %x, %c0 : i32
  %and = scf.if %low -> (i1) {
    %high = arith.cmpi sle, %y, %c9 : i32
    scf.yield %high : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %and {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[0, 2147483647], [-2147483648, 9]}}
  } else {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, 2147483647], [-2147483648, 2147483647]}}
  }
  %or = scf.if %low -> (i1) {
    scf.yield %true : i1
  } else {
    %high = arith.cmpi sle, %y, %c9 : i32
    scf.yield %high : i1
  }
  scf.if %or {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, 2147483647], [-2147483648, 2147483647]}}
  } else {
    "ask.interval"(%x, %y) : (i32, i32) -> () // expected-remark {{[-2147483648, -1], [10, 2147483647]}}
  }
  // Both ends yield the same constant: one of them was reached, no more.
  %always = scf.if %low -> (i1) {
    scf.yield %true : i1
  } else {
    scf.yield %true : i1
  }
  scf.if %always {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, 2147483647]}}
  }
  "ask.true"(%always) : (i1) -> () // expected-remark {{holds}}
  // The condition alone, turned round.
  %turned = scf.if %low -> (i1) {
    scf.yield %false : i1
  } else {
    scf.yield %true : i1
  }
  scf.if %turned {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[-2147483648, -1]}}
  } else {
    "ask.interval"(%x) : (i32) -> () // expected-remark {{[0, 2147483647]}}
  }
  chi.next
}
