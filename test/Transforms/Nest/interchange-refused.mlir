// Tasks over pairs that stay as they are. Each differs in one respect from the
// first, which is folded.
// RUN: chi-opt %s --chi-interchange | FileCheck %s --implicit-check-not=domainAxes

!X = !chi.field<64xf32>
!N = !chi.field<64xi32>

// CHECK-LABEL: chi.task @folded(
// CHECK-SAME:    domainAxes = [0]
chi.task @folded(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// It depends on a task that runs before it.
// CHECK-LABEL: chi.task @prologue(
chi.task @prologue(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, prologue = @folded>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// It has fields that a tape fills for it.
// CHECK-LABEL: chi.task @workspace(
chi.task @workspace(%x: !X, %xb: !X, %w: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1, workspace = [0, 0, 10, 0]>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// It loads what it adds to.
// CHECK-LABEL: chi.task @own(
chi.task @own(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %xb[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// One update is no addition.
// CHECK-LABEL: chi.task @greatest(
chi.task @greatest(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum max %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// The sums are of integers.
// CHECK-LABEL: chi.task @integers(
chi.task @integers(%x: !X, %xb: !N) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  chi.accum add %j, %xb[%i : i32] inbounds : i32, !N
  chi.accum add %i, %xb[%j : i32] inbounds : i32, !N
  chi.next
}

// It uses the number of its iteration.
// CHECK-LABEL: chi.task @number(
chi.task @number(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %k = chi.iteration : i64
  %a = arith.sitofp %k : i64 to f32
  chi.accum add %a, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// It may stop: an addition that was made would be made again.
// CHECK-LABEL: chi.task @checks(
chi.task @checks(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %ok = arith.cmpi slt, %i, %j : i32
  chi.check assert %ok
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// It has a loop of its own.
// CHECK-LABEL: chi.task @loops(
chi.task @loops(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %c1 = arith.constant 1 : i32
  scf.for %k = %i to %j step %c1 : i32 {
    chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  }
  chi.next
}

// An index is data: it may depend on both axes.
// CHECK-LABEL: chi.task @data(
chi.task @data(%x: !X, %xb: !X, %to: !N) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %k = chi.load %to[%i : i32] inbounds : !N -> i32
  %l = arith.xori %k, %j : i32
  chi.accum add %b, %xb[%l : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// Where the axes begin and end is not known.
// CHECK-LABEL: chi.task @unknown(
chi.task @unknown(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [?, ?], to = [?, ?], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// They begin at other numbers.
// CHECK-LABEL: chi.task @begins(
chi.task @begins(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 1], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// The axes have different types: their variables cannot be exchanged.
// CHECK-LABEL: chi.task @types(
chi.task @types(%x: !X, %xb: !X) (%i: i32, %j: i64)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i64] inbounds : !X -> f32
  chi.accum add %b, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %a, %xb[%j : i64] inbounds : f32, !X
  chi.next
}

// No iteration would own an element: all add to one.
// CHECK-LABEL: chi.task @shared(
chi.task @shared(%x: !X, %sb: !chi.field<f32>) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  chi.accum add %p, %sb[] inbounds : f32, !chi.field<f32>
  chi.next
}

// The two halves have nothing in common, and each is more expensive than the
// additions that are saved.
// CHECK-LABEL: chi.task @work(
chi.task @work(%x: !X, %xb: !X) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 1>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.subf %a, %b : f32
  %e = math.exp %a : f32
  %f = math.sin %e : f32
  %g = math.cos %f : f32
  %h = math.tan %g : f32
  %k = math.exp %h : f32
  %l = arith.addf %k, %p : f32
  %m = math.exp %l : f32
  %n = math.sin %m : f32
  %o = math.cos %n : f32
  %q = math.tan %o : f32
  %r = math.exp %q : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %r, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
