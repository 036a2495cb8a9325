// Loops of an adjoint that go backwards: another order of their iterations would
// change a result, or would save nothing.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf64>

// A loop whose adjoint uses the variable itself: it is none that counts back.
// CHECK-LABEL: chi.task @itself.adj(
// CHECK:         %[[LAST:.*]] = arith.subi %arg2, %c1_i32
// CHECK:         scf.for %[[Q:.*]] = %c0_i32 to %arg2
// CHECK:           %[[J:.*]] = arith.subi %[[LAST]], %[[Q]]
// CHECK:           chi.store %cst, %{{.*}}[%[[J]] : i32]
chi.task @itself(%x: !F, %y: !F, %n: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f64
    %b = arith.mulf %a, %a : f64
    chi.store %b, %y[%j : i32] inbounds : f64, !F
  }
  chi.next
}

// It loads a field that it adds to: each reads what later ones have left.
// CHECK-LABEL: chi.task @own.adj(
// CHECK:         scf.for
// CHECK:         scf.for %[[Q:.*]] =
// CHECK:           %[[J:.*]] = arith.subi %{{.*}}, %[[Q]]
// CHECK:           %[[K:.*]] = arith.addi %[[J]], %c1_i32
// CHECK:           chi.load %arg3[%[[K]] : i32]
// CHECK:           chi.accum add %{{.*}}, %arg3[%[[J]] : i32]
chi.task @own(%x: !F, %y: !F, %n: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %k = arith.addi %j, %c1 : i32
    %a = chi.load %x[%j : i32] inbounds : !F -> f64
    %b = arith.mulf %a, %a : f64
    chi.accum add %b, %x[%k : i32] inbounds : f64, !F
  }
  chi.next
}

// A step of two: what is counted from the end is not what a loop forwards has.
// CHECK-LABEL: chi.task @two.adj(
// CHECK:         scf.for %[[Q:.*]] = %c0_i32 to %arg2 step %c2_i32
// CHECK:           %[[J:.*]] = arith.subi %{{.*}}, %[[Q]]
// CHECK:           chi.load %arg0[%[[J]] : i32]
chi.task @two(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f64
  %s = scf.for %j = %c0 to %n step %c2 iter_args(%t = %zero) -> (f64) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f64
    %b = arith.mulf %a, %a : f64
    %u = arith.addf %t, %b : f64
    scf.yield %u : f64
  }
  chi.accum add %s, %y[%i : i32] inbounds : f64, !F
  chi.next
}

// The loop carries a sum that it also reads.
// CHECK-LABEL: chi.task @reads.adj(
// CHECK:         scf.for %[[Q:.*]] = {{.*}} iter_args(%[[T:.*]] = %
// CHECK:           arith.subi %{{.*}}, %[[Q]]
// CHECK:           chi.accum add %[[T2:.*]], %arg3[
// CHECK-NEXT:      scf.yield %[[T2]]
chi.task @reads(%x: !F, %y: !F, %n: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f64
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f64
    %u = arith.addf %t, %a : f64
    chi.accum add %u, %y[%j : i32] inbounds : f64, !F
    scf.yield %u : f64
  }
  chi.next
}

// A loop that only adds goes forwards, also in one that does not.
// CHECK-LABEL: chi.task @inner.adj(
// CHECK:         scf.for %[[Q:.*]] = %c0_i32 to %arg2
// CHECK:           %[[J:.*]] = arith.subi %{{.*}}, %[[Q]]
// CHECK:           %[[G:.*]] = chi.load %arg4[%[[J]] : i32]
// CHECK:           chi.store %cst, %arg4[%[[J]] : i32]
// CHECK:           scf.for %[[K:.*]] = %c0_i32 to %arg2
// CHECK-NEXT:        chi.accum add %[[G]], %arg3[%[[K]] : i32]
// CHECK-NEXT:      }
chi.task @inner(%x: !F, %y: !F, %n: i32) () {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f64
  scf.for %j = %c0 to %n step %c1 : i32 {
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) : i32 {
      %a = chi.load %x[%k : i32] inbounds : !F -> f64
      %u = arith.addf %t, %a : f64
      scf.yield %u : f64
    }
    chi.store %s, %y[%j : i32] inbounds : f64, !F
  }
  chi.next
}
