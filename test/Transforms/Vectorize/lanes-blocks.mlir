// RUN: chi-opt %s --chi-lanes --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-attach-device="vector-bytes=32 vector-registers=16 has-masks=false" --chi-lanes | FileCheck %s --check-prefix=HALF
// RUN: chi-opt %s --chi-lanes | chi-opt | chi-opt --mlir-print-op-generic | chi-opt | FileCheck %s --check-prefix=TRIP

// TRIP: rows = array<i64: 0, 8>

// Rows of axis 0, two further out, share the filter: one load for eight sums.
// All lanes turn together without masks until the first is done. Lanes count
// backwards: the filter is then read forwards, and only the sums are reversed.
// CHECK-LABEL: chi.task @conv
// CHECK-SAME: lanes = 32 : i64, rows = array<i64: 0, 8>
// HALF-LABEL: chi.task @conv
// HALF-SAME: lanes = 16 : i64, rows = array<i64: 0, 4>
// CHECK: wide {
// CHECK: ^bb0(%[[W:.*]]: !chi.field<?x?xf32>, %[[K:.*]]: !chi.field<32x8x768xf32>, %[[OUT:.*]]: !chi.field<32x8x768xf32>, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[T:.*]]: i32)
// CHECK-DAG: %[[B7:.*]] = arith.addi %[[B]], %c7_i32 overflow<nsw> : i32
// CHECK: %[[DONE:.*]] = arith.maxsi
// CHECK: %[[MAIN:.*]]:8 = scf.for %[[U:.*]] = %c0_i32 to %[[DONE]] step %c1_i32 iter_args({{.*}}) -> (vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>)
// CHECK-COUNT-1: chi.load %[[W]][%[[C]], %{{.*}} : i32, vector<32xi32>] inbounds {unit_axis = 1 : i64}
// CHECK-NOT: chi.load %[[W]]
// CHECK: chi.load %[[K]][%[[B]], %[[C]], %[[U]] : i32, i32, i32] inbounds : <32x8x768xf32> -> f32
// CHECK: chi.load %[[K]][%[[B7]], %[[C]], %[[U]] : i32, i32, i32] inbounds : <32x8x768xf32> -> f32
// CHECK: scf.yield
// CHECK: scf.for %[[V:.*]] = %[[DONE]] to %{{.*}} iter_args(%[[SUM:[a-z0-9]*]] = %[[MAIN]]#0
// CHECK:   %[[ALL:.*]] = vector.broadcast %[[V]]
// CHECK:   %[[LIVE:.*]] = arith.cmpi slt, %[[ALL]], %{{.*}} : vector<32xi32>
// CHECK:   chi.load %[[W]]{{.*}} mask(%[[LIVE]] : vector<32xi1>)
// CHECK:   arith.select %[[LIVE]], %{{.*}}, %[[SUM]]
// CHECK: chi.store %{{.*}}, %[[OUT]][%[[B]], %[[C]], %{{.*}} : i32, i32, vector<32xi32>] inbounds {reversed, unit_axis = 2 : i64}
// CHECK: chi.store %{{.*}}, %[[OUT]][%[[B7]], %[[C]], %{{.*}} : i32, i32, vector<32xi32>]
chi.task @conv(%w: !chi.field<?x?xf32>, %k: !chi.field<32x8x768xf32>, %out: !chi.field<32x8x768xf32>) over 2 (%b: i32, %c: i32, %t: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 767 : i32
  %start = arith.constant 0.0 : f32
  %n = arith.addi %t, %one : i32
  %s = scf.for %u = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %d = arith.subi %t, %u : i32
    %i = arith.subi %last, %d : i32
    %x = chi.load %w[%c, %i : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
    %y = chi.load %k[%b, %c, %u : i32, i32, i32] inbounds : !chi.field<32x8x768xf32> -> f32
    %p = arith.mulf %x, %y fastmath<fast> : f32
    %q = arith.addf %a, %p fastmath<fast> : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%b, %c, %t : i32, i32, i32] inbounds : f32, !chi.field<32x8x768xf32>
  chi.next
}

// A product of matrices of unknown size. Each check is its row's.
// CHECK-LABEL: chi.task @product
// CHECK-SAME: rows = array<i64: 0, 8>
// CHECK: wide {
// CHECK: chi.check bounds %{{.*}} {what = "c"}
// CHECK: chi.check bounds %{{.*}} {row = 1 : i64, what = "c"}
// CHECK: chi.check bounds %{{.*}} {row = 7 : i64, what = "c"}
// CHECK: scf.for
chi.task @product(%a: !chi.field<?x?xf32>, %b: !chi.field<?x?xf32>, %c: !chi.field<?x?xf32>, %n: i32) over 2 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %ok = arith.cmpi slt, %i, %n : i32
  chi.check bounds %ok {what = "c"}
  %s = scf.for %k = %zero to %n step %one iter_args(%sum = %start) -> (f32) : i32 {
    %x = chi.load %a[%i, %k : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
    %y = chi.load %b[%k, %j : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %sum, %p : f32
    scf.yield %q : f32
  }
  chi.store %s, %c[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  chi.next
}

// A band: lanes wait for their start and are done at different turns. Where
// some do and others are, there may be no live lane, and nothing is loaded.
// CHECK-LABEL: chi.task @band
// CHECK: wide {
// CHECK: scf.for
// CHECK:   arith.cmpi sge
// CHECK:   arith.cmpi slt
// CHECK:   %[[SOME:.*]] = vector.reduction <or>
// CHECK:   scf.if %[[SOME]]
// CHECK:     chi.load
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK:   chi.load
// CHECK: scf.for
// CHECK-NOT: arith.cmpi sge
// CHECK:   arith.cmpi slt
// CHECK-NOT: scf.if
// CHECK:   chi.load
chi.task @band(%x: !chi.field<4096xf64>, %y: !chi.field<4096xf64>, %n: i32) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 100 : i32
  %start = arith.constant 0.0 : f64
  %before = arith.subi %i, %far : i32
  %after = arith.addi %i, %far : i32
  %from = arith.maxsi %before, %zero : i32
  %to = arith.minsi %after, %n : i32
  %s = scf.for %k = %from to %to step %one iter_args(%a = %start) -> (f64) : i32 {
    %v = chi.load %x[%k : i32] inbounds : !chi.field<4096xf64> -> f64
    %p = arith.addf %a, %v : f64
    scf.yield %p : f64
  }
  chi.store %s, %y[%i : i32] inbounds : f64, !chi.field<4096xf64>
  chi.next
}

// Rows that turn differently often run one after the other.
// CHECK-LABEL: chi.task @rowsApart
// CHECK-NOT: rows =
// CHECK: wide {
chi.task @rowsApart(%x: !chi.field<512x512xf32>, %y: !chi.field<512x512xf32>) over 1 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %i step %one iter_args(%a = %start) -> (f32) : i32 {
    %v = chi.load %x[%k, %j : i32, i32] inbounds : !chi.field<512x512xf32> -> f32
    %p = arith.addf %a, %v : f32
    scf.yield %p : f32
  }
  chi.store %s, %y[%i, %j : i32, i32] inbounds : f32, !chi.field<512x512xf32>
  chi.next
}

// Left alone: lanes apart in memory, loops that LLVM unrolls (a window does
// so away from the ends of a row), a check in the loop, a row shorter than a
// register.
// CHECK-NOT: wide {
chi.task @apart(%m: !chi.field<512x512xf32>, %v: !chi.field<512xf32>, %y: !chi.field<512xf32>) over 2 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 512 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %x = chi.load %m[%i, %k : i32, i32] inbounds : !chi.field<512x512xf32> -> f32
    %z = chi.load %v[%k : i32] inbounds : !chi.field<512xf32> -> f32
    %p = arith.mulf %x, %z fastmath<fast> : f32
    %q = arith.addf %a, %p fastmath<fast> : f32
    scf.yield %q : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<512xf32>
  chi.next
}

chi.task @short(%x: !chi.field<512xf32>, %y: !chi.field<500xf32>) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 5 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %j = arith.addi %i, %k : i32
    %v = chi.load %x[%j : i32] inbounds : !chi.field<512xf32> -> f32
    %p = arith.addf %a, %v : f32
    scf.yield %p : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<500xf32>
  chi.next
}

chi.task @window(%x: !chi.field<512xf32>, %y: !chi.field<512xf32>) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %end = arith.constant 512 : i32
  %start = arith.constant 0.0 : f32
  %before = arith.subi %i, %three : i32
  %after = arith.addi %three, %i : i32
  %from = arith.maxsi %before, %zero : i32
  %to = arith.minsi %after, %end : i32
  %s = scf.for %k = %from to %to step %one iter_args(%a = %start) -> (f32) : i32 {
    %v = chi.load %x[%k : i32] inbounds : !chi.field<512xf32> -> f32
    %p = arith.addf %a, %v : f32
    scf.yield %p : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<512xf32>
  chi.next
}

chi.task @checked(%x: !chi.field<512xf32>, %y: !chi.field<500xf32>, %n: i32) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 512 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %j = arith.addi %i, %k : i32
    %ok = arith.cmpi ult, %j, %end : i32
    chi.check bounds %ok (%j, %end : i32, i32) {what = "x"}
    %v = chi.load %x[%j : i32] inbounds : !chi.field<512xf32> -> f32
    %p = arith.addf %a, %v : f32
    scf.yield %p : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<500xf32>
  chi.next
}

chi.task @narrow(%x: !chi.field<512xf32>, %y: !chi.field<4xf32>, %n: i32) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %n step %one iter_args(%a = %start) -> (f32) : i32 {
    %j = arith.addi %i, %k : i32
    %v = chi.load %x[%j : i32] inbounds : !chi.field<512xf32> -> f32
    %p = arith.addf %a, %v : f32
    scf.yield %p : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<4xf32>
  chi.next
}

// A check reports the first lane that fails: lanes keep their order.
// CHECK-LABEL: chi.task @checked_conv
// CHECK: wide {
// CHECK: chi.load %{{.*}} inbounds {reversed, unit_axis = 1 : i64}
chi.task @checked_conv(%w: !chi.field<?x?xf32>, %k: !chi.field<32x8x768xf32>, %out: !chi.field<32x8x768xf32>) over 2 (%b: i32, %c: i32, %t: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 767 : i32
  %start = arith.constant 0.0 : f32
  %ok = arith.cmpi slt, %t, %last : i32
  chi.check bounds %ok {what = "w"}
  %s = scf.for %u = %zero to %last step %one iter_args(%a = %start) -> (f32) : i32 {
    %j = arith.subi %u, %t : i32
    %x = chi.load %w[%c, %j : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
    %y = chi.load %k[%b, %c, %u : i32, i32, i32] inbounds : !chi.field<32x8x768xf32> -> f32
    %p = arith.mulf %x, %y fastmath<fast> : f32
    %q = arith.addf %a, %p fastmath<fast> : f32
    scf.yield %q : f32
  }
  chi.store %s, %out[%b, %c, %t : i32, i32, i32] inbounds : f32, !chi.field<32x8x768xf32>
  chi.next
}
