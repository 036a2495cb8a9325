// Which products have a guard, by the control flow between a value and its
// uses: those whose adjoint is zero because a choice discards the value. The
// guarded product of such an adjoint is zero even if the factor is infinite.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<8xf64>

// The value of one arm of a select.
// CHECK-LABEL: chi.task @select.adj(
// CHECK:         %[[TAKEN:.*]] = arith.select %{{.*}}, %{{.*}}, %cst
// CHECK:         arith.mulf %[[TAKEN]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[TAKEN]], %cst
// CHECK:         arith.select %[[NONE]], %cst
chi.task @select(%x: !F, %y: !F, %to: !F, %c: i1) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  %s = arith.select %c, %p, %b : f64
  chi.accum add %s, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// Of a greater value, the lesser one.
// CHECK-LABEL: chi.task @greater.adj(
// CHECK:         %[[M:.*]] = arith.maxnumf %[[P:.*]], %
// CHECK:         %[[IS:.*]] = arith.cmpf oeq, %[[M]], %[[P]]
// CHECK:         %[[G:.*]] = arith.select %[[IS]], %{{.*}}, %cst_0
// CHECK:         arith.mulf %[[G]]
// CHECK-NEXT:    arith.cmpf oeq, %[[G]], %cst_0
chi.task @greater(%x: !F, %y: !F, %to: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  %s = arith.maxnumf %p, %b : f64
  chi.accum add %s, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// A discarded sum discards its terms: both products before it.
// CHECK-LABEL: chi.task @through.adj(
// CHECK:         %[[G:.*]] = scf.if
// CHECK:         %[[DQ:.*]] = arith.mulf %[[G]]
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpf oeq, %[[G]], %cst
// CHECK-NEXT:    arith.select %[[NONE]], %cst, %[[DQ]]
// CHECK:         %[[DP:.*]] = arith.mulf %[[G]]
// CHECK-NEXT:    arith.select %[[NONE]], %cst, %[[DP]]
chi.task @through(%x: !F, %y: !F, %to: !F, %c: i1) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  %q = arith.mulf %b, %b : f64
  %s = arith.addf %p, %q : f64
  scf.if %c {
    chi.store %s, %to[%i : i32] inbounds : f64, !F
  }
  chi.next
}

// A loop that has an iteration in any case uses the value.
// CHECK-LABEL: chi.task @counted.adj(
// CHECK-NOT:     arith.cmpf oeq
// CHECK:         chi.next
chi.task @counted(%x: !F, %y: !F, %to: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  scf.for %j = %c0 to %c4 step %c1 : i32 {
    chi.accum add %p, %to[%j : i32] inbounds : f64, !F
  }
  chi.next
}

// One whose bounds only the run knows may have none.
// CHECK-LABEL: chi.task @uncounted.adj(
// CHECK:         %[[G:.*]] = scf.for
// CHECK:         arith.mulf %[[G]]
// CHECK:         arith.cmpf oeq, %[[G]]
// CHECK:         chi.next
chi.task @uncounted(%x: !F, %y: !F, %to: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %b = chi.load %y[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %b : f64
  scf.for %j = %c0 to %n step %c1 : i32 {
    chi.accum add %p, %to[%j : i32] inbounds : f64, !F
  }
  chi.next
}

// What a loop begins with reaches its result if an iteration adds to it. If an
// iteration replaces it, only an empty loop has it as its result.
// CHECK-LABEL: chi.task @begins.adj(
// CHECK-NOT:     arith.cmpf oeq
// CHECK:         chi.next
chi.task @begins(%x: !F, %y: !F, %to: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %p) -> f64 : i32 {
    %b = chi.load %y[%j : i32] inbounds : !F -> f64
    %u = arith.addf %t, %b : f64
    scf.yield %u : f64
  }
  chi.accum add %s, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// CHECK-LABEL: chi.task @last.adj(
// CHECK:         %[[G:.*]] = scf.for
// CHECK:           scf.yield %cst
// CHECK:         arith.mulf %[[G]]
// CHECK-NEXT:    arith.cmpf oeq, %[[G]], %cst
chi.task @last(%x: !F, %y: !F, %to: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%t = %p) -> f64 : i32 {
    %b = chi.load %y[%j : i32] inbounds : !F -> f64
    scf.yield %b : f64
  }
  chi.accum add %s, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// Only the last iteration's value is the result, and no iteration reads it.
// CHECK-LABEL: chi.task @yields.adj(
// CHECK:         scf.for {{.*}} iter_args(%[[G:.*]] = %
// CHECK:           arith.mulf %[[G]]
// CHECK-NEXT:      arith.cmpf oeq, %[[G]]
// CHECK:         chi.next
chi.task @yields(%x: !F, %to: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant 0.0 : f64
  %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %zero) -> f64 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f64
    %p = arith.mulf %a, %a : f64
    scf.yield %p : f64
  }
  chi.accum add %s, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// An element of an array need not be read.
// CHECK-LABEL: chi.task @array.adj(
// CHECK:         chi.local "l" : <4xf64>
// CHECK:         %[[ADJ:.*]] = chi.local "l" : <4xf64>
// CHECK:         chi.set %{{.*}}, %[[ADJ]][%arg2 : i32]
// CHECK:         %[[G:.*]] = chi.get %[[ADJ]][%c0_i32 : i32]
// CHECK:         arith.mulf %[[G]]
// CHECK-NEXT:    arith.cmpf oeq, %[[G]]
chi.task @array(%x: !F, %to: !F, %k: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %l = chi.local "l" : <4xf64>
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.set %p, %l[%c0 : i32] : f64, !chi.local<4xf64>
  %b = chi.get %l[%k : i32] : !chi.local<4xf64> -> f64
  chi.accum add %b, %to[%i : i32] inbounds : f64, !F
  chi.next
}

// A factor that is a finite constant needs no guard.
// CHECK-LABEL: chi.task @finite.adj(
// CHECK-NOT:     arith.cmpf oeq
// CHECK:         chi.next
chi.task @finite(%x: !F, %to: !F, %c: i1) over 0 (%i: i32) {
  %two = arith.constant 2.0 : f64
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %two : f64
  scf.if %c {
    chi.accum add %p, %to[%i : i32] inbounds : f64, !F
  }
  chi.next
}

// What a task updates by a maximum may lose.
// CHECK-LABEL: chi.task @loses.adj(
// CHECK:         %[[G:.*]] = scf.if %{{.*}} -> (f64)
// CHECK:         arith.mulf %[[G]]
// CHECK-NEXT:    arith.cmpf oeq, %[[G]], %cst
chi.task @loses(%x: !F, %to: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.accum max %p, %to[%c0 : i32] inbounds : f64, !F
  chi.next
}
