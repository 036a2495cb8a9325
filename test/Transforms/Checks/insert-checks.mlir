// RUN: chi-opt %s --chi-insert-checks | FileCheck %s
// RUN: chi-opt %s --chi-insert-checks=unchecked | FileCheck %s --check-prefix=NONE

// NONE-NOT: chi.check
// NONE:     inbounds

// One comparison an axis; the field's name and the axis go into the message.
// CHECK-LABEL: chi.task @static
// CHECK:       %[[OK:.*]] = arith.cmpi ult, %[[I:.*]], %c8_i32 : i32
// CHECK-NEXT:  chi.check bounds %[[OK]]{{ ?}}(%[[I]], %c8_i32 : i32, i32) {what = "x"}
// CHECK:       arith.cmpi ult, %[[J:.*]], %c4_i32
// CHECK-NEXT:  chi.check bounds {{.*}} {axis = 1 : i64, what = "x"}
// CHECK-NEXT:  chi.load %{{.*}}[%[[I]], %[[J]] : i32, i32] inbounds
// The second access of the same element needs no more.
// CHECK-NOT:   chi.check
// CHECK:       chi.store {{.*}} inbounds
// CHECK:       chi.next
chi.task @static (%x: !chi.field<8x4xf32>) (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] {field_name = "x"} : !chi.field<8x4xf32> -> f32
  chi.store %v, %x[%i, %j : i32, i32] {field_name = "x"} : f32, !chi.field<8x4xf32>
  chi.next
}

// Run-time extents are compared in 64 bits; what one branch checked does not
// count in the other.
// CHECK-LABEL: chi.task @dynamic
// CHECK:       scf.if
// CHECK:         %[[I:.*]] = arith.extsi
// CHECK:         %[[N:.*]] = chi.dim %{{.*}}, 0 : <?xf32> -> i64
// CHECK:         arith.cmpi ult, %[[I]], %[[N]] : i64
// CHECK-NEXT:    chi.check bounds
// CHECK:       else
// CHECK:         chi.check bounds
chi.task @dynamic (%x: !chi.field<?xf32>, %b: i1, %v: f32) (%i: i32) {
  scf.if %b {
    chi.store %v, %x[%i : i32] : f32, !chi.field<?xf32>
  } else {
    chi.accum add %v, %x[%i : i32] : f32, !chi.field<?xf32>
  }
  chi.next
}

// A constant index inside needs no check, one outside fails when it is run.
// CHECK-LABEL: chi.task @constants
// CHECK-NOT:   chi.check
// CHECK:       chi.load %{{.*}}[%c3_i32 : i32] inbounds
// CHECK:       chi.check bounds
// CHECK:       chi.load %{{.*}}[%c4_i32 : i32] inbounds
chi.task @constants (%x: !chi.field<4xf32>) () {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %a = chi.load %x[%c3 : i32] : !chi.field<4xf32> -> f32
  %b = chi.load %x[%c4 : i32] : !chi.field<4xf32> -> f32
  chi.next
}

// A run-time component is checked against the scalars of an element.
// CHECK-LABEL: chi.task @component
// CHECK:       arith.cmpi ult, %[[K:.*]], %c3_i32
// CHECK-NEXT:  chi.check bounds {{.*}}(%[[K]], %c3_i32 : i32, i32) {axis = 1 : i64, what = "x"}
chi.task @component (%x: !chi.field<8x!chi.vec<3xf32>>, %k: i32) (%i: i32) {
  %v = chi.load %x[%i : i32] dynamic(%k : i32) {field_name = "x"} : !chi.field<8x!chi.vec<3xf32>> -> f32
  chi.next
}

// An index of type u64 is shown as such.
// CHECK-LABEL: chi.task @wide
// CHECK:       chi.check bounds {{.*}} {is_unsigned, what = "x"}
// CHECK:       chi.check bounds {{.*}} {axis = 1 : i64, what = "x"}
chi.task @wide (%x: !chi.field<8x4xf32>, %u: i64, %j: i64) (%i: i32) {
  %v = chi.load %x[%u, %j : i64, i64] {field_name = "x", unsigned_axes = 1 : i64} : !chi.field<8x4xf32> -> f32
  chi.next
}
