// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-gpu=fast=false | FileCheck %s --check-prefix=STRICT

// Iterations with long loops are shared by as many threads as there are
// iterations: each has a partial sum of its own.
// CHECK-LABEL: gpu.func @long(
// CHECK-SAME:    params = [data(0), data(1), scalar(2), partials(0), partials(4096)], partialBytes = 8192,
// CHECK:         arith.remui %{{.*}}, %c1024
// STRICT-LABEL: gpu.func @long(
// STRICT-SAME:   params = [data(0), data(1), scalar(2), partials(0), partials(64)], perThread = 64, partialBytes = 128,
// STRICT:        arith.remui %{{.*}}, %c16
// CHECK-LABEL: gpu.func @long.finish
// CHECK-SAME:    partials(0), partials(4096), numPartials, stride]

// 15 iterations at most: a thread does 64 of them.
// CHECK-LABEL: gpu.func @short(
// CHECK-SAME:    perThread = 64, partialBytes = 64,

// A task that must be strict has the processor's lanes.
// CHECK-LABEL: gpu.func @as_written(
// CHECK-SAME:    perThread = 64, partialBytes = 64,
chi.task @long(%x: !chi.field<100000xf32>, %s: !chi.field<2xf32>, %n: i32) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = chi.load %x[%i : i32] inbounds : !chi.field<100000xf32> -> f32
  scf.for %j = %zero to %n step %one : i32 {
    %z = chi.load %x[%j : i32] inbounds : !chi.field<100000xf32> -> f32
    %p = arith.mulf %y, %z : f32
    chi.accum add %p, %s[%zero : i32] inbounds strategy(deterministic) : f32, !chi.field<2xf32>
    chi.accum max %p, %s[%one : i32] inbounds strategy(deterministic) : f32, !chi.field<2xf32>
  }
  chi.next
}
chi.task @short(%x: !chi.field<100000xf32>, %s: !chi.field<f32>) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 15 : i32
  %y = chi.load %x[%i : i32] inbounds : !chi.field<100000xf32> -> f32
  scf.for %j = %zero to %n step %one : i32 {
    %z = chi.load %x[%j : i32] inbounds : !chi.field<100000xf32> -> f32
    %p = arith.mulf %y, %z : f32
    chi.accum add %p, %s[] inbounds strategy(deterministic) : f32, !chi.field<f32>
  }
  chi.next
}
chi.task @as_written(%x: !chi.field<100000xf32>, %s: !chi.field<f32>, %n: i32) over 0 (%i: i32) attributes {strict} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = chi.load %x[%i : i32] inbounds : !chi.field<100000xf32> -> f32
  scf.for %j = %zero to %n step %one : i32 {
    chi.accum add %y, %s[] inbounds strategy(deterministic) : f32, !chi.field<f32>
  }
  chi.next
}
