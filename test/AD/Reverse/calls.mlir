// Calls with an adjoint of the program's own, and branches: where the adjoint
// is called, its arguments, and the use of its results.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>

func.func private @f(%a: f32, %k: i32) -> f32 {
  return %a : f32
}
func.func private @f_bar(%a: f32, %k: i32, %r: f32, %d: f32) -> f32 {
  return %d : f32
}
func.func private @pair(%a: f16, %b: f16) -> (f16, i32) {
  %c0 = arith.constant 0 : i32
  return %a, %c0 : f16, i32
}
func.func private @pair_bar(%a: f16, %b: f16, %r: f16, %k: i32, %d: f16) -> (f16, f16) {
  return %d, %d : f16, f16
}

// Arguments, results, adjoints of the results; there is a result for each float
// among the arguments.
// CHECK-LABEL: chi.task @called.adj(
// CHECK:         %[[A:.*]] = chi.load %arg0
// CHECK:         %[[R:.*]] = func.call @f(%[[A]], %[[I:[a-z0-9]*]])
// CHECK:         %[[G:.*]] = chi.load %arg3
// CHECK:         %[[D:.*]] = func.call @f_bar(%[[A]], %[[I]], %[[R]], %[[G]]) : (f32, i32, f32, f32) -> f32
// CHECK-NEXT:    chi.accum add %[[D]], %arg2
chi.task @called(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = func.call @f(%a, %i) {custom_adjoint = @f_bar} : (f32, i32) -> f32
  chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Halves are passed as halves; their adjoints are summed in f32.
// CHECK-LABEL: chi.task @narrow.adj(
// CHECK:         %[[R:.*]]:2 = func.call @pair
// CHECK:         %[[G:.*]] = chi.load %arg3{{.*}} -> f32
// CHECK:         %[[HALF:.*]] = arith.truncf %[[G]] : f32 to f16
// CHECK:         %[[D:.*]]:2 = func.call @pair_bar(%{{.*}}, %{{.*}}, %[[R]]#0, %[[R]]#1, %[[HALF]])
// CHECK-DAG:     arith.extf %[[D]]#0 : f16 to f32
// CHECK-DAG:     arith.extf %[[D]]#1 : f16 to f32
chi.task @narrow(%x: !chi.field<8xf16>, %y: !chi.field<8xf16>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<8xf16> -> f16
  %b = chi.load %x[%c0 : i32] inbounds : !chi.field<8xf16> -> f16
  %r:2 = func.call @pair(%a, %b) {custom_adjoint = @pair_bar} : (f16, f16) -> (f16, i32)
  chi.accum add %r#0, %y[%r#1 : i32] inbounds : f16, !chi.field<8xf16>
  chi.next
}

// In a loop the results are recorded: the function is not called twice.
// CHECK-LABEL: chi.task @kept.adj(
// CHECK:         scf.for
// CHECK:           %[[R:.*]] = func.call @f(
// CHECK-NEXT:      chi.set %[[R]], %[[TAPE:.*]][
// CHECK:         scf.for
// CHECK-NOT:       func.call @f(
// CHECK:           %[[R:.*]] = chi.get %[[TAPE]]
// CHECK:           func.call @f_bar(%{{.*}}, %{{.*}}, %[[R]], %{{.*}})
chi.task @kept(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %r = func.call @f(%a, %j) {custom_adjoint = @f_bar} : (f32, i32) -> f32
    chi.accum add %r, %y[%j : i32] inbounds : f32, !F
  }
  chi.next
}

// If a branch discards the result, a zero comes in and a zero goes out, whatever
// the program's adjoint returns.
// CHECK-LABEL: chi.task @discarded.adj(
// CHECK:         %[[G:.*]] = scf.if
// CHECK:         %[[IS:.*]] = arith.cmpf oeq, %[[G]], %cst
// CHECK:         %[[D:.*]] = func.call @f_bar
// CHECK-NEXT:    %[[MORE:.*]] = arith.select %[[IS]], %cst, %[[D]]
// CHECK-NEXT:    chi.accum add %[[MORE]], %arg3
chi.task @discarded(%x: !F, %y: !F, %c: i1) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = func.call @f(%a, %i) {custom_adjoint = @f_bar} : (f32, i32) -> f32
  scf.if %c {
    chi.accum add %r, %y[%i : i32] inbounds : f32, !F
  }
  chi.next
}

// A value that both sides of a branch use comes out with what each has added; a
// branch that has no else gets one.
// CHECK-LABEL: chi.task @sides.adj(
// CHECK:         %[[B:.*]] = chi.load %arg4[%c0_i32 : i32]
// CHECK:         %[[SUM:.*]] = scf.if %arg2 -> (f32) {
// CHECK:           %[[G:.*]] = chi.load %arg4[%arg5 : i32]
// CHECK:           %[[MORE:.*]] = arith.addf %[[B]], %[[G]]
// CHECK:           scf.yield %[[MORE]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK-NEXT:    }
// CHECK-NEXT:    chi.accum add %[[SUM]], %arg3
chi.task @sides(%x: !F, %y: !F, %c: i1) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.if %c {
    chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  }
  chi.accum add %a, %y[%c0 : i32] inbounds : f32, !F
  chi.next
}
