// Factors that all terms of a sum have, and that the loop does not change, are
// multiplied after the loop.
// RUN: chi-opt %s --chi-interchange | FileCheck %s

!X = !chi.field<64xf32>

// A number before all terms: it is multiplied once.
// CHECK-LABEL: chi.task @number(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK-NOT:       arith.mulf
// CHECK:         }
// CHECK:         %[[SIX:.*]] = arith.constant 6.0{{.*}}
// CHECK:         %[[ALL:.*]] = arith.mulf %[[SUM]], %[[SIX]]
// CHECK:         chi.accum add %[[ALL]]
chi.task @number(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %c3 = arith.constant 3.0 : f32
  %d = arith.subf %a, %b : f32
  %r = arith.mulf %d, %c3 : f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// So is a dividend that the loop does not change; the loop adds up reciprocals.
// CHECK-LABEL: chi.task @outside(
// CHECK:         %[[A:.*]] = chi.load
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           %[[ONE:.*]] = arith.constant 1.0
// CHECK:           arith.divf %[[ONE]], %{{.*}}
// CHECK:         }
// CHECK:         arith.mulf %[[SUM]], %[[A]]
chi.task @outside(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %r = arith.divf %a, %b : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.next
}

// x + x is twice x.
// CHECK-LABEL: chi.task @doubled(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         }
// CHECK:         %[[FOUR:.*]] = arith.constant 4.0
// CHECK-NEXT:    arith.mulf %[[SUM]], %[[FOUR]]
chi.task @doubled(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %r = arith.addf %d, %d : f32
  %s = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Terms with other factors stay as they are: one is three times the product,
// the other one twice.
// CHECK-LABEL: chi.task @differ(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           %[[THREE:.*]] = arith.mulf
// CHECK:           arith.addf
// CHECK:           arith.addf
// CHECK:         }
// CHECK-NEXT:    chi.accum add %[[SUM]]
chi.task @differ(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %c3 = arith.constant 3.0 : f32
  %c2 = arith.constant 2.0 : f32
  %d = arith.mulf %b, %b : f32
  %e = arith.mulf %a, %a : f32
  %r = arith.mulf %d, %c3 : f32
  %s = arith.mulf %e, %c2 : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Only numbers: there is no rest that the loop would add up.
// CHECK-LABEL: chi.task @constant(
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           arith.addf
// CHECK:         }
// CHECK:         chi.accum add %[[SUM]]
chi.task @constant(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %r = arith.constant 3.0 : f32
  %s = arith.constant 5.0 : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %s, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
