// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Wrapping and clamping matter at the ends of a row; between them the index is
// what it was, and conditions are known.
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK:         scf.for %{{.*}} = %{{.*}} to
// The middle.
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to
// CHECK-NOT:         arith.remsi
// CHECK-NOT:         arith.minsi
// CHECK:             %[[L:.*]] = arith.subi %[[J]], %{{.*}} : i32
// CHECK:             %[[R:.*]] = arith.addi %[[J]], %{{.*}} : i32
// CHECK:             %[[LI:.*]] = arith.index_cast %[[L]] : i32 to index
// CHECK:             memref.load
// CHECK:             %[[RI:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK:             memref.load
// CHECK:             scf.if %true
// Both edges: j = 0, then j = 299.
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %c2_i32
// CHECK:             %[[IS_LEFT:.*]] = arith.cmpi slt, %[[K]], %c1_i32
// CHECK:             %[[LAST:.*]] = arith.addi %[[K]], %c298_i32
// CHECK:             arith.select %[[IS_LEFT]], %[[K]], %[[LAST]]
// CHECK:             arith.remsi
// CHECK:           } {llvm.loop_annotation
// CHECK-NOT:       scf.for
// Where the fields overlap, one loop does.
// CHECK-LABEL: func.func private @k.t0.may_alias(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// What counts in which order its sums come keeps it.
// CHECK-LABEL: func.func private @k.t1.body(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             arith.remsi
// CHECK:           } {llvm.loop_annotation
// CHECK:           scf.for
// CHECK-NOT:         arith.remsi
// CHECK:           scf.for
// CHECK:             arith.remsi
// CHECK:           } {llvm.loop_annotation
// What a window adds is a constant of each turn: its edges are as wide as the
// window reaches.
// CHECK-LABEL: func.func private @k.t2.body(
// CHECK:           scf.for %[[J:[a-z0-9]*]] = %c1_i32{{[_0-9]*}} to %c299_i32
// CHECK:             scf.for %[[D:[a-z0-9]*]] = %c-1_i32 to %c2_i32
// CHECK-NOT:           arith.remsi
// CHECK:               arith.addi %[[D]], %[[J]] : i32
// CHECK-NOT:           arith.remsi
// CHECK:               memref.load
// CHECK:           scf.for %{{.*}} = %{{.*}} to %c2_i32
// CHECK:               arith.remsi
// A sum that may wrap in its type says nothing about the variable.
// CHECK-LABEL: func.func private @k.t3.body(
// CHECK:           scf.for %[[J:[a-z0-9]*]] = %c2147483346_i32
// CHECK:             %[[SUM:.*]] = arith.addi %[[J]], %c8_i32 : i32
// CHECK:             arith.minsi %[[SUM]], %c100_i32 : i32
// An edge further from the first iteration than 64 bits count is none.
// CHECK-LABEL: func.func private @k.t4.body(
// CHECK:           scf.for %[[J:[a-z0-9]*]] = %c-9223372036854775808_i64
// CHECK:             arith.maxsi %[[J]], %c5_i64 : i64
// CHECK-NOT:       scf.for
// CHECK-LABEL: func.func private @k.t4.may_alias(
!F = !chi.field<100x300xf32>
chi.task @k.t0(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %n = arith.constant 300 : i32
  %last = arith.constant 299 : i32
  %left = arith.subi %j, %one : i32
  %wrapped = chi.floormod %left, %n : i32
  %right = arith.addi %j, %one : i32
  %low = arith.maxsi %right, %zero : i32
  %clamped = arith.minsi %low, %last : i32
  %inside = arith.cmpi sgt, %j, %zero : i32
  %a = chi.load %x[%i, %wrapped : i32, i32] inbounds : !F -> f32
  %b = chi.load %x[%i, %clamped : i32, i32] inbounds : !F -> f32
  %c = scf.if %inside -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  %s = arith.addf %c, %b : f32
  chi.store %s, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
chi.task @k.t1(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %one = arith.constant 1 : i32
  %n = arith.constant 300 : i32
  %left = arith.subi %j, %one : i32
  %wrapped = chi.floormod %left, %n : i32
  %right = arith.addi %j, %one : i32
  %low = chi.floormod %right, %n : i32
  %a = chi.load %x[%i, %wrapped : i32, i32] inbounds : !F -> f32
  chi.accum add %a, %y[%i, %low : i32, i32] inbounds strategy(atomic) : f32, !F
  chi.next
}
chi.task @k.t2(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1 : i32
  %high = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 300 : i32
  %sum = scf.for %d = %low to %high step %one iter_args(%s = %zero) -> f32 : i32 {
    %at = arith.addi %d, %j : i32
    %wrapped = chi.floormod %at, %n : i32
    %a = chi.load %x[%i, %wrapped : i32, i32] inbounds : !F -> f32
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  chi.store %sum, %y[%i, %j : i32, i32] inbounds : f32, !F
  chi.next
}
chi.task @k.t3(%x: !F, %y: !F) (%i: i32, %j: i32)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %eight = arith.constant 8 : i32
  %most = arith.constant 100 : i32
  %first = arith.constant 2147483345 : i32
  %at = arith.addi %j, %eight : i32
  %bounded = arith.minsi %at, %most : i32
  %is_first = arith.cmpi eq, %j, %first : i32
  %a = chi.load %x[%i, %bounded : i32, i32] inbounds : !F -> f32
  %b = arith.addf %a, %a : f32
  %c = arith.select %is_first, %a, %b : f32
  %to = arith.subi %j, %first : i32
  chi.store %c, %y[%i, %to : i32, i32] inbounds : f32, !F
  chi.next
}
chi.task @k.t4(%x: !F, %y: !F) (%i: i32, %j: i64)
    attributes {kernel = "k", axes = ["i", "j"]} {
  %five = arith.constant 5 : i64
  %first = arith.constant -9223372036854775808 : i64
  %bounded = arith.maxsi %j, %five : i64
  %a = chi.load %x[%i, %bounded : i32, i64] inbounds : !F -> f32
  %to = arith.subi %j, %first : i64
  chi.store %a, %y[%i, %to : i32, i64] inbounds : f32, !F
  chi.next
}
func.func @k(%x: !F, %y: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %c300 = arith.constant 300 : i32
  chi.launch @k.t0(%x, %y : !F, !F) from (%c0, %c0 : i32, i32)
    to (%c100, %c300 : i32, i32)
  chi.launch @k.t1(%x, %y : !F, !F) from (%c0, %c0 : i32, i32)
    to (%c100, %c300 : i32, i32)
  chi.launch @k.t2(%x, %y : !F, !F) from (%c0, %c0 : i32, i32)
    to (%c100, %c300 : i32, i32)
  %first = arith.constant 2147483345 : i32
  %end = arith.constant 2147483645 : i32
  chi.launch @k.t3(%x, %y : !F, !F) from (%c0, %first : i32, i32)
    to (%c100, %end : i32, i32)
  %least = arith.constant -9223372036854775808 : i64
  %after = arith.constant -9223372036854775508 : i64
  chi.launch @k.t4(%x, %y : !F, !F) from (%c0, %least : i32, i64)
    to (%c100, %after : i32, i64)
  return
}
