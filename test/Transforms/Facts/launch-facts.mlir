// RUN: chi-opt %s --chi-launch-facts | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts > %t && chi-opt %t --chi-launch-facts | diff %t -

!F = !chi.field<?x?xf32>
chi.global @a : !F {noalias}
chi.global @b : !F {noalias}
chi.global @c : !F

// Bounds and integers as ranges, and as sums of what else is passed. Of one
// value passed twice the second is the first; that it is itself is no news.
// CHECK-LABEL: chi.task @once
// CHECK-SAME:    facts = #chi.facts<from = [= 0, -2147483646 to 2147483647 = 2 + arg(1)], to = [0 to 2147483647 = dim(0, 0), 0 to 2147483647 = dim(0, 1)], inputs = [?, ?, = arg(1), 0 to 2147483647 = dim(0, 1), = 7, ?]>
chi.task @once(%x: !F, %n: i32, %m: i32, %w: i32, %k: i32, %on: i1) (%i: i32, %j: i32) {
  chi.next
}
func.func @one(%x: !F, %n: i32, %p: i1) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %h = chi.dim %x, 0 : !F -> i32
  %w = chi.dim %x, 1 : !F -> i32
  %from = arith.addi %n, %c2 overflow<nsw> : i32
  chi.launch @once(%x, %n, %n, %w, %c7, %p : !F, i32, i32, i32, i32, i1)
    from (%c0, %from : i32, i32) to (%h, %w : i32, i32)
  return
}

// Of several launches what they have in common.
// CHECK-LABEL: chi.task @twice
// CHECK-SAME:    facts = #chi.facts<from = [= 0], to = [5 to 9], inputs = [?, 3 to 4]>
chi.task @twice(%x: !F, %n: i32) (%i: i32) {
  chi.next
}
func.func @two(%x: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c9 = arith.constant 9 : i32
  chi.launch @twice(%x, %c3 : !F, i32) from (%c0 : i32) to (%c5 : i32)
  chi.launch @twice(%x, %c4 : !F, i32) from (%c0 : i32) to (%c9 : i32)
  return
}

// What guards the launch counts.
// CHECK-LABEL: chi.task @guarded
// CHECK-SAME:    facts = #chi.facts<from = [= 0], to = [1 to 100 = arg(0)], inputs = [1 to 100]>
chi.task @guarded(%n: i32) (%i: i32) {
  chi.next
}
func.func @guard(%n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %some = arith.cmpi sgt, %n, %c0 : i32
  %few = arith.cmpi sle, %n, %c100 : i32
  %both = arith.andi %some, %few : i1
  scf.if %both {
    chi.launch @guarded(%n : i32) from (%c0 : i32) to (%n : i32)
  }
  return
}

// Variables of which each has a field of its own, and cells; another variable
// may hold the field of any, and one that is passed twice is listed once.
// CHECK-LABEL: chi.task @fields
// CHECK-SAME:    facts = #chi.facts<inputs = [?, ?, ?, ?, ?], noalias = [0, 1], cells = [4]>
chi.task @fields(%a: !F, %b: !F, %c: !F, %d: !F, %s: !chi.field<f32>) () {
  chi.next
}
func.func @pass() attributes {chi.control} {
  %s = chi.cell "s" : !chi.field<f32>
  %a = chi.global_load @a : !F
  %b = chi.global_load @b : !F
  %c = chi.global_load @c : !F
  chi.launch @fields(%a, %b, %c, %a, %s : !F, !F, !F, !F, !chi.field<f32>)
  return
}

// A task that nobody launches here keeps what it says.
// CHECK-LABEL: chi.task @elsewhere
// CHECK-SAME:    facts = #chi.facts<from = [= 0], to = [= 8]>
// CHECK-LABEL: chi.task @unknown
// CHECK-NOT:     facts
chi.task @elsewhere() (%i: i32) attributes {facts = #chi.facts<from = [= 0], to = [= 8]>} {
  chi.next
}
chi.task @unknown() (%i: i32) {
  chi.next
}
