// RUN: chi-opt %s --convert-structured-to-branches --split-input-file | FileCheck %s

// Two conditions in a row, each in place of itself: what follows an operation
// stays behind it, in the order in which it was written.
// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1, %[[M:.*]]: memref<4xi32>
// CHECK-DAG: %[[I:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[X:.*]] = arith.constant 1 : i32
// CHECK: cf.cond_br %[[A]], ^[[THEN:bb[0-9]+]], ^[[NEXT:bb[0-9]+]]
// CHECK: ^[[THEN]]:
// CHECK-NEXT: memref.store %[[X]], %[[M]][%[[I]]]
// CHECK-NEXT: cf.br ^[[NEXT]]
// CHECK: ^[[NEXT]]:
// CHECK: %[[SEEN:.*]] = memref.load %[[M]]
// CHECK: cf.cond_br %[[B]], ^[[YES:bb[0-9]+]], ^[[NO:bb[0-9]+]]
// CHECK: ^[[YES]]:
// CHECK: arith.addi %[[SEEN]], %[[X]]
// CHECK: cf.br ^[[JOIN:bb[0-9]+]](
// CHECK: ^[[NO]]:
// CHECK: cf.br ^[[JOIN]](%[[SEEN]] : i32)
// CHECK: ^[[JOIN]](%[[R:.*]]: i32):
// CHECK: return %[[R]]
// CHECK-NOT: scf.
func.func @two(%a: i1, %b: i1, %m: memref<4xi32>) -> i32 {
  %i = arith.constant 0 : index
  %x = arith.constant 1 : i32
  scf.if %a {
    memref.store %x, %m[%i] : memref<4xi32>
  }
  %seen = memref.load %m[%i] : memref<4xi32>
  %r = scf.if %b -> i32 {
    %y = arith.addi %seen, %x : i32
    scf.yield %y : i32
  } else {
    scf.yield %seen : i32
  }
  return %r : i32
}

// -----

// Loops with what they hold, and a `while` behind them.
// CHECK-LABEL: func.func @nested
// CHECK: cf.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : index, i32)
// CHECK: ^[[HEAD]](%[[K:.*]]: index, %[[SUM:.*]]: i32):
// CHECK: arith.cmpi slt, %[[K]]
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK: cf.cond_br
// CHECK: cf.br ^[[HEAD]](
// CHECK: ^[[END]]:
// CHECK: cf.br ^[[AGAIN:bb[0-9]+]](%[[SUM]] : i32)
// CHECK: ^[[AGAIN]](%[[V:.*]]: i32):
// CHECK: cf.cond_br
// CHECK: cf.br ^[[AGAIN]](
// CHECK: return
// CHECK-NOT: scf.
func.func @nested(%n: index, %a: i1) -> i32 {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 100 : i32
  %sum = scf.for %k = %zero to %n step %step iter_args(%s = %none) -> i32 {
    %t = scf.if %a -> i32 {
      %u = arith.addi %s, %one : i32
      scf.yield %u : i32
    } else {
      scf.yield %s : i32
    }
    scf.yield %t : i32
  }
  %r = scf.while (%v = %sum) : (i32) -> i32 {
    %more = arith.cmpi slt, %v, %limit : i32
    scf.condition(%more) %v : i32
  } do {
  ^bb0(%v: i32):
    %w = arith.muli %v, %v : i32
    scf.yield %w : i32
  }
  return %r : i32
}

// -----

// What becomes loops first is lowered, too.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT: scf.
// CHECK: memref.store
// CHECK: return
func.func @parallel(%n: index, %m: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.parallel (%i) = (%zero) to (%n) step (%step) {
    memref.store %one, %m[%i] : memref<?xi32>
  }
  return
}
