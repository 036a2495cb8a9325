// Operations of recorded tasks report when they are at a tie or a kink.
// RUN: chi-opt %s --chi-note-kinks | FileCheck %s

!F = !chi.field<8xf64>

func.func @script(%x: !F, %y: !F, %L: !chi.field<f64>) attributes {chi.host} {
  %flags = arith.constant 0 : i32
  func.call @other(%x) : (!F) -> ()
  chi.rt "chirt_tape_begin"(%L, %flags) at "Tape" : (!chi.field<f64>, i32) -> ()
  func.call @k(%x, %y) : (!F, !F) -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
func.func @k(%x: !F, %y: !F) {
  %zero = arith.constant 0 : i32
  %n = arith.constant 8 : i32
  chi.launch @k.t0(%x, %y : !F, !F) from (%zero : i32) to (%n : i32)
  chi.launch @k.t1(%x : !F) from (%zero : i32) to (%n : i32)
  return
}
func.func @other(%x: !F) {
  %zero = arith.constant 0 : i32
  %n = arith.constant 8 : i32
  chi.launch @other.t0(%x : !F) from (%zero : i32) to (%n : i32)
  return
}

// CHECK-LABEL: chi.task @k.t0
// CHECK:         %[[X:.*]] = chi.load %arg0
// CHECK-NEXT:    %[[Y:.*]] = chi.load %arg1
// CHECK-NEXT:    %[[M:.*]] = arith.maxnumf %[[X]], %[[Y]]
// CHECK-NEXT:    %[[TIE:.*]] = arith.cmpf oeq, %[[X]], %[[Y]]
// CHECK-NEXT:    scf.if %[[TIE]] {
// CHECK-NEXT:      chi.note_kink "max"
// CHECK:         %[[A:.*]] = math.absf %[[M]]
// CHECK:         %[[AT_ZERO:.*]] = arith.cmpf oeq, %[[M]],
// CHECK-NEXT:    scf.if %[[AT_ZERO]] {
// CHECK-NEXT:      chi.note_kink "abs"
// CHECK:         math.floor %[[A]]
// CHECK:         %[[WHOLE:.*]] = math.floor %[[A]]
// CHECK-NEXT:    %[[JUMPS:.*]] = arith.cmpf oeq, %[[A]], %[[WHOLE]]
// CHECK-NEXT:    scf.if %[[JUMPS]] {
// CHECK-NEXT:      chi.note_kink "floor"
// CHECK:         arith.cmpf olt, %[[X]], %[[Y]]
// CHECK-NEXT:    %[[EDGE:.*]] = arith.cmpf oeq, %[[X]], %[[Y]]
// CHECK-NEXT:    scf.if %[[EDGE]] {
// CHECK-NEXT:      chi.note_kink "a comparison"
// A test for NaN is no kink.
// CHECK:         arith.cmpf uno, %[[X]], %[[X]]
// CHECK-NOT:     note_kink
// CHECK:         chi.next
chi.task @k.t0(%x: !F, %y: !F) over 0 (%i: i32) attributes {kernel = "k"} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %m = arith.maxnumf %a, %b : f64
  %s = math.absf %m : f64
  %f = math.floor %s : f64
  %less = arith.cmpf olt, %a, %b : f64
  %nan = arith.cmpf uno, %a, %a : f64
  %r = arith.select %less, %f, %s : f64
  %q = arith.select %nan, %f, %r : f64
  chi.store %q, %y[%i : i32] inbounds : f64, !F
  chi.next
}

// A power by a whole number is smooth at 0, and `trunc` has no jump there.
// CHECK-LABEL: chi.task @k.t1
// CHECK:         math.powf
// CHECK-NOT:     note_kink
// CHECK:         math.trunc %[[T:.*]] : f64
// CHECK:         arith.cmpf one, %[[T]],
// CHECK:         arith.andi
// CHECK:         chi.note_kink "trunc"
// CHECK:         math.powf %[[T]], %[[T]]
// CHECK:         chi.note_kink "**"
chi.task @k.t1(%x: !F) over 0 (%i: i32) attributes {kernel = "k"} {
  %three = arith.constant 3.0 : f64
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = math.powf %a, %three : f64
  %t = math.trunc %p : f64
  %q = math.powf %p, %p : f64
  %s = arith.addf %t, %q : f64
  chi.store %s, %x[%i : i32] inbounds : f64, !F
  chi.next
}

// What no tape records tells nothing.
// CHECK-LABEL: chi.task @other.t0
// CHECK-NOT:     note_kink
chi.task @other.t0(%x: !F) over 0 (%i: i32) attributes {kernel = "other"} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %s = math.absf %a : f64
  chi.store %s, %x[%i : i32] inbounds : f64, !F
  chi.next
}
