// --check=nan: the condition of marked operations, and updates that return the old value.
// RUN: chi-opt %s --chi-instrument-nan | FileCheck %s
// RUN: chi-opt %s --chi-instrument-nan=all-operations | FileCheck %s --check-prefix=ALL

// A NaN is news if no operand was one, an infinity if all operands were finite;
// integers are no operands of that kind.
// CHECK-LABEL: func.func @rule
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[N:.*]]: i32
// CHECK:         %[[Q:.*]] = arith.divf %[[A]], %[[B]] : f32
// CHECK:         %[[SIZE:.*]] = math.absf %[[A]]
// CHECK-NEXT:    %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-NEXT:    %[[FINITE_A:.*]] = arith.cmpf olt, %[[SIZE]], %[[INF]]
// CHECK-NEXT:    %[[NAN_A:.*]] = arith.cmpf uno, %[[A]], %[[A]]
// CHECK:         %[[FINITE_B:.*]] = arith.cmpf olt
// CHECK-NEXT:    %[[NAN_B:.*]] = arith.cmpf uno, %[[B]], %[[B]]
// CHECK-NEXT:    %[[FINITE:.*]] = arith.andi %[[FINITE_A]], %[[FINITE_B]]
// CHECK-NEXT:    %[[HAD_NAN:.*]] = arith.ori %[[NAN_A]], %[[NAN_B]]
// CHECK:         %[[GOOD:.*]] = arith.cmpf olt
// CHECK:         %[[HAD_INF:.*]] = arith.xori %[[FINITE]], %true
// CHECK-NEXT:    %[[IS_NAN:.*]] = arith.cmpf uno, %[[Q]], %[[Q]]
// CHECK-NEXT:    %[[OLD:.*]] = arith.select %[[IS_NAN]], %[[HAD_NAN]], %[[HAD_INF]]
// CHECK-NEXT:    %[[OK:.*]] = arith.ori %[[GOOD]], %[[OLD]]
// CHECK-NEXT:    chi.check nan %[[OK]] (%[[A]], %[[N]], %[[B]], %[[Q]] : f32, i32, f32, f32) {what = "/"}
// Without operands the result alone counts.
// CHECK:         %[[GOOD:.*]] = arith.cmpf olt
// CHECK-NEXT:    chi.check nan %[[GOOD]] (%[[Q]] : f32) {what = "q"}
func.func @rule(%a: f32, %b: f32, %n: i32) {
  %no = arith.constant false
  %q = arith.divf %a, %b : f32
  chi.check nan %no (%a, %n, %b, %q : f32, i32, f32, f32) {what = "/"}
  chi.check nan %no (%q : f32) {what = "q"}
  return
}

// Behind each launch, the scalars into which its iterations accumulated.
// CHECK-LABEL: func.func @k
// CHECK:         chi.launch @k.t0(
// CHECK-NEXT:    chi.launch @k.t0.nan0(%{{.*}} : !chi.field<f32>)
// CHECK-NEXT:    chi.launch @k.t0(
// CHECK-NEXT:    chi.launch @k.t0.nan0(
func.func @k(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @k.t0(%x, %s : !chi.field<8xf32>, !chi.field<f32>) from (%c0 : i32) to (%n : i32)
  chi.launch @k.t0(%x, %s : !chi.field<8xf32>, !chi.field<f32>) from (%c0 : i32) to (%n : i32)
  chi.launch @serial(%s : !chi.field<f32>)
  return
}

// CHECK-LABEL: chi.task @k.t0(
// CHECK-SAME:    %[[X:.*]]: !chi.field<8xf32>, %[[S:.*]]: !chi.field<f32>) over 0 (%[[I:.*]]: i32)
// A sum is an atomic operation that says what it added to.
// CHECK:         %[[OLD:.*]] = chi.atomic add %[[V:[a-z0-9_]+]], %[[X]][%[[I]] : i32] inbounds {field_name = "x"}
// CHECK-NEXT:    %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]]
// CHECK:         chi.check nan %{{.*}} (%[[OLD]], %[[V]], %[[NEW]] : f32, f32, f32) {what = "+"}
// A product, a loop round a comparison with what was read.
// CHECK:         %[[FIRST:.*]] = chi.atomic load
// CHECK:         %[[W:.*]]:2 = scf.while (%[[BEFORE:.*]] = %[[FIRST]])
// CHECK:           %[[P:.*]] = arith.mulf %[[BEFORE]], %[[V]]
// CHECK:           %[[SEEN:.*]] = chi.atomic cas %[[P]], %[[X]][%[[I]] : i32] expects(%[[BEFORE]] : f32) inbounds
// CHECK:           %[[L:.*]] = arith.bitcast %[[SEEN]]
// CHECK:           arith.cmpi eq, %[[L]],
// CHECK:           scf.condition(%{{.*}}) %[[SEEN]], %[[P]]
// CHECK:         chi.check nan %{{.*}} (%[[W]]#0, %[[V]], %[[W]]#1 : f32, f32, f32) {what = "*"}
// The sums of a task keep their order, and a maximum does not overflow.
// CHECK:         chi.accum add %{{.*}}, %[[S]][] strategy(deterministic)
// CHECK-NEXT:    chi.accum add %{{.*}}, %[[S]][] strategy(deterministic)
// CHECK-NEXT:    chi.accum max
// CHECK-NEXT:    chi.next
// CHECK-LABEL: chi.task @k.t0.nan0(
// CHECK-SAME:    %[[S:.*]]: !chi.field<f32>) () attributes {facts = #chi.facts<inputs = [?]>, kernel = "k"}
// CHECK:         %[[SUM:.*]] = chi.load %[[S]][] inbounds
// CHECK:         chi.check nan %{{.*}} (%[[SUM]] : f32) {what = "s"}
chi.task @k.t0(%x: !chi.field<8xf32>, %s: !chi.field<f32>) over 0 (%i: i32) attributes {kernel = "k"} {
  %v = arith.constant 2.0 : f32
  chi.accum add %v, %x[%i : i32] inbounds {field_name = "x"} : f32, !chi.field<8xf32>
  chi.accum mul %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.accum add %v, %s[] strategy(deterministic) {field_name = "s"} : f32, !chi.field<f32>
  chi.accum add %v, %s[] strategy(deterministic) {field_name = "s"} : f32, !chi.field<f32>
  chi.accum max %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// One worker loads and stores.
// CHECK-LABEL: chi.task @serial
// CHECK:         %[[OLD:.*]] = chi.load %[[S:.*]][]
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[V:[a-z0-9_]+]] :
// CHECK:         chi.store %[[NEW]], %[[S]][]
// CHECK:         chi.check nan %{{.*}} (%[[OLD]], %[[V]], %[[NEW]] : f32, f32, f32) {what = "+"}
chi.task @serial(%s: !chi.field<f32>) () attributes {facts = #chi.facts<inputs = [?]>, kernel = "k"} {
  %v = arith.constant 2.0 : f32
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.next
}

// A derivative has no source: each operation that may give an infinity is
// checked, except for those that are marked already.
// CHECK-LABEL: chi.task @adjoint
// CHECK-COUNT-1: chi.check
// CHECK-NOT:     chi.check
// CHECK:         chi.next
// ALL-LABEL:   chi.task @adjoint
// ALL:           arith.mulf
// ALL:           chi.check nan {{.*}} {what = "*"}
// ALL:           math.exp
// ALL:           chi.check nan {{.*}} {what = "exp"}
// ALL:           arith.divf
// ALL:           chi.check nan {{.*}} {what = "quotient"}
// ALL:           math.absf
// ALL-NOT:       what
// ALL:           chi.next
chi.task @adjoint(%x: !chi.field<8xf32>, %a: f32) over 0 (%i: i32) {
  %no = arith.constant false
  %p = arith.mulf %a, %a : f32
  %e = math.exp %p : f32
  %q = arith.divf %e, %p : f32
  chi.check nan %no (%e, %p, %q : f32, f32, f32) {what = "quotient"}
  %s = math.absf %q : f32
  chi.store %s, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
