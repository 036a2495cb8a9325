// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-accesses --split-input-file --verify-diagnostics

// Along one axis: what two iterations may both touch. The domain is 0 … 7.
func.func @launches(%f: !chi.field<64xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @scaled(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @scaled (%f: !chi.field<64xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %even = arith.muli %i, %c2 : i32
  %odd = arith.addi %even, %c1 : i32
  %mirror = arith.subi %c7, %i : i32
  // Even and odd elements never meet each other; but element 4, the even one of
  // iteration 2, is also the mirrored one of iteration 3.
  %a = chi.load %f[%even : i32] {as = "even"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['2 * i'].0, meets mirror;}}
  %b = chi.load %f[%odd : i32] {as = "odd"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['2 * i + 1'].0, meets mirror;}}
  %c = chi.load %f[%mirror : i32] {as = "mirror"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['-i + 7'].0, meets even odd;}}
  "ask.single"() : () -> () // expected-remark {{many}}
  chi.next
}

// -----

// Neighbours: i and i + 1 meet; i and i + 8 never, but the distance is not
// compared with the whole domain.
func.func @launches(%f: !chi.field<64xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @shifted(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @shifted (%f: !chi.field<64xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %next = arith.addi %i, %c1 : i32
  %far = arith.addi %i, %c8 : i32
  %a = chi.load %f[%i : i32] {as = "own"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i'].0, meets next far;}}
  %b = chi.load %f[%next : i32] {as = "next"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i + 1'].0, meets own far;}}
  %c = chi.load %f[%far : i32] {as = "far"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i + 8'].0, meets own next;}}
  chi.next
}

// -----

// One element for several iterations: a constant, a half, a rest, a clamp, what
// another field says. Each meets itself; two constants do not meet each other.
func.func @launches(%f: !chi.field<64xf32>, %g: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @one(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @folded(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @rest(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @clamped(%f : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @other(%f, %g : !chi.field<64xf32>, !chi.field<64xi32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @one (%f: !chi.field<64xf32>) (%i: i32) {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %a = chi.load %f[%c3 : i32] {as = "three"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['3'].0, meets three;}}
  %b = chi.load %f[%c4 : i32] {as = "four"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['4'].0, meets four;}}
  chi.next
}
chi.task @folded (%f: !chi.field<64xf32>) (%i: i32) {
  %c2 = arith.constant 2 : i32
  %half = chi.floordiv %i, %c2 : i32
  %a = chi.load %f[%half : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['floordiv'].0, meets #0;}}
  chi.next
}
chi.task @rest (%f: !chi.field<64xf32>) (%i: i32) {
  // By 4 it meets; by 8 it does not, which is not seen.
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %rest = chi.floormod %i, %c4 : i32
  %same = chi.floormod %i, %c8 : i32
  %a = chi.load %f[%rest : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['floormod'].0, meets #0 #1;}}
  %b = chi.load %f[%same : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['floormod'].0, meets #0 #1;}}
  chi.next
}
chi.task @clamped (%f: !chi.field<64xf32>) (%i: i32) {
  %c5 = arith.constant 5 : i32
  %clamp = arith.minsi %i, %c5 : i32
  %a = chi.load %f[%clamp : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['minsi'].0, meets #0;}}
  chi.next
}
chi.task @other (%f: !chi.field<64xf32>, %g: !chi.field<64xi32>) (%i: i32) attributes {axes = ["i"]} {
  %k = chi.load %g[%i : i32] : !chi.field<64xi32> -> i32 // expected-remark {{load c1['i'].0, apart;}}
  %a = chi.load %f[%k : i32] {as = "a"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['load'].0, meets a;}}
  chi.next
}

// -----

// Captured numbers are the same in all iterations: i + n is one element each.
// Two that differ by unknown numbers may meet, unless they are one.
func.func @launches(%f: !chi.field<?xf32>, %n: i64, %m: i64) attributes {chi.control} {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  chi.launch @captured(%f, %n, %m, %n : !chi.field<?xf32>, i64, i64, i64) from (%c0 : i64) to (%c8 : i64)
  return
}
chi.task @captured (%f: !chi.field<?xf32>, %n: i64, %m: i64, %again: i64) (%i: i64) attributes {axes = ["i"]} {
  %a = arith.addi %i, %n overflow<nsw> : i64
  %b = arith.addi %i, %m overflow<nsw> : i64
  %c = arith.addi %again, %i overflow<nsw> : i64
  %d = arith.muli %i, %n overflow<nsw> : i64
  %0 = chi.load %f[%a : i64] {as = "n"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['c1 + i'].0, meets m times;}}
  %1 = chi.load %f[%b : i64] {as = "m"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['c2 + i'].0, meets n again times;}}
  %2 = chi.load %f[%c : i64] {as = "again"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['c1 + i'].0, meets m times;}}
  // n may be 0.
  %3 = chi.load %f[%d : i64] {as = "times"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['muli'].0, meets n m again times;}}
  chi.next
}

// -----

// A sum that wraps is no sum: 2^31 * i is 0 for every second i.
func.func @launches(%f: !chi.field<64xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @wraps(%f : !chi.field<64xf32>) from (%c0 : i32) to (%n : i32)
  return
}
chi.task @wraps (%f: !chi.field<64xf32>) (%i: i32) attributes {axes = ["i"]} {
  %bit = arith.constant -2147483648 : i32
  %c16 = arith.constant 16 : i32
  %x = arith.muli %i, %bit : i32
  %y = arith.muli %i, %c16 : i32
  %a = chi.load %f[%x : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['muli'].0, meets #0 #1 #2;}}
  %b = chi.load %f[%y : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['muli'].0, meets #0 #1 #2;}}
  // In 64 bits it is one.
  %wide = arith.extsi %i : i32 to i64
  %l16 = arith.constant 16 : i64
  %z = arith.muli %wide, %l16 : i64
  %c = chi.load %f[%z : i64] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['16 * i'].0, meets #0 #1;}}
  chi.next
}

// -----

// Of 64 bits, with nothing known of the domain: left open, though it is apart.
chi.task @unknown (%f: !chi.field<64xf32>) (%i: i64) attributes {axes = ["i"]} {
  %a = chi.load %f[%i : i64] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i'].0, meets #0;}}
  chi.next
}
chi.task @narrow (%f: !chi.field<64xf32>) (%i: i32) attributes {axes = ["i"]} {
  %a = chi.load %f[%i : i32] : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i'].0, apart;}}
  chi.next
}
