// What the two orders of a pair share: each value is written once, up to its
// sign.
// RUN: chi-opt %s --chi-interchange | FileCheck %s

!X = !chi.field<64xf32>

// b - a is minus a - b: a product with it is negated, its square is not.
// CHECK-LABEL: chi.task @products(
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[Q]]
// CHECK-NEXT:      %[[P:.*]] = arith.divf %[[E]], %[[D]]
// CHECK-NOT:       arith.divf
// CHECK:         }
chi.task @products(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  %r = arith.divf %e, %d : f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// The absolute value is the same for both orders.
// CHECK-LABEL: chi.task @absolute(
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf
// CHECK-NEXT:      %[[ABS:.*]] = math.absf %[[D]]
// CHECK-NEXT:      %[[LOG:.*]] = math.log %[[ABS]]
// CHECK-NOT:       math.absf
// CHECK-NOT:       math.log
// CHECK:         }
chi.task @absolute(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %m = math.absf %d : f32
  %r = math.log %m : f32
  %s = arith.addf %r, %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// A comparison with zero is one for both, if it does not ask for a sign.
// CHECK-LABEL: chi.task @zero(
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf
// CHECK-NEXT:      arith.cmpf oeq, %[[D]]
// CHECK-NOT:       arith.cmpf
// CHECK:         }
chi.task @zero(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %z = arith.constant 0.0 : f32
  %d = arith.subf %a, %b : f32
  %c = arith.cmpf oeq, %d, %z : f32
  %r = arith.select %c, %z, %d : f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// One that does is written for each; the negation, too.
// CHECK-LABEL: chi.task @sign(
// CHECK:         scf.for
// CHECK:           %[[D:.*]] = arith.subf
// CHECK:           arith.cmpf ogt, %[[D]]
// CHECK:           %[[MINUS:.*]] = arith.negf %[[D]]
// CHECK:           arith.cmpf ogt, %[[MINUS]]
// CHECK:         }
chi.task @sign(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %z = arith.constant 0.0 : f32
  %d = arith.subf %a, %b : f32
  %c = arith.cmpf ogt, %d, %z : f32
  %r = arith.select %c, %d, %z : f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Conversions keep a sign.
// CHECK-LABEL: chi.task @widths(
// CHECK:         scf.for
// CHECK:           arith.extf
// CHECK-NOT:       arith.extf
// CHECK:           arith.truncf
// CHECK-NOT:       arith.truncf
// CHECK:         }
chi.task @widths(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %w = arith.extf %d : f32 to f64
  %e = arith.mulf %w, %w : f64
  %f = arith.mulf %e, %w : f64
  %r = arith.truncf %f : f64 to f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Operands may be exchanged where the operation does not mind.
// CHECK-LABEL: chi.task @symmetric(
// CHECK:         scf.for
// CHECK-COUNT-1:   arith.mulf
// CHECK-NEXT:      math.sqrt
// CHECK-NOT:       math.sqrt
// CHECK:         }
chi.task @symmetric(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  %r = math.sqrt %p : f32
  %s = arith.addf %r, %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// A remainder has an order: both are written.
// CHECK-LABEL: chi.task @ordered(
// CHECK:         scf.for
// CHECK-COUNT-2:   arith.remf
// CHECK-NOT:       arith.remf
// CHECK:         chi.next
chi.task @ordered(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %r = arith.remf %a, %b : f32
  %s = arith.addf %r, %a : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
