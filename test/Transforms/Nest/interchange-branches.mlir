// Branches of tasks over pairs, axes of other tasks, and elements that a guard
// keeps inside of their field.
// RUN: chi-opt %s --chi-interchange | FileCheck %s

!X = !chi.field<64xf32>
!D = !chi.field<?xf32>

// Both sides of a branch that the two orders share.
// CHECK-LABEL: chi.task @sides(
// CHECK-SAME:    domainAxes = [0]
// CHECK:         scf.for
// CHECK:           scf.if %{{.*}} -> (f32) {
// CHECK:             math.exp
// CHECK:           } else {
// CHECK:             math.log
// CHECK:           }
// CHECK-NOT:       scf.if
// CHECK:         chi.accum
chi.task @sides(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %c = arith.cmpi ne, %i, %j : i32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !X -> f32
    %b = chi.load %x[%j : i32] inbounds : !X -> f32
    %p = arith.mulf %a, %b : f32
    %e = math.exp %p : f32
    chi.accum add %e, %xb[%i : i32] inbounds : f32, !X
    chi.accum add %e, %xb[%j : i32] inbounds : f32, !X
  } else {
    %a = chi.load %x[%i : i32] inbounds : !X -> f32
    %b = chi.load %x[%j : i32] inbounds : !X -> f32
    %p = arith.mulf %a, %b : f32
    %e = math.log %p : f32
    chi.accum add %e, %xb[%i : i32] inbounds : f32, !X
    chi.accum add %e, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// A branch whose sides have other signs in the other order: a - b, or its
// square. A value of each order comes out.
// CHECK-LABEL: chi.task @signs(
// CHECK-SAME:    domainAxes = [0]
// CHECK:         scf.for
// CHECK:           %[[R:.*]]:2 = scf.if %{{.*}} -> (f32, f32) {
// CHECK:             %[[MINUS:.*]] = arith.negf %[[D:.*]] : f32
// CHECK:             scf.yield %[[D]], %[[MINUS]]
// CHECK:           } else {
// CHECK:             %[[Q:.*]] = arith.mulf
// CHECK:             scf.yield %[[Q]], %[[Q]]
chi.task @signs(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %c = arith.cmpi ne, %i, %j : i32
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %r = scf.if %c -> f32 {
    scf.yield %d : f32
  } else {
    %q = arith.mulf %d, %d : f32
    scf.yield %q : f32
  }
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %r, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Without a guard all elements are there: the task itself promises that.
// CHECK-LABEL: chi.task @inside(
// CHECK-SAME:    domainAxes = [0]
// CHECK:         scf.for
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         chi.accum add %{{.*}}, %arg1[%arg2 : i32]
chi.task @inside(%x: !D, %xb: !D) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !D -> f32
  %b = chi.load %x[%j : i32] inbounds : !D -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !D
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !D
  chi.next
}

// With a guard, a field that may be too short has none of the elements.
// CHECK-LABEL: chi.task @short(
// CHECK-NOT:     domainAxes
// CHECK:         chi.next
chi.task @short(%x: !D, %xb: !D) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %c = arith.cmpi ne, %i, %j : i32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !D -> f32
    %b = chi.load %x[%j : i32] inbounds : !D -> f32
    chi.accum add %b, %xb[%i : i32] inbounds : f32, !D
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !D
  }
  chi.next
}

// As long as the axis: it has all of them.
// CHECK-LABEL: chi.task @long(
// CHECK-SAME:    domainAxes = [0]
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:         chi.accum
chi.task @long(%x: !D, %xb: !D) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= dim(1, 0), = dim(1, 0)], inputs = [?, ?]>} {
  %c = arith.cmpi ne, %i, %j : i32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !D -> f32
    %b = chi.load %x[%j : i32] inbounds : !D -> f32
    chi.accum add %b, %xb[%i : i32] inbounds : f32, !D
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !D
  }
  chi.next
}

// The bounds of the axis that becomes a loop are those of the facts, also with
// a factor and an argument of the task.
// CHECK-LABEL: chi.task @bounds(
// CHECK-SAME:    from = [= 1], to = [= 8 + 3 * arg(2)]
// CHECK:         %[[BY:.*]] = arith.muli %arg2, %c3_i32
// CHECK:         %[[TO:.*]] = arith.addi %c8_i32, %[[BY]]
// CHECK:         scf.for %{{.*}} = %c1_i32{{.*}} to %[[TO]]
chi.task @bounds(%x: !D, %xb: !D, %n: i32) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>,
                facts = #chi.facts<from = [= 1, = 1], to = [= 8 + 3 * arg(2), = 8 + 3 * arg(2)], inputs = [?, ?, 0 to 1000]>} {
  %a = chi.load %x[%i : i32] inbounds : !D -> f32
  %b = chi.load %x[%j : i32] inbounds : !D -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !D
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !D
  chi.next
}

// Three axes: the last one goes into the loop, with the partner of its length.
// The names of the axes are those that remain.
// CHECK-LABEL: chi.task @three(
// CHECK-SAME:    (%[[I:.*]]: i32, %[[G:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, 1]>, axes = ["i", "g"]
// CHECK:         scf.for
// CHECK:         chi.accum add %{{.*}}, %arg1[%[[G]], %[[I]] : i32, i32]
chi.task @three(%x: !chi.field<3x9xf32>, %xb: !chi.field<3x9xf32>) (%i: i32, %g: i32, %j: i32)
    attributes {axes = ["i", "g", "j"], adjoint = #chi.adjoint<numPrimal = 1>,
                facts = #chi.facts<from = [= 0, = 0, = 0], to = [= 9, = 3, = 9], inputs = [?, ?]>} {
  %a = chi.load %x[%g, %i : i32, i32] inbounds : !chi.field<3x9xf32> -> f32
  %b = chi.load %x[%g, %j : i32, i32] inbounds : !chi.field<3x9xf32> -> f32
  chi.accum add %b, %xb[%g, %i : i32, i32] inbounds : f32, !chi.field<3x9xf32>
  chi.accum add %a, %xb[%g, %j : i32, i32] inbounds : f32, !chi.field<3x9xf32>
  chi.next
}

// An axis without a partner is a loop if the others have 1024 iterations.
// CHECK-LABEL: chi.task @enough(
// CHECK-SAME:    domainAxes = [0]
// CHECK-LABEL: chi.task @less(
// CHECK-NOT:     domainAxes
// CHECK:         chi.next
chi.task @enough(%x: !D, %yb: !chi.field<1024xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 1024, = dim(0, 0)], inputs = [?, ?]>} {
  %a = chi.load %x[%j : i32] inbounds : !D -> f32
  chi.accum add %a, %yb[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}
chi.task @less(%x: !D, %yb: !chi.field<1024xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 1023, = dim(0, 0)], inputs = [?, ?]>} {
  %a = chi.load %x[%j : i32] inbounds : !D -> f32
  chi.accum add %a, %yb[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}
