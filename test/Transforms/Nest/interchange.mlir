// RUN: chi-opt %s --chi-interchange | FileCheck %s

// Both halves: the difference and what depends on it are computed once, the sum is a value, twice that of one half.
// CHECK-LABEL: chi.task @both(
// CHECK-SAME:    (%[[I:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 2, domainAxes = [0]>, axes = ["i"],
// CHECK-SAME:    from = [= 0], to = [= 64]
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[A:.*]] = chi.load %arg0[%[[I]] : i32]
// CHECK-NEXT:    %[[S:.*]] = chi.load %arg1[]
// CHECK-NEXT:    %[[SUM:.*]] = scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OLD:.*]] = %[[ZERO]])
// CHECK-NEXT:      %[[B:.*]] = chi.load %arg0[%[[J]] : i32]
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[A]], %[[B]]
// CHECK-NEXT:      %[[SQUARE:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[SQUARE]]
// CHECK-NEXT:      %[[T:.*]] = arith.mulf %[[E]], %[[D]]
// CHECK-NEXT:      %[[NEW:.*]] = arith.addf %[[OLD]], %[[T]]
// CHECK-NEXT:      scf.yield %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %[[SUM]], %[[S]]
// CHECK-NEXT:    %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[Q:.*]] = arith.mulf %[[P]], %[[TWO]]
// CHECK-NEXT:    chi.accum add %[[Q]], %arg2[%[[I]] : i32]
// CHECK-NEXT:    chi.next
chi.task @both(%x: !chi.field<64xf32>, %s: !chi.field<f32>, %xb: !chi.field<64xf32>, %sb: !chi.field<f32>) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<64xf32> -> f32
  %b = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
  %g = chi.load %s[] inbounds : !chi.field<f32> -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  %t = arith.mulf %g, %e : f32
  %r = arith.mulf %t, %d : f32
  %m = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.accum add %m, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}

// A guard that both halves share holds both. What all iterations add to is added up first, too.
// CHECK-LABEL: chi.task @guarded(
// CHECK:         scf.for
// CHECK:           arith.cmpi ne
// CHECK:           scf.if
// CHECK-NOT:       scf.if
// CHECK:         chi.accum add %{{.*}}, %{{.*}}[]
chi.task @guarded(%x: !chi.field<64xf32>, %s: !chi.field<f32>, %xb: !chi.field<64xf32>, %sb: !chi.field<f32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %c = arith.cmpi ne, %i, %j : i32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !chi.field<64xf32> -> f32
    %b = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
    %r = arith.mulf %a, %b : f32
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
    chi.accum add %b, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
    chi.accum add %r, %sb[] inbounds : f32, !chi.field<f32>
  }
  chi.next
}

// A branch that gives the difference, or nothing: turned round it gives minus that, and nothing.
// CHECK-LABEL: chi.task @result(
// CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (f32)
// CHECK:         arith.addf %{{.*}}, %[[R]]
// CHECK-NEXT:    scf.yield
// CHECK:         arith.constant 2.0
chi.task @result(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpi eq, %i, %j : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<64xf32> -> f32
  %b = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
  %r = scf.if %c -> f32 {
    scf.yield %zero : f32
  } else {
    %d = arith.subf %a, %b : f32
    scf.yield %d : f32
  }
  %m = arith.negf %r : f32
  chi.accum add %m, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}

// Elements of one axis only: there need be enough of them, and the loop may be empty.
// CHECK-LABEL: chi.task @rows(
// CHECK-SAME:    (%{{.*}}: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [1]>
// CHECK:         %[[END:.*]] = chi.dim %arg0, 0
// CHECK:         scf.for
// CHECK:         %[[ANY:.*]] = arith.cmpi slt
// CHECK-NEXT:    scf.if %[[ANY]]
// CHECK-NEXT:      chi.accum add
// CHECK-LABEL: chi.task @few(
// CHECK-SAME:    (%{{.*}}: i32, %{{.*}}: i32)
chi.task @rows(%x: !chi.field<?xf32>, %xb: !chi.field<?xf32>, %zb: !chi.field<2048xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= dim(0, 0), = 2048], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %a, %zb[%j : i32] inbounds : f32, !chi.field<2048xf32>
  chi.next
}
chi.task @few(%x: !chi.field<?xf32>, %xb: !chi.field<?xf32>, %zb: !chi.field<20xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= dim(0, 0), = 20], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %a, %zb[%j : i32] inbounds : f32, !chi.field<20xf32>
  chi.next
}

// Pairs within groups: the two axes of one length.
// CHECK-LABEL: chi.task @groups(
// CHECK-SAME:    (%[[G:.*]]: i32, %[[I:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1, domainAxes = [0, 1]>
// CHECK:         scf.for
// CHECK:         chi.accum add %{{.*}}, %arg1[%[[G]], %[[I]] : i32, i32]
// CHECK-NEXT:    chi.next
chi.task @groups(%x: !chi.field<3x?xf32>, %xb: !chi.field<3x?xf32>) (%g: i32, %i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0, = 0], to = [= 3, = dim(0, 1), = dim(0, 1)], inputs = [?, ?]>} {
  %a = chi.load %x[%g, %i : i32, i32] inbounds : !chi.field<3x?xf32> -> f32
  %b = chi.load %x[%g, %j : i32, i32] inbounds : !chi.field<3x?xf32> -> f32
  chi.accum add %b, %xb[%g, %i : i32, i32] inbounds : f32, !chi.field<3x?xf32>
  chi.accum add %a, %xb[%g, %j : i32, i32] inbounds : f32, !chi.field<3x?xf32>
  chi.next
}

// Left as they are: ends that may differ, an element that both axes name, an element that is not there without its guard, a primal task, one whose
// order is promised, one that stores, a guard that the halves do not share.
// CHECK-COUNT-7: (%{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT: domainAxes
chi.task @unequal(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %xb: !chi.field<?xf32>, %yb: !chi.field<?xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= dim(0, 0), = dim(1, 0)], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %a, %xb[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.accum add %a, %yb[%j : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
chi.task @product(%x: !chi.field<64x64xf32>, %xb: !chi.field<64x64xf32>, %yb: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !chi.field<64x64xf32> -> f32
  chi.accum add %a, %xb[%i, %j : i32, i32] inbounds : f32, !chi.field<64x64xf32>
  chi.accum add %a, %yb[%j : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}
chi.task @outside(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %one = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %p = arith.addi %i, %one : i32
  %c = arith.cmpi slt, %i, %c63 : i32
  scf.if %c {
    %a = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
    chi.accum add %a, %xb[%p : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}
chi.task @primal(%x: !chi.field<64xf32>, %y: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
  chi.accum add %a, %y[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}
chi.task @strict(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {strict, adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
  chi.accum add %a, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}
chi.task @stores(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>, %y: !chi.field<64x64xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
  chi.accum add %a, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.store %a, %y[%i, %j : i32, i32] inbounds : f32, !chi.field<64x64xf32>
  chi.next
}
chi.task @ordered(%x: !chi.field<64xf32>, %xb: !chi.field<64xf32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %c = arith.cmpi slt, %i, %j : i32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !chi.field<64xf32> -> f32
    %b = chi.load %x[%j : i32] inbounds : !chi.field<64xf32> -> f32
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !chi.field<64xf32>
    chi.accum add %b, %xb[%i : i32] inbounds : f32, !chi.field<64xf32>
  }
  chi.next
}
