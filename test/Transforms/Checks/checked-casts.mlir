// RUN: chi-opt %s --chi-checked-casts | FileCheck %s
// RUN: chi-opt %s --chi-checked-casts | chi-opt | FileCheck %s

// The check compares the float, as early as it can; behind it the cast need
// not saturate: NaN is 0. What the check reports is the saturated one.
// CHECK-LABEL: chi.task @cell
// CHECK: %[[X:.*]] = chi.load
// CHECK-NEXT: %[[I:.*]] = chi.to_int %[[X]] : f32 -> i32
// CHECK: %[[ABOVE:.*]] = arith.cmpf ugt, %[[X]], %cst{{.*}} : f32
// CHECK: %[[BELOW:.*]] = arith.cmpf ult, %[[X]], %cst{{.*}} : f32
// CHECK: %[[OK:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
// CHECK: chi.check bounds %[[OK]] (%[[I]], %{{.*}} : i32, i32)
// CHECK: %[[IS:.*]] = arith.cmpf ogt, %[[X]], %[[ZERO:.*]] : f32
// CHECK: %[[N:.*]] = arith.select %[[IS]], %[[X]], %[[ZERO]] : f32
// CHECK: %[[J:.*]] = chi.to_int %[[N]] inrange : f32 -> i32
// CHECK: arith.sitofp %[[J]] : i32 to f32
// CHECK: chi.accum add %{{.*}}, %{{.*}}[%[[J]] : i32]
chi.task @cell(%x: !chi.field<?xf32>, %to: !chi.field<62xf32>) over 0 (%p: i32) {
  %end = arith.constant 62 : i32
  %f = chi.load %x[%p : i32] inbounds : !chi.field<?xf32> -> f32
  %i = chi.to_int %f : f32 -> i32
  %b = arith.sitofp %i : i32 to f32
  %w = arith.subf %f, %b : f32
  %ok = arith.cmpi ult, %i, %end : i32
  chi.check bounds %ok (%i, %end : i32, i32) {what = "to"}
  chi.accum add %w, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<62xf32>
  chi.next
}

// Not past another check or a store: what fails first is reported, and what
// was stored before stays.
// CHECK-LABEL: chi.task @order
// CHECK: chi.check bounds %{{.*}} {what = "a"}
// CHECK-NOT: inrange
// CHECK: chi.store
// CHECK-NOT: inrange
chi.task @order(%x: !chi.field<?xf32>, %to: !chi.field<62xf32>) over 0 (%p: i32) {
  %end = arith.constant 62 : i32
  %f = chi.load %x[%p : i32] inbounds : !chi.field<?xf32> -> f32
  %i = chi.to_int %f : f32 -> i32
  %first = arith.cmpi ult, %p, %end : i32
  chi.check bounds %first (%p, %end : i32, i32) {what = "a"}
  %ok = arith.cmpi ult, %i, %end : i32
  chi.check bounds %ok (%i, %end : i32, i32) {what = "b"}
  %j = chi.to_int %f : f32 -> i32
  chi.store %f, %to[%p : i32] inbounds : f32, !chi.field<62xf32>
  %fine = arith.cmpi ult, %j, %end : i32
  chi.check bounds %fine (%j, %end : i32, i32) {what = "c"}
  chi.store %f, %to[%j : i32] inbounds : f32, !chi.field<62xf32>
  chi.next
}

// An extent that is not known, and one that is no float of 32 bits.
// CHECK-LABEL: chi.task @others
// CHECK-NOT: inrange
chi.task @others(%x: !chi.field<?xf32>, %to: !chi.field<?xf32>, %n: i32) over 0 (%p: i32) {
  %large = arith.constant 16777217 : i32
  %f = chi.load %x[%p : i32] inbounds : !chi.field<?xf32> -> f32
  %i = chi.to_int %f : f32 -> i32
  %ok = arith.cmpi ult, %i, %n : i32
  chi.check bounds %ok (%i, %n : i32, i32) {what = "to"}
  %j = chi.to_int %f : f32 -> i32
  %fine = arith.cmpi ult, %j, %large : i32
  chi.check bounds %fine (%j, %large : i32, i32) {what = "to"}
  chi.store %f, %to[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
