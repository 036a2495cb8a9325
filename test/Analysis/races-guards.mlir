// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-races --split-input-file --verify-diagnostics

// Who does it: guards that are known for each iteration.
func.func @launches(%x: !chi.field<64xi32>, %n: i32) attributes {chi.control} {
  %c1 = arith.constant 1 : i32
  %c33 = arith.constant 33 : i32
  chi.launch @redBlack(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @redRed(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @first(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @firstRead(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @perhaps(%x, %n : !chi.field<64xi32>, i32) from (%c1 : i32) to (%c33 : i32)
  chi.launch @never(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @blocks(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  chi.launch @overlap(%x : !chi.field<64xi32>) from (%c1 : i32) to (%c33 : i32)
  return
}
// Even ones write, of odd ones.
chi.task @redBlack (%x: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %rest = chi.floormod %i, %c2 : i32
  %even = arith.cmpi eq, %rest, %c0 : i32
  scf.if %even {
    %next = arith.addi %i, %c1 : i32
    %last = arith.subi %i, %c1 : i32
    %a = chi.load %x[%next : i32] : !chi.field<64xi32> -> i32
    %b = chi.load %x[%last : i32] : !chi.field<64xi32> -> i32
    %c = arith.addi %a, %b : i32
    chi.store %c, %x[%i : i32] : i32, !chi.field<64xi32>
  }
  chi.next
}
// Even ones write, of even ones.
chi.task @redRed (%x: !chi.field<64xi32>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %rest = chi.floormod %i, %c2 : i32
  %even = arith.cmpi eq, %rest, %c0 : i32
  scf.if %even {
    %next = arith.addi %i, %c2 : i32
    %a = chi.load %x[%next : i32] : !chi.field<64xi32> -> i32 // expected-remark {{race with it}}
    chi.store %a, %x[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{race at}}
  }
  chi.next
}
// Only one: no other writes or reads.
chi.task @first (%x: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %is = arith.cmpi eq, %i, %c1 : i32
  scf.if %is {
    chi.store %i, %x[%c0 : i32] : i32, !chi.field<64xi32>
    %a = chi.load %x[%c0 : i32] : !chi.field<64xi32> -> i32
  }
  chi.next
}
// One writes what all read.
chi.task @firstRead (%x: !chi.field<64xi32>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %is = arith.cmpi eq, %i, %c1 : i32
  scf.if %is {
    chi.store %i, %x[%c0 : i32] : i32, !chi.field<64xi32> // expected-remark {{race at ['0'] of ['1'] and}}
  }
  %a = chi.load %x[%c0 : i32] : !chi.field<64xi32> -> i32 // expected-remark {{race with it}}
  chi.next
}
// A guard that the call decides: not for certain.
chi.task @perhaps (%x: !chi.field<64xi32>, %n: i32) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %is = arith.cmpi eq, %i, %n : i32
  scf.if %is {
    chi.store %i, %x[%c0 : i32] : i32, !chi.field<64xi32>
  }
  chi.next
}
chi.task @never (%x: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %is = arith.cmpi slt, %i, %c0 : i32
  scf.if %is {
    chi.store %i, %x[%c0 : i32] : i32, !chi.field<64xi32>
  }
  chi.next
}
// A loop in each: blocks of 2, of 2 elements or of 3.
chi.task @blocks (%x: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %start = arith.muli %i, %c2 : i32
  scf.for %k = %c0 to %c2 step %c1 : i32 {
    %at = arith.addi %start, %k : i32
    chi.store %i, %x[%at : i32] : i32, !chi.field<64xi32>
  }
  chi.next
}
chi.task @overlap (%x: !chi.field<64xi32>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %start = arith.muli %i, %c2 : i32
  scf.for %k = %c0 to %c3 step %c1 : i32 {
    %at = arith.addi %start, %k : i32
    chi.store %i, %x[%at : i32] : i32, !chi.field<64xi32> // expected-remark {{by itself}}
  }
  chi.next
}

// -----

// A place that is known in the first iteration of a loop only: in the second
// one it is loaded, and may differ between iterations.
func.func @launches(%x: !chi.field<64xi32>, %g: !chi.field<64xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  chi.launch @stale(%x, %g : !chi.field<64xi32>, !chi.field<64xi32>) from (%c0 : i32) to (%c16 : i32)
  return
}
chi.task @stale (%x: !chi.field<64xi32>, %g: !chi.field<64xi32>) (%i: i32) { // expected-remark {{no race}}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c30 = arith.constant 30 : i32
  scf.for %k = %c0 to %c2 step %c1 iter_args(%state = %c0) -> (i32) : i32 {
    %isFirst = arith.cmpi eq, %state, %c0 : i32
    %at = scf.if %isFirst -> (i32) {
      scf.yield %c30 : i32
    } else {
      %v = chi.load %g[%i : i32] : !chi.field<64xi32> -> i32
      scf.yield %v : i32
    }
    %isSecond = arith.cmpi eq, %k, %c1 : i32
    scf.if %isSecond {
      chi.store %i, %x[%at : i32] : i32, !chi.field<64xi32>
    }
    %next = chi.load %g[%i : i32] : !chi.field<64xi32> -> i32
    scf.yield %next : i32
  }
  chi.next
}
