// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-sampler --split-input-file --verify-diagnostics

// Numbers are computed as the program does, wrap-around included. What has no
// value, or one that is not worth it, is left out: no access is known then.
chi.task @sums (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %b100 = arith.constant 100 : i8
  %b2 = arith.constant 2 : i8
  %bm128 = arith.constant -128 : i8
  %bm1 = arith.constant -1 : i8
  %top = arith.constant 2147483647 : i32
  %bottom = arith.constant -2147483648 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %m1 = arith.constant -1 : i32
  %ltop = arith.constant 9223372036854775807 : i64
  %l2 = arith.constant 2 : i64
  %lbottom = arith.constant -9223372036854775808 : i64
  %r1 = arith.addi %b100, %b100 : i8
  chi.store %n, %f[%r1 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['-56']}}
  // 10000 is 39 * 256 + 16.
  %r2 = arith.muli %b100, %b100 : i8
  chi.store %n, %f[%r2 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['16']}}
  %r3 = arith.subi %bm128, %b2 : i8
  chi.store %n, %f[%r3 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['126']}}
  %r4 = arith.muli %bm128, %bm1 : i8
  chi.store %n, %f[%r4 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['-128']}}
  %r5 = arith.addi %top, %c1 : i32
  chi.store %n, %f[%r5 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-2147483648']}}
  %r6 = arith.subi %bottom, %c1 : i32
  chi.store %n, %f[%r6 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['2147483647']}}
  %r7 = arith.muli %top, %top : i32
  chi.store %n, %f[%r7 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r8 = arith.muli %top, %c2 : i32
  chi.store %n, %f[%r8 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-2']}}
  %r9 = arith.addi %ltop, %l2 : i64
  chi.store %n, %f[%r9 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['-9223372036854775807']}}
  %r10 = arith.muli %ltop, %ltop : i64
  chi.store %n, %f[%r10 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r11 = arith.subi %lbottom, %l2 : i64
  chi.store %n, %f[%r11 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['9223372036854775806']}}
  chi.next
}

// -----

// Quotients and rests, of all signs; by zero there is none.
chi.task @quotients (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %m1 = arith.constant -1 : i32
  %m2 = arith.constant -2 : i32
  %m7 = arith.constant -7 : i32
  %bottom = arith.constant -2147483648 : i32
  %r12 = chi.floordiv %m7, %c2 : i32
  chi.store %n, %f[%r12 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-4']}}
  %r13 = chi.floordiv %c7, %m2 : i32
  chi.store %n, %f[%r13 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-4']}}
  %r14 = chi.floordiv %m7, %m2 : i32
  chi.store %n, %f[%r14 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['3']}}
  %r15 = chi.floormod %m7, %c2 : i32
  chi.store %n, %f[%r15 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r16 = chi.floormod %c7, %m2 : i32
  chi.store %n, %f[%r16 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-1']}}
  %r17 = chi.floormod %m7, %m2 : i32
  chi.store %n, %f[%r17 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-1']}}
  %r18 = arith.divsi %m7, %c2 : i32
  chi.store %n, %f[%r18 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-3']}}
  %r19 = arith.divsi %c7, %m2 : i32
  chi.store %n, %f[%r19 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-3']}}
  %r20 = arith.remsi %m7, %c2 : i32
  chi.store %n, %f[%r20 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-1']}}
  %r21 = arith.remsi %c7, %m2 : i32
  chi.store %n, %f[%r21 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r22 = arith.divui %c7, %c2 : i32
  chi.store %n, %f[%r22 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['3']}}
  %r23 = arith.remui %c7, %c2 : i32
  chi.store %n, %f[%r23 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r24 = chi.floordiv %c7, %c2 unsigned : i32
  chi.store %n, %f[%r24 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['3']}}
  %r25 = chi.floormod %c7, %c2 unsigned : i32
  chi.store %n, %f[%r25 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  // The smallest number has no negative, but a rest.
  %r26 = chi.floormod %bottom, %m1 : i32
  chi.store %n, %f[%r26 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['0']}}
  %r27 = arith.remsi %bottom, %m1 : i32
  chi.store %n, %f[%r27 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['0']}}
  %r28 = chi.floordiv %bottom, %m1 : i32
  chi.store %n, %f[%r28 : i32] : i32, !chi.field<?xi32>
  // By zero.
  %r29 = chi.floordiv %c7, %c0 : i32
  chi.store %n, %f[%r29 : i32] : i32, !chi.field<?xi32>
  %r30 = chi.floormod %c7, %c0 : i32
  chi.store %n, %f[%r30 : i32] : i32, !chi.field<?xi32>
  %r31 = arith.divsi %c7, %c0 : i32
  chi.store %n, %f[%r31 : i32] : i32, !chi.field<?xi32>
  %r32 = arith.remsi %c7, %c0 : i32
  chi.store %n, %f[%r32 : i32] : i32, !chi.field<?xi32>
  %r33 = arith.divui %c7, %c0 : i32
  chi.store %n, %f[%r33 : i32] : i32, !chi.field<?xi32>
  %r34 = arith.remui %c7, %c0 : i32
  chi.store %n, %f[%r34 : i32] : i32, !chi.field<?xi32>
  // Unsigned, -7 and -2 are large.
  %r35 = arith.divui %m7, %c2 : i32
  chi.store %n, %f[%r35 : i32] : i32, !chi.field<?xi32>
  %r36 = arith.remui %m7, %c2 : i32
  chi.store %n, %f[%r36 : i32] : i32, !chi.field<?xi32>
  %r37 = chi.floordiv %c7, %m2 unsigned : i32
  chi.store %n, %f[%r37 : i32] : i32, !chi.field<?xi32>
  %r38 = chi.floormod %m7, %c2 unsigned : i32
  chi.store %n, %f[%r38 : i32] : i32, !chi.field<?xi32>
  chi.next
}

// -----

// Bits and shifts; one past the width has no value.
chi.task @bits (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c12 = arith.constant 12 : i32
  %c10 = arith.constant 10 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %m1 = arith.constant -1 : i32
  %m8 = arith.constant -8 : i32
  %r39 = arith.andi %c12, %c10 : i32
  chi.store %n, %f[%r39 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['8']}}
  %r40 = arith.ori %c12, %c10 : i32
  chi.store %n, %f[%r40 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['14']}}
  %r41 = arith.xori %c12, %c10 : i32
  chi.store %n, %f[%r41 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['6']}}
  %r42 = arith.andi %m8, %c12 : i32
  chi.store %n, %f[%r42 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['8']}}
  %r43 = arith.xori %m1, %c5 : i32
  chi.store %n, %f[%r43 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-6']}}
  %r44 = arith.shli %c5, %c3 : i32
  chi.store %n, %f[%r44 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['40']}}
  %r45 = arith.shli %c1, %c31 : i32
  chi.store %n, %f[%r45 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-2147483648']}}
  %r46 = arith.shli %c3, %c31 : i32
  chi.store %n, %f[%r46 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-2147483648']}}
  %r47 = arith.shrsi %m8, %c1 : i32
  chi.store %n, %f[%r47 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-4']}}
  %r48 = arith.shrsi %m8, %c31 : i32
  chi.store %n, %f[%r48 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-1']}}
  %r49 = arith.shrui %c12, %c1 : i32
  chi.store %n, %f[%r49 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['6']}}
  // 2147483644, which is left out.
  %r50 = arith.shrui %m8, %c1 : i32
  chi.store %n, %f[%r50 : i32] : i32, !chi.field<?xi32>
  // Past the width and backwards.
  %r51 = arith.shli %c1, %c32 : i32
  chi.store %n, %f[%r51 : i32] : i32, !chi.field<?xi32>
  %r52 = arith.shrsi %m8, %c32 : i32
  chi.store %n, %f[%r52 : i32] : i32, !chi.field<?xi32>
  %r53 = arith.shli %c1, %m1 : i32
  chi.store %n, %f[%r53 : i32] : i32, !chi.field<?xi32>
  %r54 = arith.minsi %m8, %c5 : i32
  chi.store %n, %f[%r54 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-8']}}
  %r55 = arith.maxsi %m8, %c5 : i32
  chi.store %n, %f[%r55 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['5']}}
  // Left out, as powers are.
  %r56 = arith.minui %m8, %c5 : i32
  chi.store %n, %f[%r56 : i32] : i32, !chi.field<?xi32>
  %r57 = arith.maxui %c12, %c5 : i32
  chi.store %n, %f[%r57 : i32] : i32, !chi.field<?xi32>
  %r58 = chi.ipow %c3, %c5 : i32
  chi.store %n, %f[%r58 : i32] : i32, !chi.field<?xi32>
  chi.next
}
