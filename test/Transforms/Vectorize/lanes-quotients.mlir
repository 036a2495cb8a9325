// RUN: chi-opt %s --chi-lanes | FileCheck %s

// A remainder by a constant is several instructions, all of which lanes share: two remainders are work enough for one sum
// at a place that data give, as two sums are not.
// CHECK-LABEL: chi.task @wrapped
// CHECK:      wide {
// CHECK:      chi.accum add {{.*}} strategy(privatized) : vector<
// CHECK-LABEL: chi.task @plain
// CHECK-NOT: wide {
!G = !chi.field<110x110xf32>
chi.task @wrapped(%grid: !G, %x: !chi.field<1024xi32>, %y: !chi.field<1024xf32>) over 1 (%i: i32) {
  %n = arith.constant 110 : i32
  %at = chi.load %x[%i : i32] inbounds : !chi.field<1024xi32> -> i32
  %v = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %r = chi.floormod %at, %n : i32
  %next = arith.addi %at, %r : i32
  %c = chi.floormod %next, %n : i32
  chi.accum add %v, %grid[%r, %c : i32, i32] inbounds strategy(privatized) : f32, !G
  chi.next
}

chi.task @plain(%grid: !G, %x: !chi.field<1024xi32>, %y: !chi.field<1024xf32>) over 1 (%i: i32) {
  %n = arith.constant 109 : i32
  %at = chi.load %x[%i : i32] inbounds : !chi.field<1024xi32> -> i32
  %v = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %r = arith.andi %at, %n : i32
  %next = arith.addi %at, %r : i32
  %c = arith.andi %next, %n : i32
  chi.accum add %v, %grid[%r, %c : i32, i32] inbounds strategy(privatized) : f32, !G
  chi.next
}
