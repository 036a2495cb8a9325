// Scatters that stay as they are. Each task differs in one respect from the
// first, whose sums become a task of their own.
// RUN: chi-opt %s --chi-scatter-to-gather | FileCheck %s --implicit-check-not=domainAxes

!X = !chi.field<64xf32>

// CHECK-LABEL: chi.task @gathered.sum0(
// CHECK-SAME:    domainAxes = [-1]
// CHECK-LABEL: chi.task @gathered(
chi.task @gathered(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It is no adjoint.
// CHECK-LABEL: chi.task @primal(
chi.task @primal(%x: !X, %xb: !X) (%t: i32)
    attributes {axes = ["t"], facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It depends on a task that runs before it.
// CHECK-LABEL: chi.task @prologue(
chi.task @prologue(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @gathered>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// Nothing is known about its axis.
// CHECK-LABEL: chi.task @facts(
chi.task @facts(%x: !X, %xb: !X) over 0 (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It is no loop.
// CHECK-LABEL: chi.task @once(
chi.task @once(%x: !X, %xb: !X) ()
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [], to = [], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%c0 : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It repeats a write of the primal, on a copy that other tasks do not see.
// CHECK-LABEL: chi.task @rerun(
chi.task @rerun(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  chi.store %a, %x[%t : i32] inbounds : f32, !X
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It may stop: additions that were made would be made again.
// CHECK-LABEL: chi.task @checks(
chi.task @checks(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  %ok = arith.cmpi slt, %t, %c1 : i32
  chi.check assert %ok
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// It adds outside of a loop, too: the sum would be in two tasks.
// CHECK-LABEL: chi.task @outside(
chi.task @outside(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c1 step %c1 : i32 {
    chi.accum add %a, %xb[%t : i32] inbounds : f32, !X
  }
  chi.next
}

// It reads what it adds to.
// CHECK-LABEL: chi.task @read(
chi.task @read(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  %b = chi.load %xb[%t : i32] inbounds : !X -> f32
  chi.next
}

// Another update of the field is no addition.
// CHECK-LABEL: chi.task @greatest(
chi.task @greatest(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.accum max %a, %xb[%t : i32] inbounds : f32, !X
  chi.next
}

// The loop is unsigned: its bounds are no sums of integers with a sign.
// CHECK-LABEL: chi.task @unsigned(
chi.task @unsigned(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for unsigned %j = %c0 to %c64 step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// The index is no linear sum.
// CHECK-LABEL: chi.task @product(
chi.task @product(%x: !X, %xb: !X) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    %k = arith.muli %j, %t : i32
    chi.accum add %a, %xb[%k : i32] inbounds : f32, !X
  }
  chi.next
}

// The index has a factor: half of the elements would have no iteration.
// CHECK-LABEL: chi.task @twice(
chi.task @twice(%x: !X, %xb: !chi.field<128xf32>) (%t: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0], to = [= 64], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %a = chi.load %x[%t : i32] inbounds : !X -> f32
  scf.for %j = %c0 to %c64 step %c1 : i32 {
    %k = arith.addi %j, %j : i32
    chi.accum add %a, %xb[%k : i32] inbounds : f32, !chi.field<128xf32>
  }
  chi.next
}
