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
// CHECK:       chi.accum add %{{.*}}, %[[S:.*]][] strategy(tree)
// CHECK:       chi.accum max {{.*}} strategy(tree)
// CHECK:       chi.accum add {{.*}}[] component 1 strategy(tree)
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

// A component found at run time has no place in a tree.
// CHECK-LABEL: chi.task @dynamic
// CHECK-NOT:   strategy
// CHECK:       chi.next
chi.task @dynamic (%x: !chi.field<8xf32>, %v: !chi.field<!chi.vec<2xf32>>, %k: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %a, %v[] dynamic(%k : i32) component 0 : f32, !chi.field<!chi.vec<2xf32>>
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
