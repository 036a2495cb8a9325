// RUN: chi-opt %s --chi-task-boxes | FileCheck %s

// Of each access: argument, use (1 reads, 2 writes), axes; of each axis the least
// and the greatest index: number of terms, constant, and each term's kind (0, 1:
// the domain's first and last index; 2: an argument; 3: an extent), number, axis
// and factor. -1: not known.

!F = !chi.field<?x?xf32>
!M = !chi.field<?xi32>
// x[t, i] is read, x[t + 1, i] and y[n - 1 - i, m[i]] are written.
// CHECK-LABEL: chi.task @k.t0(
// CHECK-SAME: chi.boxes = array<i64: 0, 1, 2, 1, 0, 2, 3, 0, 1, 1, 0, 2, 3, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 2, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 2, 2, 1, 1, 2, 3, 0, 1, 1, 1, 2, 3, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 2, 2, 2, -1, 3, 1, 0, 1, 1, 0, 0, -1, 2, -1, 3, 1, 0, 1, 0, 0, 0, -1, -1, -1>
chi.task @k.t0(%x: !F, %y: !F, %m: !M, %t: i32) (%i: i32)
    attributes {kernel = "k", adjoint = #chi.adjoint<task = @k.t0.adj>,
                facts = #chi.facts<from = [= 0], to = [= dim(2, 0)],
                  inputs = [?, ?, ?, 0 to 1000], noalias = [], cells = []>} {
  %one = arith.constant 1 : i32
  %v = chi.load %x[%t, %i : i32, i32] inbounds : !F -> f32
  %k = chi.load %m[%i : i32] inbounds : !M -> i32
  %next = arith.addi %t, %one overflow<nsw> : i32
  chi.store %v, %x[%next, %i : i32, i32] inbounds : f32, !F
  %n = chi.dim %y, 0 : !F -> i32
  %last = arith.subi %n, %one overflow<nsw> : i32
  %back = arith.subi %last, %i overflow<nsw> : i32
  chi.store %v, %y[%back, %k : i32, i32] inbounds : f32, !F
  chi.next
}
// Its adjoint has them too; of the adjoints' own extents nothing is said.
// CHECK-LABEL: chi.task @k.t0.adj(
// CHECK-SAME: chi.boxes = array<i64: 4, 3, 2, 1, 0, 2, 3, 0, 1, 1, 0, 2, 3, 0, 1, 0, 0, -1>
chi.task @k.t0.adj(%x: !F, %y: !F, %m: !M, %t: i32, %xa: !F, %ya: !F) (%i: i32)
    attributes {kernel = "k", adjoint = #chi.adjoint<numPrimal = 4>} {
  %one = arith.constant 1.0 : f32
  %n = chi.dim %xa, 1 : !F -> i32
  chi.accum add %one, %xa[%t, %n : i32, i32] inbounds : f32, !F
  chi.next
}
// What no tape records needs none.
// CHECK: chi.task @other(
// CHECK-NOT: chi.boxes
chi.task @other(%m: !M) (%i: i32) attributes {kernel = "k"} {
  chi.next
}
