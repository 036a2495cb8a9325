// RUN: chi-opt %s --chi-lanes | FileCheck %s

// Sums at data-dependent places of a copy that one worker owns follow one another in the wide body: one loop over the
// lanes executes them. The two scalars of an element count as one load.
// CHECK-LABEL: chi.task @scatter
// CHECK:      wide {
// CHECK:      chi.accum add {{.*}} component 1 inbounds strategy(privatized) : vector<[[N:16|8]]xf32>, <64x!chi.vec<2xf32>>
// CHECK-NEXT: chi.accum add {{.*}} inbounds strategy(privatized) : vector<[[N]]xf32>, <64x!chi.vec<2xf32>>
// CHECK:      chi.store {{.*}} : vector<[[N]]xf32>, <1024xf32>
// CHECK-NEXT: chi.next
!G = !chi.field<64x!chi.vec<2xf32>>
chi.task @scatter(%grid: !G, %y: !chi.field<1024xf32>) over 1 (%i: i32) {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "grid"}
  %1 = math.exp %x : f32
  %2 = arith.mulf %1, %x : f32
  chi.accum add %2, %grid[%at : i32] component 1 inbounds strategy(privatized) : f32, !G
  %3 = math.exp %2 : f32
  %4 = arith.mulf %3, %x : f32
  chi.accum add %4, %grid[%at : i32] inbounds strategy(privatized) : f32, !G
  %5 = math.exp %4 : f32
  %6 = arith.mulf %5, %x : f32
  chi.store %6, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// The order of a strict task's sums is that of its iterations, and so are they.
// CHECK-LABEL: chi.task @strict
// CHECK-NOT: wide {
chi.task @strict(%grid: !G, %y: !chi.field<1024xf32>) over 1 (%i: i32) attributes {strict} {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "grid"}
  %1 = math.exp %x : f32
  %2 = arith.mulf %1, %x : f32
  %3 = math.exp %2 : f32
  %4 = arith.mulf %3, %x : f32
  %5 = math.exp %4 : f32
  chi.accum add %5, %grid[%at : i32] inbounds strategy(privatized) : f32, !G
  chi.next
}

// Hardly any work, a place that all lanes share, or a sum under a condition: one by one.
// CHECK-LABEL: chi.task @few
// CHECK-NOT: wide {
chi.task @few(%grid: !G, %y: !chi.field<1024xf32>) over 1 (%i: i32) {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "grid"}
  chi.accum add %x, %grid[%at : i32] inbounds strategy(privatized) : f32, !G
  chi.next
}

// CHECK-LABEL: chi.task @shared
// CHECK-NOT: wide {
chi.task @shared(%grid: !G, %table: !chi.field<64xf32>, %y: !chi.field<1024xf32>) over 2 (%i: i32) {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "table"}
  %v = chi.load %table[%at : i32] inbounds : !chi.field<64xf32> -> f32
  %1 = math.exp %v : f32
  %2 = arith.mulf %1, %x : f32
  %3 = math.exp %2 : f32
  %4 = arith.mulf %3, %x : f32
  %5 = math.exp %4 : f32
  %6 = arith.mulf %5, %x : f32
  %7 = math.exp %6 : f32
  %8 = arith.mulf %7, %x : f32
  %9 = math.exp %8 : f32
  %10 = arith.mulf %9, %x : f32
  %11 = math.exp %10 : f32
  %12 = arith.mulf %11, %x : f32
  chi.accum add %12, %grid[%n : i32] inbounds strategy(privatized) : f32, !G
  chi.next
}

// CHECK-LABEL: chi.task @seldom
// CHECK-NOT: wide {
chi.task @seldom(%grid: !G, %y: !chi.field<1024xf32>) over 1 (%i: i32) {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "grid"}
  %1 = math.exp %x : f32
  %2 = arith.mulf %1, %x : f32
  %3 = math.exp %2 : f32
  %4 = arith.mulf %3, %x : f32
  %5 = math.exp %4 : f32
  %c = arith.cmpf olt, %5, %x : f32
  scf.if %c {
    chi.accum add %5, %grid[%at : i32] inbounds strategy(privatized) : f32, !G
  }
  chi.next
}
