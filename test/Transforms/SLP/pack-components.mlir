// RUN: chi-opt %s --chi-pack-components | FileCheck %s
// RUN: chi-opt %s --chi-pack-components | chi-opt | FileCheck %s

// The cell and the fraction of a position, axis by axis: one load, one cast,
// one question for the three checks. Constants may differ, and a component that
// is not computed takes the lane's place all the same. What goes its own way
// is taken out again.
// CHECK-LABEL: chi.task @cell
// CHECK: %[[X:.*]] = chi.load %arg0[%arg2 : i32] inbounds {contiguous} : <?x!chi.vec<3xf32>> -> vector<3xf32>
// CHECK-NOT: chi.load
// CHECK: %[[N:.*]] = arith.constant dense<[6.200000e+01, 3.000000e+01, 1.400000e+01]>
// CHECK: %[[OK:.*]] = arith.cmpf ult, %[[X]], %[[N]] : vector<3xf32>
// CHECK-DAG: %[[OK2:.*]] = vector.extract %[[OK]][2]
// CHECK-DAG: %[[OK1:.*]] = vector.extract %[[OK]][1]
// CHECK-DAG: %[[OK0:.*]] = vector.extract %[[OK]][0]
// CHECK: %[[I:.*]] = chi.to_int %[[X]] inrange : vector<3xf32> -> vector<3xi32>
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[OK]] : vector<3xi1> into i1
// CHECK: %[[SOME:.*]] = arith.xori %[[ALL]]
// CHECK: scf.if %[[SOME]] {
// CHECK-NEXT: chi.check bounds %[[OK0]]
// CHECK-NEXT: chi.check bounds %[[OK1]]
// CHECK-NEXT: chi.check bounds %[[OK2]]
// CHECK: %[[B:.*]] = arith.sitofp %[[I]] : vector<3xi32> to vector<3xf32>
// CHECK: %[[F:.*]] = arith.subf %[[X]], %[[B]] : vector<3xf32>
// CHECK: arith.constant dense<[2.000000e+00, 3.000000e+00, 2.000000e+00]> : vector<3xf32>
// CHECK: arith.mulf %[[F]], %{{.*}} : vector<3xf32>
// CHECK: chi.accum add
chi.task @cell(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !chi.field<62x30x14xf32>) over 0 (%p: i32) {
  %e0 = arith.constant 62.0 : f32
  %e1 = arith.constant 30.0 : f32
  %e2 = arith.constant 14.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %n = arith.constant 62 : i32
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %ok0 = arith.cmpf ult, %x0, %e0 : f32
  chi.check bounds %ok0 (%n, %n : i32, i32) {what = "to"}
  %i0 = chi.to_int %x0 inrange : f32 -> i32
  %ok1 = arith.cmpf ult, %x1, %e1 : f32
  chi.check bounds %ok1 (%n, %n : i32, i32) {axis = 1 : i64, what = "to"}
  %i1 = chi.to_int %x1 inrange : f32 -> i32
  %ok2 = arith.cmpf ult, %x2, %e2 : f32
  chi.check bounds %ok2 (%n, %n : i32, i32) {axis = 2 : i64, what = "to"}
  %i2 = chi.to_int %x2 inrange : f32 -> i32
  %b0 = arith.sitofp %i0 : i32 to f32
  %b1 = arith.sitofp %i1 : i32 to f32
  %b2 = arith.sitofp %i2 : i32 to f32
  %f0 = arith.subf %x0, %b0 : f32
  %f1 = arith.subf %x1, %b1 : f32
  %f2 = arith.subf %x2, %b2 : f32
  %g0 = arith.mulf %f0, %two : f32
  %g1 = arith.mulf %f1, %three : f32
  %w = arith.mulf %g0, %g1 : f32
  %v = arith.addf %w, %f2 : f32
  chi.accum add %v, %to[%i0, %i1, %i2 : i32, i32, i32] inbounds strategy(privatized) : f32, !chi.field<62x30x14xf32>
  chi.next
}

// A store between the loads might change what they find; components that lie
// apart are no vector; and of what is computed but once nothing is saved.
// CHECK-LABEL: chi.task @alone
// CHECK-NOT: vector<3xf32>
// CHECK: chi.next
chi.task @alone(%x: !chi.field<?x!chi.vec<3xf32>>, %y: !chi.field<?x!chi.vec<3xf32>, soa>, %to: !chi.field<62xf32>) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.store %x0, %to[%p : i32] inbounds : f32, !chi.field<62xf32>
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.negf %x0 : f32
  %a1 = arith.negf %x1 : f32
  %a2 = arith.negf %x2 : f32
  %y0 = chi.load %y[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %y1 = chi.load %y[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %y2 = chi.load %y[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %b0 = arith.mulf %y0, %a0 : f32
  %b1 = arith.mulf %y1, %a1 : f32
  %b2 = arith.mulf %y2, %a2 : f32
  %i = chi.to_int %b0 : f32 -> i32
  %s = arith.addf %b1, %b2 : f32
  chi.accum add %s, %to[%i : i32] strategy(privatized) : f32, !chi.field<62xf32>
  chi.next
}
