// Which accumulations have an order that the language says.
// RUN: chi-opt %s --chi-launch-facts --chi-order-sums | FileCheck %s

func.func @k(%x: !chi.field<8xf32>, %s: !chi.field<f32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.launch @once(%s : !chi.field<f32>) from (%c0 : i32) to (%c1 : i32)
  return
}

// A scalar that is only summed, each component by itself; not one that is also
// read, nor one into which the iterations go in two ways.
// CHECK-LABEL: chi.task @scalars
// CHECK:       chi.accum add %{{.*}}, %[[S:.*]][] strategy(deterministic)
// CHECK:       chi.accum max {{.*}} strategy(deterministic)
// CHECK:       chi.accum add {{.*}}[] component 1 strategy(deterministic)
// CHECK-NOT:   strategy
// CHECK:       chi.next
chi.task @scalars (%x: !chi.field<8xf32>, %s: !chi.field<f32>, %m: !chi.field<f32>, %v: !chi.field<!chi.vec<2xf32>>, %r: !chi.field<f32>, %t: !chi.field<f32>, %k: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %a, %s[] : f32, !chi.field<f32>
  chi.accum max %a, %m[] : f32, !chi.field<f32>
  chi.accum add %a, %v[] component 1 : f32, !chi.field<!chi.vec<2xf32>>
  chi.accum add %a, %r[] : f32, !chi.field<f32>
  %old = chi.load %r[] : !chi.field<f32> -> f32
  chi.accum add %a, %t[] : f32, !chi.field<f32>
  chi.accum mul %a, %t[] : f32, !chi.field<f32>
  chi.accum add %a, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// A component found at run time is one if it is the same in all iterations, and
// no other access may be of another kind; so is an element of a field.
// CHECK-LABEL: chi.task @dynamic
// CHECK:       chi.accum add {{.*}} dynamic({{.*}}) strategy(deterministic) {reduction = array<i64: 0, 0>}
// CHECK:       chi.accum add {{.*}}[%{{.*}} : i32] strategy(deterministic) {reduction = array<i64: 1, 0>}
// CHECK:       chi.accum add {{.*}}[%{{.*}} : i32] strategy(deterministic) {reduction = array<i64: 2, 0>}
// CHECK:       chi.accum add {{.*}}[%{{.*}} : i32] strategy(deterministic) {reduction = array<i64: 1, 0>}
// CHECK-NOT:   strategy
// CHECK:       chi.next
chi.task @dynamic (%x: !chi.field<8xf32>, %v: !chi.field<!chi.vec<2xf32>>, %k: i32, %y: !chi.field<8xf32>, %p: !chi.field<i32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %a = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %a, %v[] dynamic(%k : i32) component 0 : f32, !chi.field<!chi.vec<2xf32>>
  %k1 = arith.addi %k, %c1 : i32
  chi.accum add %a, %y[%k1 : i32] : f32, !chi.field<8xf32>
  %q = chi.load %p[] : !chi.field<i32> -> i32
  chi.accum add %a, %y[%q : i32] : f32, !chi.field<8xf32>
  chi.accum add %a, %y[%k1 : i32] : f32, !chi.field<8xf32>
  chi.accum add %a, %x[%c2 : i32] : f32, !chi.field<8xf32>
  chi.next
}

// Not what moves with the iteration, nor beside what does, nor what may be a
// division by 0 where no iteration came to the sum.
// CHECK-LABEL: chi.task @moving
// CHECK-NOT:   strategy
// CHECK:       chi.next
chi.task @moving (%y: !chi.field<8xf32>, %z: !chi.field<8xf32>, %k: i32, %v: f32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.accum add %v, %y[%c0 : i32] : f32, !chi.field<8xf32>
  chi.accum add %v, %y[%i : i32] : f32, !chi.field<8xf32>
  %d = arith.divsi %c8, %k : i32
  chi.accum add %v, %z[%d : i32] : f32, !chi.field<8xf32>
  chi.next
}

// One iteration does one thing after the other.
// CHECK-LABEL: chi.task @once
// CHECK-NOT:   strategy
// CHECK-LABEL: chi.task @serial
// CHECK-NOT:   strategy
chi.task @once (%s: !chi.field<f32>) (%i: i32) {
  %v = arith.constant 1.0 : f32
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.next
}
chi.task @serial (%s: !chi.field<f32>) () {
  %v = arith.constant 1.0 : f32
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.next
}
