// RUN: chi-opt %s --chi-launch-facts --chi-find-races --split-input-file --verify-diagnostics

// Red and black: the neighbours of one colour have the other.
chi.task @red (%x: !chi.field<32x32xf32>, %color: i32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c31 = arith.constant 31 : i32
  %s = arith.addi %i, %j : i32
  %m = chi.floormod %s, %c2 : i32
  %is = arith.cmpi eq, %m, %c1 : i32
  %low = arith.cmpi sgt, %i, %c0 : i32
  %ok = arith.andi %is, %low : i1
  scf.if %ok {
    %im = arith.subi %i, %c1 : i32
    %a = chi.load %x[%im, %j : i32, i32] : !chi.field<32x32xf32> -> f32
    chi.store %a, %x[%i, %j : i32, i32] : f32, !chi.field<32x32xf32>
  }
  // With a colour that is not known nothing is proved.
  %may = arith.cmpi eq, %m, %color : i32
  scf.if %may {
    %im = arith.subi %i, %c1 : i32
    %a = chi.load %x[%im, %j : i32, i32] : !chi.field<32x32xf32> -> f32
    chi.store %a, %x[%i, %j : i32, i32] : f32, !chi.field<32x32xf32>
  }
  chi.next
}

// -----

// Two steps away the colour is the same.
chi.task @wrong_red (%x: !chi.field<32x32xf32>) over 0 (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c30 = arith.constant 30 : i32
  %s = arith.addi %i, %j : i32
  %m = chi.floormod %s, %c2 : i32
  %is = arith.cmpi eq, %m, %c1 : i32
  %high = arith.cmpi slt, %i, %c30 : i32
  %ok = arith.andi %is, %high : i1
  scf.if %ok {
    %ip = arith.addi %i, %c2 : i32
    // expected-note @+1 {{the other access is here}}
    %a = chi.load %x[%ip, %j : i32, i32] {field_name = "x"} : !chi.field<32x32xf32> -> f32
    // expected-note@unknown {{`for … in serial(…):` runs the iterations one after the other}}
    // expected-error @+1 {{[E0410]}}
    chi.store %a, %x[%i, %j : i32, i32] {field_name = "x"} : f32, !chi.field<32x32xf32>
  }
  chi.next
}

// -----

// Transposing in place, and reversing.
chi.task @transpose (%x: !chi.field<32x32xf32>) over 0 (%i: i32, %j: i32) {
  // expected-note @+1 {{the other access is here}}
  %a = chi.load %x[%j, %i : i32, i32] : !chi.field<32x32xf32> -> f32
  // expected-error @+1 {{[E0410]}}
  chi.store %a, %x[%i, %j : i32, i32] : f32, !chi.field<32x32xf32>
  chi.next
}
chi.task @reverse (%x: !chi.field<1000xf32>) over 0 (%i: i32) {
  %c999 = arith.constant 999 : i32
  %r = arith.subi %c999, %i : i32
  // expected-note @+1 {{the other access is here}}
  %a = chi.load %x[%r : i32] : !chi.field<1000xf32> -> f32
  // expected-error @+1 {{[E0410]}}
  chi.store %a, %x[%i : i32] : f32, !chi.field<1000xf32>
  chi.next
}

// -----

// The domain of one launch has one iteration; scattered stores are not decided.
func.func @single(%y: !chi.field<f32>) attributes {chi.control} {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  chi.launch @single.t0(%y : !chi.field<f32>) from (%c3 : i32) to (%c4 : i32)
  return
}
chi.task @single.t0 (%y: !chi.field<f32>) (%i: i32) {
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %y[] : f32, !chi.field<f32>
  chi.next
}
chi.task @scattered (%x: !chi.field<8xf32>, %k: !chi.field<8xi32>) over 0 (%i: i32) {
  %j = chi.load %k[%i : i32] : !chi.field<8xi32> -> i32
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%j : i32] : f32, !chi.field<8xf32>
  chi.next
}

// -----

// An inner loop that reaches into the next iteration's part.
chi.task @blocks (%x: !chi.field<64xf32>, %y: !chi.field<16xf32>) over 1 (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  scf.for %k = %c0 to %c5 step %c1 : i32 {
    %f = arith.muli %i, %c3 : i32
    %p = arith.addi %f, %k : i32
    %v = arith.sitofp %k : i32 to f32
    %w = chi.load %y[%i : i32] : !chi.field<16xf32> -> f32
    // expected-error @+1 {{[E0410]}}
    chi.store %w, %x[%p : i32] : f32, !chi.field<64xf32>
  }
  chi.next
}
