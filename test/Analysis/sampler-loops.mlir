// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-sampler --split-input-file --verify-diagnostics

// A loop is followed for 16 turns; what it carries is not known then.
func.func @launches(%f: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @long(%f : !chi.field<64xi32>) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @long (%f: !chi.field<64xi32>) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c14 = arith.constant 14 : i32
  %c16 = arith.constant 16 : i32
  %c17 = arith.constant 17 : i32
  %all = scf.for %k = %c0 to %c16 step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %late = arith.cmpi sge, %k, %c14 : i32
    scf.if %late {
      // expected-remark @below {{touches ['14']}}
      // expected-remark @below {{touches ['15']}}
      chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
    }
    scf.yield %k : i32
  }
  chi.store %i, %f[%all : i32] : i32, !chi.field<64xi32> // expected-remark {{touches ['15']}}
  %some = scf.for %k = %c0 to %c17 step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %late = arith.cmpi sge, %k, %c14 : i32
    scf.if %late {
      // expected-remark @below {{touches ['14']}}
      // expected-remark @below {{touches ['15']}}
      chi.store %i, %f[%k : i32] : i32, !chi.field<64xi32>
    }
    scf.yield %k : i32
  }
  chi.store %i, %f[%some : i32] : i32, !chi.field<64xi32>
  chi.next
}

// -----

// A while, as long as its condition is known; its results may be others than
// what it carries.
func.func @launches(%f: !chi.field<64xi32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @while(%f, %n : !chi.field<64xi32>, i32) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @while (%f: !chi.field<64xi32>, %n: i32) (%i: i32) {
  "ask.iteration"() {at = array<i64: 5>} : () -> ()
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c40 = arith.constant 40 : i32
  // 5, 2, 1, 0.
  %end, %twice = scf.while (%a = %i) : (i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %a, %c0 : i32
    %double = arith.muli %a, %c2 : i32
    scf.condition(%more) %a, %double : i32, i32
  } do {
  ^bb0(%b: i32, %c: i32):
    // expected-remark @below {{touches ['10']}}
    // expected-remark @below {{touches ['4']}}
    // expected-remark @below {{touches ['2']}}
    chi.store %i, %f[%c : i32] : i32, !chi.field<64xi32>
    %half = chi.floordiv %b, %c2 : i32
    scf.yield %half : i32
  }
  %there = arith.addi %end, %c40 : i32
  chi.store %i, %f[%there : i32] : i32, !chi.field<64xi32> // expected-remark {{touches ['40']}}
  // Not known how often: no turn.
  %open = scf.while (%a = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %a, %n : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    chi.store %i, %f[%b : i32] : i32, !chi.field<64xi32>
    %next = arith.addi %b, %c1 : i32
    scf.yield %next : i32
  }
  chi.store %i, %f[%open : i32] : i32, !chi.field<64xi32>
  // Up to a loaded value: the first iteration, if it is known to be executed.
  %found = scf.while (%a = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %a, %c2 : i32
    scf.condition(%more) %a : i32
  } do {
  ^bb0(%b: i32):
    %v = chi.load %f[%b : i32] : !chi.field<64xi32> -> i32 // expected-remark {{touches ['0']}}
    scf.yield %v : i32
  }
  chi.store %i, %f[%found : i32] : i32, !chi.field<64xi32>
  // Without end: 16 turns.
  %never = scf.while (%a = %c0) : (i32) -> i32 {
    %true = arith.constant true
    scf.condition(%true) %a : i32
  } do {
  ^bb0(%b: i32):
    %next = arith.addi %b, %c1 : i32
    scf.yield %next : i32
  }
  chi.store %i, %f[%never : i32] : i32, !chi.field<64xi32>
  chi.next
}

// -----

// Too much work is given up, and nothing is followed after it.
func.func @launches(%f: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @work(%f : !chi.field<64xi32>) from (%c0 : i32) to (%c9 : i32)
  return
}
chi.task @work (%f: !chi.field<64xi32>) (%i: i32) {
  "ask.iteration"() {at = array<i64: 0>} : () -> () // expected-remark {{over the budget}}
  "ask.iteration"() {at = array<i64: 1>} : () -> () // expected-remark {{over the budget}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  chi.store %i, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{iteration ['0'] touches ['0']}}
  scf.for %a = %c0 to %c16 step %c1 : i32 {
    scf.for %b = %c0 to %c16 step %c1 : i32 {
      scf.for %c = %c0 to %c16 step %c1 : i32 {
        scf.for %d = %c0 to %c16 step %c1 : i32 {
          scf.for %e = %c0 to %c16 step %c1 : i32 {
            %sum = arith.addi %d, %e : i32
          }
        }
      }
    }
  }
  chi.store %i, %f[%c1 : i32] : i32, !chi.field<64xi32>
  chi.next
}
