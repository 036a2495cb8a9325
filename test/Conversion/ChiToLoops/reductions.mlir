// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// A tree: 16 sums a block of 1024 iterations; the groups of 16 keep a loop of
// their own, which LLVM turns into one vector operation.
// CHECK-LABEL: func.func private @sum.t0.body(
// CHECK-SAME:    %[[PARTIAL:[^:]*]]: memref<?xf32> {llvm.noalias}, %{{[^:]*}}: index, %{{[^:]*}}: index)
// CHECK:         %[[LANES:.*]] = memref.alloca() {{.*}} : memref<16xf32>
// CHECK:         scf.for %[[BLOCK:.*]] =
// CHECK:           scf.for
// CHECK:             scf.for %[[LANE:.*]] = %c0_i32{{.*}} to %c16_i32
// CHECK:               %[[L:.*]] = arith.index_cast %[[LANE]]
// CHECK:               %[[OLD:.*]] = memref.load %[[LANES]][%[[L]]]
// CHECK:               %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : f32
// CHECK:               memref.store %[[NEW]], %[[LANES]][%[[L]]]
// CHECK:             } {llvm.loop_annotation = #[[KEEP:.*]]}
// CHECK:           memref.store %{{.*}}, %[[PARTIAL]][%[[BLOCK]]]
// CHECK-LABEL: func.func private @sum.t0.finish(
// CHECK:         llvm.call @chirt_reduction_join
// CHECK-LABEL: func.func @sum(
// CHECK:         llvm.call @chirt_scratch_push
// CHECK:         llvm.call @chirt_parallel({{.*}}, %c1024_i64{{.*}},
// CHECK:         call @sum.t0.finish
// CHECK:         llvm.call @chirt_scratch_pop
!F = !chi.field<?xf32>
chi.task @sum.t0(%x: !F, %s: !chi.field<f32>) over 0 (%i: i32)
    attributes {kernel = "sum", axes = ["i"]} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %v, %s[] strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}
func.func @sum(%x: !F) -> f32 attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %s = chi.cell "s" : !chi.field<f32>
  chi.store %zero, %s[] : f32, !chi.field<f32>
  %n = chi.dim %x, 0 : !F -> i32
  chi.launch @sum.t0(%x, %s : !F, !chi.field<f32>) from (%c0 : i32) to (%n : i32)
  %r = chi.load %s[] : !chi.field<f32> -> f32
  return %r : f32
}

// Private copies: plain updates of the worker's copy; where the run time
// refuses them, atomics.
// CHECK-LABEL: func.func private @hist.t0.body(
// CHECK:         memref.load
// CHECK:         arith.addi
// CHECK:         memref.store
// CHECK-LABEL: func.func private @hist.t0.chunk(
// CHECK:         arith.select
// CHECK-LABEL: func.func private @hist.t0.may_alias(
// CHECK:         memref.atomic_rmw addi
// CHECK-LABEL: func.func @hist(
// CHECK:         llvm.call @chirt_num_chunks
// CHECK:         llvm.call @chirt_private_begin
// CHECK:         constant @hist.t0.chunk
// CHECK:         constant @hist.t0.may_alias.chunk
// CHECK:         llvm.call @chirt_private_end
chi.task @hist.t0(%x: !F, %h: !chi.field<256xi32>) over 0 (%i: i32)
    attributes {kernel = "hist", axes = ["i"]} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = chi.to_int %v : f32 -> i32
  %one = arith.constant 1 : i32
  chi.accum add %one, %h[%b : i32] inbounds strategy(privatized) : i32, !chi.field<256xi32>
  chi.next
}
func.func @hist(%x: !F, %h: !chi.field<256xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !F -> i32
  chi.launch @hist.t0(%x, %h : !F, !chi.field<256xi32>) from (%c0 : i32) to (%n : i32)
  return
}

// An iteration that is not short stores what it adds, under a condition
// nothing first; then 16 lanes are added at a time.
// CHECK-LABEL: func.func private @part.t0.body(
// CHECK:         %[[VALUES:.*]] = memref.alloca() {{.*}} : memref<1024xf32>
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[VALUES]]
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %[[VALUES]]
// CHECK:         scf.for {{.*}} -> (vector<16xf32>)
// CHECK:           arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
chi.task @part.t0(%x: !F, %s: !chi.field<f32>) over 0 (%i: i32)
    attributes {kernel = "part", axes = ["i"]} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %positive = arith.cmpf ogt, %v, %zero : f32
  scf.if %positive {
    chi.accum add %v, %s[] strategy(deterministic) : f32, !chi.field<f32>
  }
  chi.next
}
func.func @part(%x: !F, %s: !chi.field<f32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !F -> i32
  chi.launch @part.t0(%x, %s : !F, !chi.field<f32>) from (%c0 : i32) to (%n : i32)
  return
}

// Each iteration's own under one name, updates meet under two: where the fields
// are one, they are atomic.
// CHECK-LABEL: func.func private @both.t0.body(
// CHECK-NOT:     atomic_rmw
// CHECK-LABEL: func.func private @both.t0.may_alias(
// CHECK:         memref.atomic_rmw addi
// CHECK:         memref.atomic_rmw addi
// CHECK-LABEL: func.func @both(
chi.task @both.t0(%x: !chi.field<?xi32>, %y: !chi.field<?xi32>, %v: i32) over 0 (%i: i32)
    attributes {kernel = "both", axes = ["i"]} {
  %one = arith.constant 1 : i32
  %j = arith.addi %i, %one : i32
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) : i32, !chi.field<?xi32>
  chi.accum add %v, %y[%j : i32] inbounds strategy(plain) : i32, !chi.field<?xi32>
  chi.next
}
func.func @both(%x: !chi.field<?xi32>, %y: !chi.field<?xi32>, %v: i32, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @both.t0(%x, %y, %v : !chi.field<?xi32>, !chi.field<?xi32>, i32) from (%c0 : i32) to (%n : i32)
  return
}
