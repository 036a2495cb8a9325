// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-ranges --split-input-file --verify-diagnostics

// The domain of a task, from its launch: the end is excluded.
func.func @launches(%n: i32) attributes {chi.control} {
  %m4 = arith.constant -4 : i32
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @one(%n : i32) from (%m4, %c0 : i32, i32) to (%c8, %n : i32, i32)
  return
}
chi.task @one (%n: i32) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  "ask.domain"() : () -> () // expected-remark {{launched; i in [-4, 7] from '-4' to '8'; j in [0, 2147483646] from '0' to 'c0'; c0 in [-2147483648, 2147483647]}}
  // An iteration is there only if the end is above it. That the end is above
  // the start then, too, is not seen.
  %c0 = arith.constant 0 : i32
  %below = arith.cmpi slt, %j, %n : i32
  %any = arith.cmpi sgt, %n, %c0 : i32
  %notI = arith.cmpi slt, %i, %n : i32
  "ask.true"(%below, %any, %notI) : (i1, i1, i1) -> () // expected-remark {{holds, open, open}}
  // Its neighbour above is at most the end, which does not wrap.
  %c1 = arith.constant 1 : i32
  %next = arith.addi %j, %c1 : i32
  "ask.linear"(%next) : (i32) -> () // expected-remark {{'j + 1'}}
  // The one below is -1 at least.
  %last = arith.subi %j, %c1 : i32
  "ask.interval"(%last) : (i32) -> () // expected-remark {{[-1, 2147483645]}}
  chi.next
}
// Never launched: any iteration may be.
chi.task @none (%n: i32) (%i: i32) {
  "ask.domain"() : () -> () // expected-remark {{not launched; i0 in [-2147483648, 2147483647] from unknown to unknown; c0 in [-2147483648, 2147483647]}}
  chi.next
}

// -----

// Of several launches what holds for all.
func.func @launches(%n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @two(%c3, %n : i32, i32) from (%c0, %c3 : i32, i32) to (%c8, %n : i32, i32)
  chi.launch @two(%c9, %n : i32, i32) from (%c0, %c0 : i32, i32) to (%c9, %n : i32, i32)
  return
}
chi.task @two (%a: i32, %n: i32) (%i: i32, %j: i32) {
  "ask.domain"() : () -> () // expected-remark {{launched; i0 in [0, 8] from '0' to unknown; i1 in [0, 2147483646] from unknown to 'c1'; c0 in [3, 9]; c1 in [-2147483648, 2147483647]}}
  chi.next
}

// -----

// What the launch is guarded by holds in the task; so does a check before it.
func.func @launches(%n: i32, %m: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %small = arith.cmpi sle, %n, %c100 : i32
  chi.check bounds %small
  %plus = arith.cmpi sge, %m, %c0 : i32
  scf.if %plus {
    chi.launch @guarded(%m : i32) from (%c0 : i32) to (%n : i32)
  }
  return
}
chi.task @guarded (%m: i32) (%i: i32) {
  // The end is not passed, so it is no symbol of the task.
  "ask.domain"() : () -> () // expected-remark {{launched; i0 in [0, 99] from '0' to unknown; c0 in [0, 2147483647]}}
  chi.next
}

// -----

// A launch in a loop: all turns of it.
func.func @launches(%n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  scf.for %k = %c0 to %c5 step %c1 : i32 {
    %end = arith.addi %k, %c5 : i32
    chi.launch @turns(%k : i32) from (%k : i32) to (%end : i32)
  }
  return
}
chi.task @turns (%k: i32) (%i: i32) {
  "ask.domain"() : () -> () // expected-remark {{launched; i0 in [0, 8] from 'c0' to 'c0 + 5'; c0 in [0, 4]}}
  %c5 = arith.constant 5 : i32
  %away = arith.subi %i, %k : i32
  %near = arith.cmpi ult, %away, %c5 : i32
  "ask.true"(%near) : (i1) -> () // expected-remark {{holds}}
  chi.next
}

// -----

// Of an empty launch nothing has to be known: it adds no iteration, unless all
// are empty. A start that may be above the end counts as far as it is below.
func.func @launches(%x: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c5 = arith.constant 5 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @empty() from (%c5, %c9, %c2 : i32, i32, i32) to (%c5, %c2, %c5 : i32, i32, i32)
  scf.for %k = %c0 to %c9 step %c1 : i32 {
    chi.launch @empty() from (%c0, %c1, %k : i32, i32, i32) to (%c2, %c5, %c2 : i32, i32, i32)
  }
  return
}
chi.task @empty () (%i: i32, %j: i32, %k: i32) {
  "ask.domain"() : () -> () // expected-remark {{launched; i0 in [0, 4] from unknown to unknown; i1 in [1, 4] from unknown to unknown; i2 in [0, 4] from unknown to unknown}}
  chi.next
}

// -----

// A loop over a field: its extents, fixed or not. More than 2^48 elements are
// nowhere, and an index of 32 bits counts only extents that fit.
chi.task @over (%n: i32, %f: !chi.field<4x?xf32>) over 1 (%i: i64, %j: i64) {
  "ask.domain"() : () -> () // expected-remark {{not launched; i0 in [0, 3] from '0' to '4'; i1 in [0, 281474976710655] from '0' to 'extent(c1, 1)'; c0 in [-2147483648, 2147483647]}}
  %d = chi.dim %f, 1 : !chi.field<4x?xf32> -> i64
  %in = arith.cmpi slt, %j, %d : i64
  "ask.true"(%in) : (i1) -> () // expected-remark {{holds}}
  chi.next
}
chi.task @overNarrow (%f: !chi.field<?xf32>) over 0 (%i: i32) {
  "ask.domain"() : () -> () // expected-remark {{not launched; i0 in [0, 2147483646] from '0' to 'extent(c0, 0)'}}
  %c1 = arith.constant 1 : i32
  %next = arith.addi %i, %c1 : i32
  "ask.wraps"(%next) : (i32) -> () // expected-remark {{exact by intervals}}
  chi.next
}

// -----

// Captured values that are one: the second is a sum of the first, and of an
// extent that the task sees as well.
func.func @launches(%f: !chi.field<?xf32>, %g: !chi.field<?xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %small = arith.cmpi slt, %n, %c10 : i32
  chi.check bounds %small
  %more = arith.addi %n, %c1 : i32
  %d = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %e = chi.dim %g, 0 : !chi.field<?xf32> -> i32
  chi.launch @aliases(%f, %n, %more, %d, %n, %e : !chi.field<?xf32>, i32, i32, i32, i32, i32) from (%c0 : i32) to (%d : i32)
  return
}
chi.task @aliases (%f: !chi.field<?xf32>, %n: i32, %more: i32, %d: i32, %again: i32, %e: i32) (%i: i32) {
  // The extent of `g` is not that of a field that the task has.
  "ask.linear"(%n, %more, %d, %again, %e) : (i32, i32, i32, i32, i32) -> () // expected-remark {{'c1', 'c1 + 1', 'extent(c0, 0)', 'c1', 'c5'}}
  "ask.interval"(%n, %more, %d) : (i32, i32, i32) -> () // expected-remark {{[-2147483648, 9], [-2147483647, 10], [0, 2147483647]}}
  %extent = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %in = arith.cmpi slt, %i, %extent : i32
  %greater = arith.cmpi slt, %again, %more : i32
  %unknown = arith.cmpi slt, %i, %e : i32
  "ask.true"(%in, %greater, %unknown) : (i1, i1, i1) -> () // expected-remark {{holds, holds, open}}
  chi.next
}

// -----

// The bounds that only the entry of a task computes: all of them hold.
chi.task @bounded (%f: !chi.field<?xf32>, %n: i32, %g: !chi.field<?xf32>) (%i: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 3, domainAxes = [-1]>,
                chi.axis_bounds = [[#chi.known<= 0>, #chi.known<= arg(1)>], [#chi.known<= dim(0, 0)>, #chi.known<= 5 + arg(1)>]],
                facts = #chi.facts<from = [0 to 2147483647], to = [-2147483648 to 2147483647], inputs = [?, 0 to 100, ?]>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %extent = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  %other = chi.dim %g, 0 : !chi.field<?xf32> -> i32
  %last = arith.addi %n, %c4 : i32
  %low = arith.cmpi sge, %i, %n : i32
  %high = arith.cmpi slt, %i, %extent : i32
  %near = arith.cmpi sle, %i, %last : i32
  %unknown = arith.cmpi slt, %i, %other : i32
  %above = arith.cmpi sgt, %i, %n : i32
  "ask.true"(%low, %high, %near, %unknown, %above) : (i1, i1, i1, i1, i1) -> () // expected-remark {{holds, holds, holds, open, open}}
  "ask.interval"(%i) : (i32) -> () // expected-remark {{[0, 2147483646]}}
  chi.next
}
