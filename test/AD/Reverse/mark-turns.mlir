// Loops of a kernel that launch tell tapes where their turns begin, if a task
// of the kernel has an adjoint.
// RUN: chi-opt %s --chi-mark-turns | FileCheck %s

chi.task @square(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<task = @square.adj>, axes = ["i"], kernel = "k"} {
  %1 = chi.load %x[%i : i32] : <8xf32> -> f32
  %2 = arith.mulf %1, %1 : f32
  chi.store %2, %x[%i : i32] : f32, <8xf32>
  chi.next
}
chi.task @square.adj(%x: !chi.field<8xf32>, %bar: !chi.field<8xf32>) over 0 (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1>, axes = ["i"], kernel = "k"} {
  chi.next
}
chi.task @other(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {axes = ["i"], kernel = "plain"} {
  chi.next
}

// CHECK-LABEL: func.func @k
func.func @k(%x: !chi.field<8xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  // CHECK: %[[END:.*]] = arith.extsi %arg1 : i32 to i64
  // CHECK: %[[BEGIN:.*]] = arith.extsi
  // CHECK: %[[TURNS:.*]] = arith.subi %[[END]], %[[BEGIN]]
  // CHECK: chi.rt "chirt_tape_loop"(%[[TURNS]]) at "loop"
  // CHECK: scf.for
  // CHECK-NEXT: chi.rt "chirt_tape_turn"() at "loop"
  scf.for %t = %c0 to %n step %c1 : i32 {
    // CHECK: %[[NOT:.*]] = arith.constant -1
    // CHECK: chi.rt "chirt_tape_loop"(%[[NOT]])
    // CHECK: scf.for
    // CHECK-NEXT: chi.rt "chirt_tape_turn"
    scf.for %s = %c0 to %n step %c2 : i32 {
      chi.launch @square(%x : !chi.field<8xf32>) from(%c0 : i32) to(%c8 : i32)
    }
    // What launches nothing needs none.
    // CHECK-NOT: chirt_tape
    // CHECK: scf.for
    // CHECK-NOT: chirt_tape
    scf.for %s = %c0 to %n step %c1 : i32 {
    }
  }
  // CHECK: chi.rt "chirt_tape_loop"
  // CHECK: scf.while
  // CHECK: do
  // CHECK-NEXT: chi.rt "chirt_tape_turn"
  scf.while : () -> () {
    %go = arith.cmpi slt, %c0, %n : i32
    scf.condition(%go)
  } do {
    chi.launch @square(%x : !chi.field<8xf32>) from(%c0 : i32) to(%c8 : i32)
    scf.yield
  }
  return
}

// CHECK-LABEL: func.func @plain
// CHECK-NOT: chirt_tape
func.func @plain(%x: !chi.field<8xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %t = %c0 to %n step %c1 : i32 {
    chi.launch @other(%x : !chi.field<8xf32>) from(%c0 : i32) to(%c8 : i32)
  }
  return
}
