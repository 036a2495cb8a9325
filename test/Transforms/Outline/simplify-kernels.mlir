// RUN: chi-opt %s --chi-simplify-kernels | FileCheck %s

// Host functions stay as they are; tasks, control code and functions that
// kernels call are canonicalised, and equal expressions meet.
// CHECK-LABEL: func.func @script
func.func @script(%a: i32) -> i32 attributes {chi.host} {
  // CHECK-COUNT-2: arith.muli
  %x = arith.muli %a, %a : i32
  %y = arith.muli %a, %a : i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}

// CHECK-LABEL: func.func @control
func.func @control(%a: i32) -> i32 attributes {chi.control} {
  // CHECK: %[[X:.*]] = arith.muli
  // CHECK-NOT: arith.muli
  // CHECK: arith.addi %[[X]], %[[X]]
  %x = arith.muli %a, %a : i32
  %y = arith.muli %a, %a : i32
  %z = arith.addi %x, %y : i32
  return %z : i32
}

// CHECK-LABEL: chi.task @scale
chi.task @scale (%x: !chi.field<8xf32>, %a: f32) over 0 (%i: i32) {
  // CHECK: chi.load
  // CHECK-NOT: arith.constant
  // CHECK-NOT: arith.addi
  // CHECK: chi.store
  %zero = arith.constant 0 : i32
  %j = arith.addi %i, %zero : i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.store %v, %x[%j : i32] : f32, !chi.field<8xf32>
  chi.next
}
