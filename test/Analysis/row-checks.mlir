// RUN: chi-opt %s --chi-test-row-checks --split-input-file --verify-diagnostics

!F = !chi.field<100xf32>

// How much an index grows from iteration to iteration, modulo 2**32.
chi.task @linear(%n: i32, %f: !chi.field<?x8xf32>) (%i: i32, %j: i32) {
  %c100 = arith.constant 100 : i32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %row = arith.muli %i, %n : i32
  %at = arith.addi %row, %j : i32
  %in = arith.cmpi ult, %at, %c100 : i32
  chi.check bounds %in (%at, %c100 : i32, i32) // expected-remark {{grows by 1}}
  %one = arith.cmpi ult, %row, %c100 : i32
  chi.check bounds %one (%row, %c100 : i32, i32) // expected-remark {{grows by 0}}
  // 3 j - (n + 2 j)
  %thrice = arith.muli %c3, %j : i32
  %twice = arith.muli %j, %c2 : i32
  %rest = arith.addi %n, %twice : i32
  %once = arith.subi %thrice, %rest : i32
  %d = chi.dim %f, 0 : !chi.field<?x8xf32> -> i32
  %below = arith.cmpi ult, %once, %d : i32
  // Two axes in one check.
  %both = arith.andi %below, %one : i1
  // expected-remark @below {{grows by 1}}
  // expected-remark @below {{grows by 0}}
  chi.check bounds %both (%once, %d : i32, i32)
  chi.next
}

// -----

chi.task @twice(%n: i32) (%i: i32, %j: i32) {
  %sum = arith.addi %j, %j : i32
  %in = arith.cmpi ult, %sum, %n : i32
  // expected-remark @below {{grows by 2}}
  chi.check bounds %in (%sum, %n : i32, i32)
  chi.next
}

// -----

chi.task @descending(%n: i32) (%i: i32, %j: i32) {
  %at = arith.subi %n, %j : i32
  %in = arith.cmpi ult, %at, %n : i32
  // expected-remark @below {{grows by -1}}
  chi.check bounds %in (%at, %n : i32, i32)
  chi.next
}

// -----

// The last index of a row might not fit 64 bits.
// expected-remark @below {{iteration by iteration}}
chi.task @far(%n: i32) (%i: i32, %j: i32) {
  %by = arith.constant 1048577 : i32
  %at = arith.muli %j, %by : i32
  %in = arith.cmpi ult, %at, %n : i32
  chi.check bounds %in (%at, %n : i32, i32)
  chi.next
}

// -----

// expected-remark @below {{iteration by iteration}}
chi.task @wide(%n: i64) (%i: i64, %j: i64) {
  %at = arith.addi %j, %j : i64
  %in = arith.cmpi ult, %at, %n : i64
  chi.check bounds %in (%at, %n : i64, i64)
  chi.next
}

// -----

// The limit must not change.
// expected-remark @below {{iteration by iteration}}
chi.task @limit(%n: i32) (%i: i32, %j: i32) {
  %in = arith.cmpi ult, %i, %j : i32
  chi.check bounds %in (%i, %j : i32, i32)
  chi.next
}

// -----

// What is loaded, and quotients, whose divisor may be zero, are not computed
// before the row.
// expected-remark @below {{iteration by iteration}}
chi.task @loaded(%n: i32, %x: !chi.field<4xi32>) (%i: i32, %j: i32) {
  %at = chi.load %x[%i : i32] inbounds : !chi.field<4xi32> -> i32
  %in = arith.cmpi ult, %at, %n : i32
  chi.check bounds %in (%at, %n : i32, i32)
  chi.next
}

// -----

// expected-remark @below {{iteration by iteration}}
chi.task @quotient(%n: i32) (%i: i32, %j: i32) {
  %at = arith.divsi %i, %n : i32
  %in = arith.cmpi ult, %at, %n : i32
  chi.check bounds %in (%at, %n : i32, i32)
  chi.next
}

// -----

// A widened sum would not wrap where the sum does.
// expected-remark @below {{iteration by iteration}}
chi.task @widened(%n: i64) (%i: i32, %j: i32) {
  %sum = arith.addi %i, %j : i32
  %at = arith.extsi %sum : i32 to i64
  %in = arith.cmpi ult, %at, %n : i64
  chi.check bounds %in (%at, %n : i64, i64)
  chi.next
}

// -----

// expected-remark @below {{iteration by iteration}}
chi.task @asserts(%ok: i1) (%i: i32, %j: i32) {
  chi.check assert %ok {site = 0 : i64}
  chi.next
}
