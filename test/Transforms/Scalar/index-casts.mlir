// RUN: chi-opt %s --chi-attach-device=casts-longs=false --chi-index-casts | FileCheck %s

// An axis that iterations run along is in memory: it has no 2^51 elements. A
// number of 64 bits from elsewhere may be any, one of 32 needs no help.
// CHECK-LABEL: chi.task @ramp
chi.task @ramp(%x: !chi.field<?xf32>, %n: i64, %m: i32) over 0 (%i: i64) {
  %three = arith.constant 3 : i64
  %j = arith.muli %i, %three : i64
  // CHECK: arith.sitofp %{{.*}} {chi.in_range} : i64 to f32
  %a = arith.sitofp %j : i64 to f32
  // CHECK: arith.sitofp %{{.*}} {chi.in_range} : i64 to f64
  %b = arith.sitofp %i : i64 to f64
  // CHECK: arith.sitofp %{{.*}} : i64 to f32
  %c = arith.sitofp %n : i64 to f32
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  %d = arith.sitofp %m : i32 to f32
  // CHECK: arith.sitofp %{{.*}} : i64 to f16
  %e = arith.sitofp %i : i64 to f16
  chi.store %a, %x[%i : i64] : f32, !chi.field<?xf32>
  chi.next
}
