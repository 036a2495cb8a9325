// RUN: chi-opt %s --chi-estimate-cost | FileCheck %s

// Two accesses and a product.
// CHECK-LABEL: chi.task @scale
// CHECK-SAME:  cost = 10
chi.task @scale (%x: !chi.field<8xf32>, %a: f32) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %w = arith.mulf %a, %v : f32
  chi.store %w, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// A loop of 100 turns with an exp in it.
// CHECK-LABEL: chi.task @turns
// CHECK-SAME:  cost = 5{{[0-9][0-9][0-9]}}
chi.task @turns (%a: f32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %s = scf.for %k = %c0 to %c100 step %c1 iter_args(%b = %a) -> (f32) : i32 {
    %e = math.exp %b : f32
    scf.yield %e : f32
  }
  chi.next
}
