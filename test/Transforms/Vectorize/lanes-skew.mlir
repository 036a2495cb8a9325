// RUN: chi-opt %s --chi-lanes --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-attach-device="vector-bytes=16 vector-registers=16 has-masks=false" --chi-lanes | FileCheck %s --check-prefix=QUARTER
// RUN: chi-opt %s --chi-lanes="without=row-blocks" | FileCheck %s --check-prefix=WITHOUT
// RUN: chi-opt %s --chi-lanes | chi-opt | chi-opt --mlir-print-op-generic | chi-opt | FileCheck %s --check-prefix=TRIP

// TRIP: rows = array<i64: 1, 8>
// WITHOUT-NOT: rows =

// The adjoint of a filter of each channel: eight vectors, 16 elements apart,
// share each window of k, if they run as many turns behind. An argument is
// the number of those that exist.
// CHECK-LABEL: chi.task @gradient
// CHECK-SAME: lanes = 16 : i64, rows = array<i64: 1, 8>
// QUARTER-LABEL: chi.task @gradient
// QUARTER-SAME: lanes = 4 : i64, rows = array<i64: 1, 8>
// CHECK: wide {
// CHECK: ^bb0(%[[Y:.*]]: !chi.field<?x?x?xf32>, %[[K:.*]]: !chi.field<?x?x?xf32>, %[[W:.*]]: !chi.field<?x?xf32>, %[[C:.*]]: i32, %[[S:.*]]: i32, %[[COUNT:.*]]: i64)
// CHECK: scf.for %[[B:[a-z0-9]*]] =
// CHECK:   %[[ALL:.*]] = arith.cmpi sgt, %[[COUNT]], %c7_i64
// CHECK:   %[[LIMIT:.*]] = arith.select %[[ALL]], %c9223372036854775807_i64, %c-9223372036854775808_i64
// CHECK:   %[[END:.*]] = arith.minsi %{{.*}}, %[[LIMIT]] : i64
// Lanes wait for their begin; then one window for eight products.
// CHECK:   scf.for
// CHECK:     arith.cmpi sge
// CHECK:   scf.for %[[TURN:[a-z0-9]*]] = %{{.*}} to %{{.*}} step %c1_i64
// CHECK-COUNT-8: chi.load %[[Y]][%[[B]], %[[C]], %{{.*}} : i32, i32, i64] inbounds : <?x?x?xf32> -> f32
// CHECK: chi.load %[[K]][%[[B]], %[[C]], %{{.*}} : i32, i32, vector<16xi32>] inbounds {unit_axis = 2 : i64} : <?x?x?xf32> -> vector<16xf32>
// CHECK-NOT: chi.load
// CHECK:     scf.yield
// Then one row after the other is done.
// CHECK:   scf.for
// CHECK:   scf.for %[[TURN:[a-z0-9]*]] =
// CHECK:     chi.load %[[K]]
// CHECK-COUNT-8: scf.if %{{.*}} -> (vector<16xf32>)
// What is no arithmetic is done for the vectors that exist.
// CHECK: chi.accum add %{{.*}}, %[[W]][%[[C]], %{{.*}} : i32, vector<16xi32>]
// CHECK: scf.if %{{.*}} {
// CHECK:   chi.accum add
chi.task @gradient(%y: !chi.field<?x?x?xf32>, %k: !chi.field<?x?x?xf32>, %w: !chi.field<?x?xf32>) (%c: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %batch = chi.dim %y, 0 : !chi.field<?x?x?xf32> -> i32
  %times = chi.dim %y, 2 : !chi.field<?x?x?xf32> -> i32
  %last = arith.subi %times, %one : i32
  %first = arith.subi %last, %s : i32
  %shift = arith.subi %s, %last : i32
  %sum = scf.for %b = %zero to %batch step %one iter_args(%outer = %start) -> (f32) : i32 {
    %inner = scf.for %t = %first to %times step %one iter_args(%a = %outer) -> (f32) : i32 {
      %x = chi.load %y[%b, %c, %t : i32, i32, i32] inbounds : !chi.field<?x?x?xf32> -> f32
      %i = arith.addi %shift, %t : i32
      %z = chi.load %k[%b, %c, %i : i32, i32, i32] inbounds : !chi.field<?x?x?xf32> -> f32
      %p = arith.mulf %x, %z fastmath<fast> : f32
      %q = arith.addf %a, %p fastmath<fast> : f32
      scf.yield %q : f32
    }
    scf.yield %inner : f32
  }
  chi.accum add %sum, %w[%c, %s : i32, i32] inbounds strategy(plain) : f32, !chi.field<?x?xf32>
  chi.next
}

// The end shifts: the stairs come first, and the last of the vectors begins.
// CHECK-LABEL: chi.task @convolve
// CHECK-SAME: rows = array<i64: 0, 8>
// CHECK: wide {
// CHECK: ^bb0(%[[X:.*]]: !chi.field<?xf32>, %[[Y:.*]]: !chi.field<?xf32>, %{{.*}}: !chi.field<?xf32>, %[[I:.*]]: i32, %[[COUNT:.*]]: i64)
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %c1_i64
// CHECK: %[[BEFORE:.*]] = arith.muli %[[LAST]], %c-16_i64
// CHECK: scf.for %{{.*}} = %[[BEFORE]] to
// CHECK: scf.if
chi.task @convolve(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %out: !chi.field<?xf32>) over 2 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %end = arith.addi %i, %one : i32
  %s = scf.for %t = %zero to %end step %one iter_args(%a = %start) -> (f32) : i32 {
    %d = arith.subi %i, %t : i32
    %v = chi.load %x[%t : i32] inbounds : !chi.field<?xf32> -> f32
    %w = chi.load %y[%d : i32] inbounds : !chi.field<?xf32> -> f32
    %p = arith.mulf %v, %w : f32
    %q = arith.addf %a, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// Not skewed: both ends are the same for all; the begin shifts the other way;
// turns of 64 bits; rows that are shorter than two vectors.
// CHECK-LABEL: chi.task @taps
// CHECK-NOT: rows =
// CHECK: wide {
chi.task @taps(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %out: !chi.field<?xf32>, %n: i32) over 2 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %t = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %d = arith.addi %i, %t : i32
    %v = chi.load %x[%t : i32] inbounds : !chi.field<?xf32> -> f32
    %w = chi.load %y[%d : i32] inbounds : !chi.field<?xf32> -> f32
    %p = arith.mulf %v, %w : f32
    %q = arith.addf %a, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// CHECK-LABEL: chi.task @away
// CHECK-NOT: rows =
// CHECK: wide {
chi.task @away(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %out: !chi.field<?xf32>) over 2 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %end = arith.addi %i, %one : i32
  %s = scf.for %t = %zero to %end step %one iter_args(%a = %start) -> (f32) : i32 {
    %d = arith.addi %i, %t : i32
    %v = chi.load %x[%t : i32] inbounds : !chi.field<?xf32> -> f32
    %w = chi.load %y[%d : i32] inbounds : !chi.field<?xf32> -> f32
    %p = arith.mulf %v, %w : f32
    %q = arith.addf %a, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// CHECK-LABEL: chi.task @longs
// CHECK-NOT: rows =
// CHECK: wide {
chi.task @longs(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %out: !chi.field<?xf32>) over 2 (%i: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant 0.0 : f32
  %end = arith.addi %i, %one : i64
  %s = scf.for %t = %zero to %end step %one iter_args(%a = %start) -> (f32) : i64 {
    %d = arith.subi %i, %t : i64
    %v = chi.load %x[%t : i64] inbounds : !chi.field<?xf32> -> f32
    %w = chi.load %y[%d : i64] inbounds : !chi.field<?xf32> -> f32
    %p = arith.mulf %v, %w : f32
    %q = arith.addf %a, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%i : i64] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// CHECK-LABEL: chi.task @short
// CHECK-NOT: rows =
chi.task @short(%x: !chi.field<24xf32>, %y: !chi.field<24xf32>, %out: !chi.field<24xf32>) over 2 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %end = arith.addi %i, %one : i32
  %s = scf.for %t = %zero to %end step %one iter_args(%a = %start) -> (f32) : i32 {
    %d = arith.subi %i, %t : i32
    %v = chi.load %x[%t : i32] inbounds : !chi.field<24xf32> -> f32
    %w = chi.load %y[%d : i32] inbounds : !chi.field<24xf32> -> f32
    %p = arith.mulf %v, %w : f32
    %q = arith.addf %a, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%i : i32] inbounds : f32, !chi.field<24xf32>
  chi.next
}
