// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --canonicalize --cse | FileCheck %s

// Which rows are split, and in which order their parts come: what tells the
// order of a thread's iterations (a check that fails first, prints, sums) keeps
// left edge, middle, right edge; else one loop behind the middle has both.
!F = !chi.field<8x100xi32>
!W = !chi.field<99x100xi32>

// A check: three loops, in order, the edges left as they are.
// CHECK-LABEL: func.func private @checks.body(
// CHECK:         scf.for
// CHECK:           scf.for %[[L:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK:             arith.cmpi sgt, %[[L]]
// CHECK:             chi.check
// CHECK:           } {llvm.loop_annotation
// CHECK:           scf.for %[[M:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK-NOT:         arith.cmpi sgt, %[[M]]
// CHECK:             chi.check
// CHECK:           }
// CHECK-NOT:       llvm.loop_annotation
// CHECK:           scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step %c1_i32 : i32 {
// CHECK:             arith.cmpi sgt, %[[R]]
// CHECK:             chi.check
// CHECK:           } {llvm.loop_annotation
chi.task @checks(%x: !F, %ok: i1) over 0 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i32
  %p = arith.cmpi sgt, %j, %zero : i32
  %e = arith.extui %p : i1 to i32
  chi.check assert %ok (%e : i32) {what = "ok"}
  chi.store %e, %x[%i, %j : i32, i32] inbounds : i32, !F
  chi.next
}

// A part of a row: the middle's bounds lie within the part, whichever of the
// edges it has.
// CHECK-LABEL: func.func private @parts.body(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[LOW:.*]] = arith.index_cast %[[BEGIN]] : index to i32
// CHECK:         %[[HIGH:.*]] = arith.index_cast %[[END]] : index to i32
// CHECK:         %[[A:.*]] = arith.maxsi %[[LOW]], %c1_i32 : i32
// CHECK:         %[[FROM:.*]] = arith.minsi %[[A]], %[[HIGH]] : i32
// CHECK:         %[[B:.*]] = arith.minsi %[[HIGH]], %c999_i32 : i32
// CHECK:         %[[TO:.*]] = arith.maxsi %[[B]], %[[FROM]] : i32
// CHECK:         scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1_i32 : i32 {
// Both edges: as many iterations as are left of the part, first those on the
// left, then those from the middle's end on.
// CHECK:         %[[LEFT:.*]] = arith.subi %[[FROM]], %[[LOW]] : i32
// CHECK:         %[[RIGHT:.*]] = arith.subi %[[HIGH]], %[[TO]] : i32
// CHECK:         %[[BOTH:.*]] = arith.addi %[[LEFT]], %[[RIGHT]] : i32
// CHECK:         %[[SHIFT:.*]] = arith.subi %[[TO]], %[[LEFT]] : i32
// CHECK:         scf.for %[[K:.*]] = %c0_i32 to %[[BOTH]] step %c1_i32 : i32 {
// CHECK:           %[[ISLEFT:.*]] = arith.cmpi slt, %[[K]], %[[LEFT]] : i32
// CHECK:           %[[P:.*]] = arith.addi %[[LOW]], %[[K]] : i32
// CHECK:           %[[Q:.*]] = arith.addi %[[SHIFT]], %[[K]] : i32
// CHECK:           %[[J:.*]] = arith.select %[[ISLEFT]], %[[P]], %[[Q]] : i32
// CHECK:           arith.index_cast %[[J]] : i32 to index
// CHECK:         } {llvm.loop_annotation
!L = !chi.field<1000xi32>
chi.task @parts(%x: !L) over 0 (%j: i32) {
  %zero = arith.constant 0 : i32
  %c999 = arith.constant 999 : i32
  %a = arith.cmpi eq, %j, %zero : i32
  %b = arith.cmpi eq, %j, %c999 : i32
  %c = arith.ori %a, %b : i1
  %e = arith.extui %c : i1 to i32
  chi.store %e, %x[%j : i32] inbounds : i32, !L
  chi.next
}

// A window of two nested loops reaches as far as both together: four on each
// side.
// CHECK-LABEL: func.func private @window.body(
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %c4_i32 to %c96_i32 step %c1_i32 : i32 {
// CHECK-NOT:         arith.remsi
// CHECK:             memref.store
chi.task @window(%x: !W, %y: !chi.field<99x100xi64>) over 0 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i64
  %a = arith.constant -2 : i32
  %b = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 100 : i32
  %r = scf.for %s = %a to %b step %one iter_args(%u = %zero) -> i64 : i32 {
    %v = scf.for %t = %a to %b step %one iter_args(%w = %u) -> i64 : i32 {
      %p = arith.addi %j, %s : i32
      %q = arith.subi %p, %t : i32
      %at = chi.floormod %q, %n : i32
      %l = chi.load %x[%i, %at : i32, i32] inbounds : !W -> i32
      %m = arith.extsi %l : i32 to i64
      %z = arith.addi %w, %m : i64
      scf.yield %z : i64
    }
    scf.yield %v : i64
  }
  chi.store %r, %y[%i, %j : i32, i32] inbounds : i64, !chi.field<99x100xi64>
  chi.next
}

// A window whose bounds are not known says nothing.
// CHECK-LABEL: func.func private @unknown.body(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               arith.remsi
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @unknown(%x: !F, %k: i32) over 0 (%i: i32, %j: i32) {
  %a = arith.constant -2 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 100 : i32
  scf.for %s = %a to %k step %one : i32 {
    %p = arith.addi %j, %s : i32
    %at = chi.floormod %p, %n : i32
    chi.store %s, %x[%i, %at : i32, i32] inbounds : i32, !F
  }
  chi.next
}

// Nor does a row whose length is not known.
// CHECK-LABEL: func.func private @rows.body(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @rows(%x: !chi.field<8x?xi32>) over 0 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i32
  %a = arith.cmpi eq, %j, %zero : i32
  %e = arith.extui %a : i1 to i32
  chi.store %e, %x[%i, %j : i32, i32] inbounds : i32, !chi.field<8x?xi32>
  chi.next
}
