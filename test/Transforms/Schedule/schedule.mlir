// RUN: chi-opt %s --chi-launch-facts --chi-schedule | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-schedule > %t && chi-opt %t --chi-schedule | diff %t -
// RUN: chi-opt %s --chi-launch-facts --chi-schedule="without=whole-rows,tiles,loop-peeling,buffered-sums,grouped-sums,noalias,last-lane-group" | FileCheck %s --check-prefix=PLAIN

!L = !chi.field<1000xf32>
!M = !chi.field<?x?xf32>
!H = !chi.field<64xf32>
!S = !chi.field<f32>

// Few iterations that cost little go without the pool; nothing tells their
// order. At 1000 iterations of 160 sixteenths of a nanosecond it is worth it.
// CHECK-LABEL: chi.task @small
// CHECK-SAME:    schedule = #chi.schedule<direct = true, unordered = true, noalias = true>
// CHECK-LABEL: chi.task @large
// CHECK-SAME:    schedule = #chi.schedule<unordered = true, noalias = true>
// PLAIN-LABEL: chi.task @small
// PLAIN-SAME:    schedule = #chi.schedule<direct = true, unordered = true>
chi.task @small(%x: !L, %v: f32) over 0 (%i: i32) attributes {cost = 48 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !L
  chi.next
}
chi.task @large(%x: !L, %v: f32) over 0 (%i: i32) {
  chi.store %v, %x[%i : i32] inbounds : f32, !L
  chi.next
}

// Handles that may be of one field; a check keeps the order; many rows stay
// whole, and of an unknown number the launch finds out.
// CHECK-LABEL: chi.task @copies
// CHECK-SAME:    schedule = #chi.schedule<unit = many_rows, noalias = true, mayAlias = [0, 1]>
// PLAIN-LABEL: chi.task @copies
// PLAIN-SAME:    schedule = #chi.schedule<mayAlias = [0, 1]>
chi.task @copies(%x: !M, %y: !M, %ok: i1) over 0 (%i: i32, %j: i32) {
  chi.check assert %ok {site = 0 : i64}
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !M -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !M
  chi.next
}

// Loads across memory: tiles of a line, 16 by 16.
// CHECK-LABEL: chi.task @across
// CHECK-SAME:    schedule = #chi.schedule<unit = rows, unordered = true, noalias = true, mayAlias = [0, 1], tile = <outer = 0, inner = 1, edge = 16>>
// PLAIN-LABEL: chi.task @across
// PLAIN-NOT:     tile
chi.task @across(%x: !M, %y: !M) over 0 (%i: i32, %j: i32) {
  %v = chi.load %x[%j, %i : i32, i32] inbounds : !M -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !M
  chi.next
}

// An index that wraps at both ends of the row.
// CHECK-LABEL: chi.task @around
// CHECK-SAME:    peel = <low = 1, high = 63>>
// PLAIN-LABEL: chi.task @around
// PLAIN-NOT:     peel
chi.task @around(%x: !H, %y: !chi.field<64xi32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %n = arith.constant 64 : i32
  %a = arith.subi %i, %c1 : i32
  %b = arith.addi %i, %c1 : i32
  %l = chi.floormod %a, %n : i32
  %r = chi.floormod %b, %n : i32
  chi.store %l, %y[%r : i32] inbounds : i32, !chi.field<64xi32>
  chi.next
}

// Sums: short iterations in groups; longer ones by buffers, if each adds once;
// in a loop as they come. Two operations of one tree, and a tree of another
// kind, have their numbers.
// CHECK-LABEL: chi.task @short
// CHECK-SAME:    schedule = #chi.schedule<align = 1024, {{.*}}reductions = [#chi.reduction<operations = 1>], grouped = true>
// CHECK-LABEL: chi.task @longer
// CHECK-SAME:    reductions = [#chi.reduction<operations = 2, buffered = true>, #chi.reduction<operations = 1, buffered = true>]>
// CHECK:         chi.accum{{.*}}reduction = array<i64: 0, 0>
// CHECK:         chi.accum{{.*}}reduction = array<i64: 1, 0>
// CHECK:         chi.accum{{.*}}reduction = array<i64: 0, 1>
// CHECK-LABEL: chi.task @loops
// CHECK-SAME:    reductions = [#chi.reduction<operations = 1>]>
// PLAIN-LABEL: chi.task @short
// PLAIN-SAME:    schedule = #chi.schedule<align = 1024, reductions = [#chi.reduction<operations = 1>]>
// PLAIN-LABEL: chi.task @longer
// PLAIN-SAME:    reductions = [#chi.reduction<operations = 2>, #chi.reduction<operations = 1>]>
chi.task @short(%x: !chi.field<?xf32>, %s: !S) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %v, %s[] inbounds strategy(deterministic) : f32, !S
  chi.next
}
chi.task @longer(%x: !chi.field<?xf32>, %s: !S) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %w = math.sqrt %v : f32
  chi.accum add %w, %s[] inbounds strategy(deterministic) : f32, !S
  chi.accum max %v, %s[] inbounds strategy(deterministic) : f32, !S
  chi.accum add %v, %s[] inbounds strategy(deterministic) : f32, !S
  chi.next
}
chi.task @loops(%x: !chi.field<?xf32>, %s: !S, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  scf.for %k = %c0 to %n step %c1 : i32 {
    chi.accum add %v, %s[] inbounds strategy(deterministic) : f32, !S
  }
  chi.next
}

// Copies for threads, with the number of accumulations of an iteration.
// CHECK-LABEL: chi.task @scatters
// CHECK-SAME:    privatized = [#chi.privatized<argument = 0, count = 9>]>
chi.task @scatters(%h: !H, %v: f32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  scf.for %k = %c0 to %c8 step %c1 : i32 {
    chi.accum add %v, %h[%k : i32] inbounds strategy(privatized) : f32, !H
  }
  chi.accum add %v, %h[%c0 : i32] inbounds strategy(privatized) : f32, !H
  chi.next
}

// A wide body: parts of whole groups, of which the last one of a row may do
// some iterations again.
// CHECK-LABEL: chi.task @lanes
// CHECK-SAME:    schedule = #chi.schedule<align = 32, unordered = true, noalias = true, overlapLast = true>
// PLAIN-LABEL: chi.task @lanes
// PLAIN-SAME:    schedule = #chi.schedule<align = 32, unordered = true>
chi.task @lanes(%x: !chi.field<?xf32>, %v: f32) over 0 (%i: i32) attributes {lanes = 32 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
} wide {
^bb0(%x: !chi.field<?xf32>, %v: f32, %i: i32):
  chi.next
}
