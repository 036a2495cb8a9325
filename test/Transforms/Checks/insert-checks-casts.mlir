// RUN: chi-opt %s --chi-insert-checks=unchecked | FileCheck %s
// RUN: chi-opt %s --chi-insert-checks | FileCheck %s --check-prefix=CHECKED

// CHECKED-NOT: inrange

// Without checks an index is right: the cast that it comes from, by steps of a
// constant, need not saturate. A NaN is index 0, with checks or without.
// CHECK-LABEL: chi.task @steps
// CHECK: %[[V:.*]] = chi.load
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[V]], %[[V]] : f32
// CHECK: %[[SAFE:.*]] = arith.select %[[NUMBER]], %[[V]], %[[ZERO]]
// CHECK: chi.to_int %[[SAFE]] inrange : f32 -> i32
chi.task @steps (%x: !chi.field<8xf32>, %y: !chi.field<8xf32>) (%i: i32) {
  %one = arith.constant 1 : i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %k = chi.to_int %v : f32 -> i32
  %next = arith.addi %k, %one : i32
  %w = chi.load %y[%next : i32] : !chi.field<8xf32> -> f32
  chi.store %w, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// Not where the access is under a condition, behind a check of the program's
// own, or of what is computed otherwise.
// CHECK-LABEL: chi.task @guarded
// CHECK-NOT: inrange
chi.task @guarded (%x: !chi.field<8xf32>, %y: !chi.field<8xf32>) (%i: i32) {
  %zero = arith.constant 0 : i32
  %eight = arith.constant 8 : i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %k = chi.to_int %v : f32 -> i32
  %in = arith.cmpi ult, %k, %eight : i32
  scf.if %in {
    chi.store %v, %y[%k : i32] : f32, !chi.field<8xf32>
  }
  %l = chi.to_int %v : f32 -> i32
  %ok = arith.cmpi sge, %l, %zero : i32
  chi.check assert %ok {what = "l is right"}
  chi.store %v, %y[%l : i32] : f32, !chi.field<8xf32>
  %m = chi.to_int %v : f32 -> i32
  %low = arith.maxsi %m, %zero : i32
  chi.store %v, %y[%low : i32] : f32, !chi.field<8xf32>
  chi.next
}
