// RUN: chi-opt %s --chi-insert-checks --chi-remove-checks --split-input-file | FileCheck %s

// Nodes round a place that is computed from data, in an unrolled loop: one
// check. Two places of the source keep theirs (below).
// CHECK-LABEL: chi.task @nodes
// CHECK:       %[[BASE:.*]] = chi.to_int
// CHECK:       arith.cmpi ult, %[[BASE]], %c126_i32
// CHECK:       chi.check bounds
// CHECK-NOT:   chi.check
// CHECK:       arith.addi %[[BASE]], {{.*}} overflow<nsw>
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @nodes (%x: !chi.field<8192xf32>, %g: !chi.field<128xf32>) over 0 (%p: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %v = chi.load %x[%p : i32] : !chi.field<8192xf32> -> f32
  %base = chi.to_int %v : f32 -> i32
  chi.accum add %v, %g[%base : i32] : f32, !chi.field<128xf32> loc(#access)
  %b1 = arith.addi %base, %c1 : i32
  chi.accum add %v, %g[%b1 : i32] : f32, !chi.field<128xf32> loc(#access)
  %b2 = arith.addi %base, %c2 : i32
  chi.accum add %v, %g[%b2 : i32] : f32, !chi.field<128xf32> loc(#access)
  chi.next
}
#access = loc("nodes.chi":5:9 to :30)

// -----

// An assertion between them keeps them apart.
// CHECK-LABEL: chi.task @asserted
// CHECK:       chi.check bounds
// CHECK:       chi.check assert
// CHECK:       chi.check bounds
chi.task @asserted (%g: !chi.field<128xf32>, %base: i32, %v: f32, %ok: i1) () {
  %c1 = arith.constant 1 : i32
  chi.store %v, %g[%base : i32] : f32, !chi.field<128xf32>
  chi.check assert %ok {what = "ok"}
  %b1 = arith.addi %base, %c1 : i32
  chi.store %v, %g[%b1 : i32] : f32, !chi.field<128xf32>
  chi.next
}

// -----

// CHECK-LABEL: chi.task @places
// CHECK-COUNT-2: chi.check bounds
// CHECK:       chi.next
chi.task @places (%g: !chi.field<128xf32>, %base: i32, %v: f32) () {
  %c1 = arith.constant 1 : i32
  chi.store %v, %g[%base : i32] : f32, !chi.field<128xf32>
  %b1 = arith.addi %base, %c1 : i32
  chi.store %v, %g[%b1 : i32] : f32, !chi.field<128xf32>
  chi.next
}
