// RUN: chi-opt %s --allow-unregistered-dialect --chi-test-sampler --split-input-file --verify-diagnostics

// Casts: a number that does not fit is cut; one without its sign is left out if
// it has one.
chi.task @casts (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c300 = arith.constant 300 : i32
  %m3 = arith.constant -3 : i32
  %c200 = arith.constant 200 : i32
  %b5 = arith.constant 5 : i8
  %bm5 = arith.constant -5 : i8
  %true = arith.constant true
  %r59 = arith.trunci %c300 : i32 to i8
  chi.store %n, %f[%r59 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['44']}}
  %r60 = arith.trunci %c200 : i32 to i8
  chi.store %n, %f[%r60 : i8] : i32, !chi.field<?xi32> // expected-remark {{touches ['-56']}}
  %r61 = arith.extsi %m3 : i32 to i64
  chi.store %n, %f[%r61 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['-3']}}
  %r62 = arith.extui %c200 : i32 to i64
  chi.store %n, %f[%r62 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['200']}}
  %r63 = arith.extsi %bm5 : i8 to i32
  chi.store %n, %f[%r63 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-5']}}
  // 251.
  %r64 = arith.extui %bm5 : i8 to i32
  chi.store %n, %f[%r64 : i32] : i32, !chi.field<?xi32>
  %r65 = arith.extui %b5 : i8 to i32
  chi.store %n, %f[%r65 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['5']}}
  // From index and back it is cut, too.
  %large = arith.constant 4294967299 : index
  %cut = arith.index_cast %large : index to i32
  chi.store %n, %f[%cut : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['3']}}
  %index = arith.index_cast %n : i32 to index
  %long = arith.index_cast %index : index to i64
  chi.store %n, %f[%long : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['c1']}}
  %again = arith.index_cast %index : index to i32
  chi.store %n, %f[%again : i32] : i32, !chi.field<?xi32>
  // A truth value as a number is 1 without a sign, and left out with one.
  %r66 = arith.extui %true : i1 to i32
  chi.store %n, %f[%r66 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %r67 = arith.extsi %true : i1 to i32
  chi.store %n, %f[%r67 : i32] : i32, !chi.field<?xi32>
  chi.next
}

// -----

// Symbols: sums and multiples of what all iterations share; a product, quotient
// or cut of it is none.
chi.task @symbols (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %d = chi.dim %f, 0 : !chi.field<?xi32> -> i32
  %r68 = arith.addi %n, %c1 : i32
  chi.store %n, %f[%r68 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['c1 + 1']}}
  %r69 = arith.subi %c1, %n : i32
  chi.store %n, %f[%r69 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['-c1 + 1']}}
  %r70 = arith.muli %n, %c2 : i32
  chi.store %n, %f[%r70 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['2 * c1']}}
  %r71 = arith.muli %c2, %d : i32
  chi.store %n, %f[%r71 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['2 * extent(c0, 0)']}}
  %r72 = arith.subi %n, %n : i32
  chi.store %n, %f[%r72 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['0']}}
  %r73 = arith.extsi %n : i32 to i64
  chi.store %n, %f[%r73 : i64] : i32, !chi.field<?xi32> // expected-remark {{touches ['c1']}}
  %r74 = arith.muli %n, %n : i32
  chi.store %n, %f[%r74 : i32] : i32, !chi.field<?xi32>
  %r75 = chi.floordiv %n, %c2 : i32
  chi.store %n, %f[%r75 : i32] : i32, !chi.field<?xi32>
  %r76 = chi.floormod %n, %c2 : i32
  chi.store %n, %f[%r76 : i32] : i32, !chi.field<?xi32>
  %r77 = arith.shli %n, %c1 : i32
  chi.store %n, %f[%r77 : i32] : i32, !chi.field<?xi32>
  %r78 = arith.trunci %n : i32 to i8
  chi.store %n, %f[%r78 : i8] : i32, !chi.field<?xi32>
  %r79 = arith.extui %n : i32 to i64
  chi.store %n, %f[%r79 : i64] : i32, !chi.field<?xi32>
  %r80 = arith.minsi %n, %c2 : i32
  chi.store %n, %f[%r80 : i32] : i32, !chi.field<?xi32>
  chi.next
}

// -----

// Comparisons: of numbers, and of symbols at a known distance. As unsigned only
// of numbers without a sign.
chi.task @comparisons (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  %m1 = arith.constant -1 : i32
  %next = arith.addi %n, %c1 overflow<nsw> : i32
  %t81 = arith.cmpi slt, %m1, %c2 : i32
  %r82 = arith.select %t81, %c10, %c1 : i32
  chi.store %n, %f[%r82 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t83 = arith.cmpi sle, %c2, %c2 : i32
  %r84 = arith.select %t83, %c10, %c1 : i32
  chi.store %n, %f[%r84 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t85 = arith.cmpi sgt, %c2, %c1 : i32
  %r86 = arith.select %t85, %c10, %c1 : i32
  chi.store %n, %f[%r86 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t87 = arith.cmpi sge, %m1, %c1 : i32
  %r88 = arith.select %t87, %c10, %c1 : i32
  chi.store %n, %f[%r88 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %t89 = arith.cmpi eq, %c2, %c2 : i32
  %r90 = arith.select %t89, %c10, %c1 : i32
  chi.store %n, %f[%r90 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t91 = arith.cmpi ne, %c2, %c2 : i32
  %r92 = arith.select %t91, %c10, %c1 : i32
  chi.store %n, %f[%r92 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %t93 = arith.cmpi ult, %c1, %c2 : i32
  %r94 = arith.select %t93, %c10, %c1 : i32
  chi.store %n, %f[%r94 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t95 = arith.cmpi ule, %c10, %c2 : i32
  %r96 = arith.select %t95, %c10, %c1 : i32
  chi.store %n, %f[%r96 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %t97 = arith.cmpi ugt, %c10, %c2 : i32
  %r98 = arith.select %t97, %c10, %c1 : i32
  chi.store %n, %f[%r98 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t99 = arith.cmpi uge, %c2, %c2 : i32
  %r100 = arith.select %t99, %c10, %c1 : i32
  chi.store %n, %f[%r100 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  // -1 is the largest unsigned number: left out.
  %t101 = arith.cmpi ult, %c1, %m1 : i32
  %r102 = arith.select %t101, %c10, %c1 : i32
  chi.store %n, %f[%r102 : i32] : i32, !chi.field<?xi32>
  // n and n + 1.
  %t103 = arith.cmpi slt, %n, %next : i32
  %r104 = arith.select %t103, %c10, %c1 : i32
  chi.store %n, %f[%r104 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t105 = arith.cmpi eq, %n, %next : i32
  %r106 = arith.select %t105, %c10, %c1 : i32
  chi.store %n, %f[%r106 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %t107 = arith.cmpi ne, %n, %next : i32
  %r108 = arith.select %t107, %c10, %c1 : i32
  chi.store %n, %f[%r108 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t109 = arith.cmpi sge, %n, %n : i32
  %r110 = arith.select %t109, %c10, %c1 : i32
  chi.store %n, %f[%r110 : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %t111 = arith.cmpi ult, %n, %next : i32
  %r112 = arith.select %t111, %c10, %c1 : i32
  chi.store %n, %f[%r112 : i32] : i32, !chi.field<?xi32>
  // n and a number.
  %t113 = arith.cmpi slt, %n, %c2 : i32
  %r114 = arith.select %t113, %c10, %c1 : i32
  chi.store %n, %f[%r114 : i32] : i32, !chi.field<?xi32>
  chi.next
}

// -----

// Truth values: as unsigned true is above false; as signed it is -1, and below.
chi.task @truths (%f: !chi.field<?xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %above = arith.cmpi ugt, %true, %false : i1
  %a = arith.select %above, %c10, %c1 : i32
  chi.store %n, %f[%a : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  %same = arith.cmpi eq, %true, %false : i1
  %b = arith.select %same, %c10, %c1 : i32
  chi.store %n, %f[%b : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %signed = arith.cmpi sgt, %true, %false : i1
  %c = arith.select %signed, %c10, %c1 : i32
  chi.store %n, %f[%c : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['1']}}
  %signed2 = arith.cmpi sle, %true, %false : i1
  %d = arith.select %signed2, %c10, %c1 : i32
  chi.store %n, %f[%d : i32] : i32, !chi.field<?xi32> // expected-remark {{touches ['10']}}
  chi.next
}
