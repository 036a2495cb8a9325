// RUN: chi-opt %s --chi-lanes | FileCheck %s

// LLVM's vectoriser leaves bodies that may stop in the middle. Enough work for
// each gather makes them worth lanes, without a loop too.
// CHECK-LABEL: chi.task @worked
// CHECK: wide {
// CHECK: chi.check bounds %{{.*}} lanes(
// CHECK: chi.load %arg0{{.*}} : vector<[[N:16|8]]xi32>] inbounds
// CHECK: math.exp %{{.*}} : vector<[[N]]xf32>
chi.task @worked(%table: !chi.field<64xf32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
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
  %13 = math.exp %12 : f32
  %14 = arith.mulf %13, %x : f32
  chi.store %14, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// Hardly any: lanes would be fetched one by one for nothing.
// CHECK-LABEL: chi.task @fetched
// CHECK-NOT: wide {
chi.task @fetched(%table: !chi.field<64xf32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
  %n = arith.constant 64 : i32
  %x = chi.load %y[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %at = chi.to_int %x : f32 -> i32
  %ok = arith.cmpi ult, %at, %n : i32
  chi.check bounds %ok (%at, %n : i32, i32) {what = "table"}
  %v = chi.load %table[%at : i32] inbounds : !chi.field<64xf32> -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// Nothing that stops it: LLVM's.
// CHECK-LABEL: chi.task @free
// CHECK-NOT: wide {
chi.task @free(%x: !chi.field<1024xf32>, %y: !chi.field<1024xf32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<1024xf32> -> f32
  %w = math.exp %v : f32
  chi.store %w, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}

// Neighbours behind a check, none of them fetched alone: rows are faster.
// CHECK-LABEL: chi.task @neighbours(
// CHECK-NOT:     wide {
// CHECK:         chi.next
// CHECK-NEXT:    }
// CHECK-NOT:     wide
chi.task @neighbours(%x: !chi.field<1024xf32>, %y: !chi.field<1024xf32>, %d: i32) over 0 (%i: i32) {
  %n = arith.constant 1024 : i32
  %at = arith.addi %i, %d : i32
  %is = arith.cmpi ult, %at, %n : i32
  chi.check bounds %is (%at, %n : i32, i32) {what = "x"}
  %v = chi.load %x[%at : i32] inbounds : !chi.field<1024xf32> -> f32
  %w = arith.mulf %v, %v : f32
  %u = arith.addf %w, %v : f32
  chi.store %u, %y[%i : i32] inbounds : f32, !chi.field<1024xf32>
  chi.next
}
