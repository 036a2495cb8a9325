// RUN: chi-opt %s --chi-fold-branches | FileCheck %s

// A condition that folding finds constant; the loop behind it, which
// nothing reaches then, is erased before its blocks can be merged.
// CHECK-LABEL: func.func @never
func.func @never(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %none = arith.xori %n, %n : i32
  %is = arith.cmpi ne, %none, %c0 : i32
  // CHECK-NOT: cf.cond_br
  // CHECK:     cf.br ^[[END:.*]]
  // CHECK-NOT: arith.addi
  cf.cond_br %is, ^loop(%c0 : i32), ^end
^loop(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %n : i32
  cf.br ^loop(%next : i32)
  // CHECK: ^[[END]]:
^end:
  return %n : i32
}

// Of a branch with operands those of the side that is taken stay. A condition
// that is not constant does, too, and blocks are not merged.
// CHECK-LABEL: func.func @sides
// CHECK-SAME:    (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[B:.*]]: i32)
func.func @sides(%c: i1, %a: i32, %b: i32) -> i32 {
  %true = arith.constant true
  // CHECK-NEXT: cf.br ^[[NEXT:.*]](%[[A]] : i32)
  cf.cond_br %true, ^next(%a : i32), ^next(%b : i32)
  // CHECK: ^[[NEXT]](%[[V:.*]]: i32):
^next(%v: i32):
  // CHECK: cf.cond_br %[[C]]
  cf.cond_br %c, ^left, ^right
^left:
  return %v : i32
^right:
  return %a : i32
}
