// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-sampler --split-input-file --verify-diagnostics

// Straight on: the indices of the iteration, behind the start of the domain.
func.func @launches(%f: !chi.field<?xf32>, %n: i32) attributes {chi.control} {
  %c4 = arith.constant 4 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @straight(%f, %n, %c9 : !chi.field<?xf32>, i32, i32) from (%c4, %n : i32, i32) to (%c9, %c9 : i32, i32)
  return
}
chi.task @straight (%f: !chi.field<?xf32>, %n: i32, %nine: i32) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  "ask.iteration"() {at = array<i64: 0, 2>} : () -> ()
  "ask.iteration"() {at = array<i64: 3, 0>} : () -> ()
  %c1 = arith.constant 1 : i32
  %next = arith.addi %i, %c1 : i32
  // expected-remark @below {{iteration ['4', 'c1 + 2'] touches ['4']}}
  // expected-remark @below {{iteration ['7', 'c1'] touches ['7']}}
  %a = chi.load %f[%i : i32] : !chi.field<?xf32> -> f32
  // expected-remark @below {{iteration ['4', 'c1 + 2'] touches ['5']}}
  // expected-remark @below {{iteration ['7', 'c1'] touches ['8']}}
  chi.store %a, %f[%next : i32] : f32, !chi.field<?xf32>
  // A start that is not known is a symbol that all share.
  %sum = arith.addi %j, %next : i32
  %away = arith.subi %j, %n : i32
  // expected-remark @below {{touches ['c1 + 7']}}
  // expected-remark @below {{touches ['c1 + 8']}}
  %b = chi.load %f[%sum : i32] : !chi.field<?xf32> -> f32
  // expected-remark @below {{touches ['2']}}
  // expected-remark @below {{touches ['0']}}
  %c = chi.load %f[%away : i32] : !chi.field<?xf32> -> f32
  // What all launches pass is known.
  // expected-remark @below {{['4', 'c1 + 2'] touches ['9']}}
  // expected-remark @below {{['7', 'c1'] touches ['9']}}
  %d = chi.load %f[%nine : i32] : !chi.field<?xf32> -> f32
  chi.next
}

// -----

// Guards: what is known to be taken is followed, what is not known is left out,
// and so is what comes out of it.
func.func @launches(%f: !chi.field<64xi32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @guards(%f, %n : !chi.field<64xi32>, i32) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @guards (%f: !chi.field<64xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 3>} : () -> ()
  "ask.iteration"() {at = array<i64: 7>} : () -> ()
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c10 = arith.constant 10 : i32
  %less = arith.cmpi slt, %i, %c4 : i32
  %at = scf.if %less -> (i32) {
    chi.store %i, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['3'] touches ['3']}}
    scf.yield %c10 : i32
  } else {
    chi.store %i, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['7'] touches ['7']}}
    scf.yield %i : i32
  }
  // expected-remark @below {{iteration ['3'] touches ['10']}}
  // expected-remark @below {{iteration ['7'] touches ['7']}}
  chi.store %i, %f[%at : i32] : i32, !chi.field<64xi32>
  %some = arith.cmpi slt, %i, %n : i32
  %open = scf.if %some -> (i32) {
    chi.store %i, %f[%i : i32] : i32, !chi.field<64xi32>
    scf.yield %c1 : i32
  } else {
    scf.yield %c4 : i32
  }
  chi.store %i, %f[%open : i32] : i32, !chi.field<64xi32>
  // What is loaded is not known, nor what an atomic operation returns.
  // expected-remark @below {{['3'] touches ['1']}}
  // expected-remark @below {{['7'] touches ['1']}}
  %v = chi.load %f[%c1 : i32] : !chi.field<64xi32> -> i32
  chi.store %i, %f[%v : i32] : i32, !chi.field<64xi32>
  // expected-remark @below {{['3'] touches ['4']}}
  // expected-remark @below {{['7'] touches ['4']}}
  %w = chi.atomic add %c1, %f[%c4 : i32] : i32, !chi.field<64xi32> -> i32
  chi.store %i, %f[%w : i32] : i32, !chi.field<64xi32>
  // One side decides alone; with the other it does not.
  %or = arith.ori %some, %less : i1
  scf.if %or {
    chi.store %i, %f[%c10 : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['3'] touches ['10']}}
  }
  %and = arith.andi %some, %less : i1
  scf.if %and {
  } else {
    chi.store %i, %f[%c10 : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['7'] touches ['10']}}
  }
  // Choices likewise.
  %pick = arith.select %less, %c1, %c10 : i32
  %unknown = arith.select %some, %c1, %c10 : i32
  // expected-remark @below {{['3'] touches ['1']}}
  // expected-remark @below {{['7'] touches ['10']}}
  chi.store %i, %f[%pick : i32] : i32, !chi.field<64xi32>
  chi.store %i, %f[%unknown : i32] : i32, !chi.field<64xi32>
  chi.next
}

// -----

// Counted loops turn by turn, with what they carry, if their length is known;
// the numbers themselves need not be.
func.func @launches(%f: !chi.field<64xi32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @loops(%f, %n : !chi.field<64xi32>, i32) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @loops (%f: !chi.field<64xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 2>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %sum = scf.for %k = %i to %c8 step %c3 iter_args(%a = %c1) -> (i32) : i32 {
    // expected-remark @below {{touches ['2']}}
    // expected-remark @below {{touches ['5']}}
    chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
    %next = arith.muli %a, %c3 : i32
    scf.yield %next : i32
  }
  chi.store %i, %f[%sum : i32] : i32, !chi.field<64xi32> // expected-remark {{touches ['9']}}
  // None: what went in comes out.
  %none = scf.for %k = %c8 to %c3 step %c1 iter_args(%a = %c3) -> (i32) : i32 {
    chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
    scf.yield %k : i32
  }
  chi.store %i, %f[%none : i32] : i32, !chi.field<64xi32> // expected-remark {{touches ['3']}}
  // n and n + 1.
  %n2 = arith.addi %n, %c3 : i32
  %n1 = arith.addi %n, %c1 : i32
  scf.for %k = %n1 to %n2 step %c1 : i32 {
    // expected-remark @below {{touches ['c1 + 1']}}
    // expected-remark @below {{touches ['c1 + 2']}}
    chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
  }
  // 0 to n, and one that counts as unsigned: how often is not known.
  %open = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c3) -> (i32) : i32 {
    chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
    scf.yield %a : i32
  }
  chi.store %i, %f[%open : i32] : i32, !chi.field<64xi32>
  scf.for unsigned %k = %c0 to %c3 step %c1 : i32 {
    chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
  }
  chi.next
}

// -----

// A branch in a loop, decided statically in the first iteration only: its
// result there must not be used for later iterations.
func.func @launches(%f: !chi.field<64xi32>, %g: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @stale(%f, %g : !chi.field<64xi32>, !chi.field<64xi32>) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @stale (%f: !chi.field<64xi32>, %g: !chi.field<64xi32>) (%i: i32) {
  "ask.iteration"() {at = array<i64: 5>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c30 = arith.constant 30 : i32
  %last = scf.for %k = %c0 to %c2 step %c1 iter_args(%state = %c0) -> (i32) : i32 {
    %first = arith.cmpi eq, %state, %c0 : i32
    %at = scf.if %first -> (i32) {
      scf.yield %c30 : i32
    } else {
      %v = chi.load %g[%i : i32] : !chi.field<64xi32> -> i32
      scf.yield %v : i32
    }
    // In the first iteration only: 31 would be that of the second one.
    %there = arith.addi %at, %k : i32
    chi.store %i, %f[%there : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['5'] touches ['30']}}
    // expected-remark @below {{iteration ['5'] touches ['0']}}
    // expected-remark @below {{iteration ['5'] touches ['1']}}
    %next = chi.load %g[%k : i32] : !chi.field<64xi32> -> i32
    scf.yield %next : i32
  }
  chi.store %i, %f[%last : i32] : i32, !chi.field<64xi32>
  chi.next
}
