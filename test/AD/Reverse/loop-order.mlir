// Loops of an adjoint go through the iterations of the primal's in their order where these only add, and backwards where one needs what the next gave.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

// A convolution, whose own loop counts the taps.
// CHECK-LABEL: chi.task @conv.adj(
// CHECK:         %[[END:.*]] = arith.addi %[[T:.*]], %c1_i32
// CHECK:         scf.for %[[U:.*]] = %c0_i32 to %[[END]] step %c1_i32
// CHECK-DAG:       %[[BACK:.*]] = arith.subi %[[T]], %[[U]]
// CHECK-DAG:       chi.accum add %{{.*}}, %{{.*}}[%[[U]] : i32]
// CHECK-DAG:       chi.accum add %{{.*}}, %{{.*}}[%[[BACK]] : i32]
chi.task @conv(%w: !chi.field<?xf64>, %k: !chi.field<?xf64>, %y: !chi.field<?xf64>) over 2 (%t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f64
  %to = arith.addi %t, %c1 : i32
  %s = scf.for %u = %c0 to %to step %c1 iter_args(%sum = %zero) -> f64 : i32 {
    %v = arith.subi %t, %u : i32
    %a = chi.load %w[%v : i32] inbounds : !chi.field<?xf64> -> f64
    %b = chi.load %k[%u : i32] inbounds : !chi.field<?xf64> -> f64
    %p = arith.mulf %a, %b : f64
    %next = arith.addf %sum, %p : f64
    scf.yield %next : f64
  }
  chi.store %s, %y[%t : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}

// A product: what the reverse sweep carries is no sum.
// CHECK-LABEL: chi.task @product.adj(
// CHECK:         scf.for
// CHECK:         scf.for %[[Q:.*]] = %c0_i32 to %c9_i32 step %c1_i32 iter_args
// CHECK:           arith.subi %c8_i32, %[[Q]]
// CHECK:           chi.accum add
chi.task @product(%w: !chi.field<9xf64>, %y: !chi.field<?xf64>) over 1 (%t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %one = arith.constant 1.0 : f64
  %s = scf.for %u = %c0 to %c9 step %c1 iter_args(%product = %one) -> f64 : i32 {
    %a = chi.load %w[%u : i32] inbounds : !chi.field<9xf64> -> f64
    %next = arith.mulf %product, %a : f64
    scf.yield %next : f64
  }
  chi.store %s, %y[%t : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}

// Stores in place: each takes the adjoint that later ones left.
// CHECK-LABEL: chi.task @inplace.adj(
// CHECK:         scf.for %[[Q:.*]] = %c0_i32 to %c9_i32 step %c1_i32 :
// CHECK:           arith.subi %c8_i32, %[[Q]]
// CHECK:           chi.store
chi.task @inplace(%w: !chi.field<9xf64>, %y: !chi.field<9xf64>) (%t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  scf.for %u = %c0 to %c9 step %c1 : i32 {
    %a = chi.load %w[%u : i32] inbounds : !chi.field<9xf64> -> f64
    chi.store %a, %y[%u : i32] inbounds : f64, !chi.field<9xf64>
  }
  chi.next
}

// A band, which begins and ends with the row.
// CHECK-LABEL: chi.task @band.adj(
// CHECK-DAG:     %[[FROM:.*]] = arith.maxsi
// CHECK-DAG:     %[[TO:.*]] = arith.minsi
// CHECK:         scf.for %[[J:.*]] = %[[FROM]] to %[[TO]] step %c1_i32
// CHECK:           chi.accum add %{{.*}}, %{{.*}}[%[[J]] : i32]
chi.task @band(%x: !chi.field<100xf64>, %y: !chi.field<100xf64>) over 1 (%t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c100 = arith.constant 100 : i32
  %zero = arith.constant 0.0 : f64
  %low = arith.subi %t, %c2 : i32
  %from = arith.maxsi %low, %c0 : i32
  %high = arith.addi %t, %c3 : i32
  %to = arith.minsi %high, %c100 : i32
  %s = scf.for %j = %from to %to step %c1 iter_args(%sum = %zero) -> f64 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !chi.field<100xf64> -> f64
    %p = arith.mulf %a, %a : f64
    %next = arith.addf %sum, %p : f64
    scf.yield %next : f64
  }
  chi.store %s, %y[%t : i32] inbounds : f64, !chi.field<100xf64>
  chi.next
}
