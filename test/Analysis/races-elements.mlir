// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-races --split-input-file --verify-diagnostics

// Which elements iterations share. The domain is 0 … 7, or 0 … 7 twice.
func.func @launches(%x: !chi.field<64xf32>, %y: !chi.field<8x8xf32>, %k: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @own(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @shifted(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @far(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @mirrored(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @folded(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @clamped(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @wrapped(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @transposed(%y : !chi.field<8x8xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c8 : i32, i32)
  chi.launch @row(%x, %y : !chi.field<64xf32>, !chi.field<8x8xf32>) from (%c0, %c0 : i32, i32) to (%c8, %c8 : i32, i32)
  chi.launch @found(%x, %k : !chi.field<64xf32>, !chi.field<64xi32>) from (%c0 : i32) to (%c8 : i32)
  return
}
// Each its own.
chi.task @own (%x: !chi.field<64xf32>) (%i: i32) { // expected-remark {{no race}}
  %a = chi.load %x[%i : i32] : !chi.field<64xf32> -> f32
  %b = arith.addf %a, %a : f32
  chi.store %b, %x[%i : i32] : f32, !chi.field<64xf32>
  chi.next
}
// The neighbour's.
chi.task @shifted (%x: !chi.field<64xf32>) (%i: i32) {
  %c1 = arith.constant 1 : i32
  %next = arith.addi %i, %c1 : i32
  %a = chi.load %x[%next : i32] : !chi.field<64xf32> -> f32 // expected-remark {{race with it}}
  chi.store %a, %x[%i : i32] : f32, !chi.field<64xf32> // expected-remark {{race at}}
  chi.next
}
// As far as the domain is long: nobody's.
chi.task @far (%x: !chi.field<64xf32>) (%i: i32) { // expected-remark {{no race}}
  %c8 = arith.constant 8 : i32
  %there = arith.addi %i, %c8 : i32
  %a = chi.load %x[%there : i32] : !chi.field<64xf32> -> f32
  chi.store %a, %x[%i : i32] : f32, !chi.field<64xf32>
  chi.next
}
// 0 and 7 touch each other's.
chi.task @mirrored (%x: !chi.field<64xf32>) (%i: i32) {
  %c7 = arith.constant 7 : i32
  %there = arith.subi %c7, %i : i32
  %a = chi.load %x[%there : i32] : !chi.field<64xf32> -> f32 // expected-remark {{race with it}}
  chi.store %a, %x[%i : i32] : f32, !chi.field<64xf32> // expected-remark {{race at}}
  chi.next
}
// Two on one.
chi.task @folded (%x: !chi.field<64xf32>) (%i: i32) {
  %c2 = arith.constant 2 : i32
  %half = chi.floordiv %i, %c2 : i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%half : i32] : f32, !chi.field<64xf32> // expected-remark {{race at ['0'] of ['0'] and ['1'] by itself}}
  chi.next
}
// The last three on one.
chi.task @clamped (%x: !chi.field<64xf32>) (%i: i32) {
  %c5 = arith.constant 5 : i32
  %clamp = arith.minsi %i, %c5 : i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%clamp : i32] : f32, !chi.field<64xf32> // expected-remark {{race at ['5'] of}}
  chi.next
}
// Round the corner: still each its own, by 8; by 7 the last meets the first.
chi.task @wrapped (%x: !chi.field<64xf32>) (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c32 = arith.constant 32 : i32
  %next = arith.addi %i, %c1 : i32
  %v = arith.sitofp %i : i32 to f32
  %ring = chi.floormod %next, %c8 : i32
  %upper = arith.addi %ring, %c32 : i32
  chi.store %v, %x[%upper : i32] : f32, !chi.field<64xf32>
  %short = chi.floormod %next, %c7 : i32
  chi.store %v, %x[%short : i32] : f32, !chi.field<64xf32> // expected-remark {{race at ['1'] of ['0'] and ['7'] by itself}}
  chi.next
}
// (1, 2) reads what (2, 1) writes.
chi.task @transposed (%y: !chi.field<8x8xf32>) (%i: i32, %j: i32) {
  %a = chi.load %y[%j, %i : i32, i32] : !chi.field<8x8xf32> -> f32 // expected-remark {{race with it}}
  chi.store %a, %y[%i, %j : i32, i32] : f32, !chi.field<8x8xf32> // expected-remark {{race at}}
  chi.next
}
// All of a row on one, each with its own value.
chi.task @row (%x: !chi.field<64xf32>, %y: !chi.field<8x8xf32>) (%i: i32, %j: i32) {
  %a = chi.load %y[%i, %j : i32, i32] : !chi.field<8x8xf32> -> f32
  chi.store %a, %x[%i : i32] : f32, !chi.field<64xf32> // expected-remark {{by itself}}
  chi.next
}
// Where a field says: perhaps, so not for certain.
chi.task @found (%x: !chi.field<64xf32>, %k: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %at = chi.load %k[%i : i32] : !chi.field<64xi32> -> i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%at : i32] : f32, !chi.field<64xf32>
  chi.next
}

// -----

// How large the domain is. A distance of the program's own is tried, in a large
// domain too.
func.func @launches(%x: !chi.field<?xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c1000 = arith.constant 1000 : i32
  %few = arith.minsi %n, %c2 : i32
  chi.launch @large(%x : !chi.field<?xf32>) from (%c0 : i32) to (%c1000 : i32)
  chi.launch @single(%x : !chi.field<?xf32>) from (%c1 : i32) to (%c2 : i32)
  chi.launch @empty(%x : !chi.field<?xf32>) from (%c2 : i32) to (%c2 : i32)
  chi.launch @open(%x, %n : !chi.field<?xf32>, i32) from (%c0 : i32) to (%n : i32)
  chi.launch @few(%x : !chi.field<?xf32>) from (%c0 : i32) to (%few : i32)
  chi.launch @several(%x : !chi.field<?xf32>) from (%c0 : i32) to (%c1 : i32)
  chi.launch @several(%x : !chi.field<?xf32>) from (%c0 : i32) to (%c2 : i32)
  chi.launch @shared(%x, %n : !chi.field<?xf32>, i32) from (%n : i32) to (%c1000 : i32)
  chi.launch @serial(%x : !chi.field<?xf32>)
  return
}
chi.task @large (%x: !chi.field<?xf32>) (%i: i32) {
  %c37 = arith.constant 37 : i32
  %there = arith.addi %i, %c37 : i32
  %a = chi.load %x[%there : i32] : !chi.field<?xf32> -> f32 // expected-remark {{race with it}}
  chi.store %a, %x[%i : i32] : f32, !chi.field<?xf32> // expected-remark {{race at}}
  chi.next
}
chi.task @single (%x: !chi.field<?xf32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%c0 : i32] : f32, !chi.field<?xf32>
  chi.next
}
chi.task @empty (%x: !chi.field<?xf32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%c0 : i32] : f32, !chi.field<?xf32>
  chi.next
}
// An end that nothing is known of: several iterations are taken for granted.
chi.task @open (%x: !chi.field<?xf32>, %n: i32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%c0 : i32] : f32, !chi.field<?xf32> // expected-remark {{by itself}}
  chi.next
}
// At most two: 0 and 1 do not share an element, 0 and 2 would.
chi.task @few (%x: !chi.field<?xf32>) (%i: i32) { // expected-remark {{no race}}
  %c2 = arith.constant 2 : i32
  %v = arith.sitofp %i : i32 to f32
  %rest = chi.floormod %i, %c2 : i32
  chi.store %v, %x[%rest : i32] : f32, !chi.field<?xf32>
  chi.next
}
chi.task @several (%x: !chi.field<?xf32>) (%i: i32) { // expected-remark {{no race}}
  %c2 = arith.constant 2 : i32
  %v = arith.sitofp %i : i32 to f32
  %rest = chi.floormod %i, %c2 : i32
  chi.store %v, %x[%rest : i32] : f32, !chi.field<?xf32>
  chi.next
}
// From a number that is not known: n + 1 reads what n writes.
chi.task @shared (%x: !chi.field<?xf32>, %n: i32) (%i: i32) {
  %c1 = arith.constant 1 : i32
  %last = arith.subi %i, %c1 : i32
  %a = chi.load %x[%last : i32] : !chi.field<?xf32> -> f32 // expected-remark {{race with it}}
  chi.store %a, %x[%i : i32] : f32, !chi.field<?xf32> // expected-remark {{race at}}
  chi.next
}
chi.task @serial (%x: !chi.field<?xf32>) () { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%c0 : i32] : !chi.field<?xf32> -> f32
  chi.store %a, %x[%c0 : i32] : f32, !chi.field<?xf32>
  chi.next
}
