// RUN: chi-opt %s --chi-lanes --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-lanes | chi-opt | chi-opt --mlir-print-op-generic | chi-opt | FileCheck %s --check-prefix=TRIP
// RUN: chi-opt %s --chi-attach-device=vector-bytes=0 --chi-lanes | FileCheck %s --check-prefix=OFF

// OFF-NOT: wide {
// TRIP: lanes = 16
// TRIP: wide

// A loop that lanes leave at different turns: the counter stays a scalar
// inside, since all that are left share it, and becomes a vector behind.
// CHECK-LABEL: chi.task @escape
// CHECK-SAME: lanes = 32 : i64
// CHECK: wide {
// CHECK: ^bb0(%[[C:.*]]: !chi.field<?x?xi32>, %[[LIMIT:.*]]: i32, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK: scf.while (%[[LIVE:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[OUT:.*]] = %{{.*}}) : (vector<32xi1>, i32, vector<32xf32>, vector<32xi32>)
// CHECK:   %[[STAY:.*]] = arith.select %[[LIVE]], %{{.*}}, %{{.*}} : vector<32xi1>
// CHECK:   arith.select %[[LIVE]], %{{.*}}, %[[OUT]] : vector<32xi1>, vector<32xi32>
// CHECK:   %[[ANY:.*]] = vector.reduction <or>, %[[STAY]]
// CHECK:   scf.condition(%[[ANY]]) %[[STAY]], %[[N]]
// CHECK: chi.store %{{.*}}, %[[C]][%[[I]], %{{.*}} : i32, vector<32xi32>] inbounds {unit_axis = 1 : i64} : vector<32xi32>
chi.task @escape(%c: !chi.field<?x?xi32>, %limit: i32) over 0 (%i: i32, %j: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %far = arith.constant 4.0 : f32
  %x0 = arith.sitofp %j : i32 to f32
  %r:2 = scf.while (%n = %zero, %x = %x0) : (i32, f32) -> (i32, f32) {
    %near = arith.cmpf olt, %x, %far : f32
    %few = arith.cmpi slt, %n, %limit : i32
    %on = arith.andi %near, %few : i1
    scf.condition(%on) %n, %x : i32, f32
  } do {
  ^bb0(%n: i32, %x: f32):
    %next = arith.addi %n, %one : i32
    %y = arith.mulf %x, %x : f32
    scf.yield %next, %y : i32, f32
  }
  chi.store %r#0, %c[%i, %j : i32, i32] inbounds : i32, !chi.field<?x?xi32>
  chi.next
}

// Short sides of an `if` are chosen between; a load waits until a lane wants
// it. A check names the lanes, a division in dead lanes divides by one. (The
// task asks for lanes: else so little work would not pay for a gather.)
// CHECK-LABEL: chi.task @sides
// CHECK: wide {
// CHECK: scf.while
// CHECK: } do {
// CHECK: ^bb0(%[[LIVE:[a-z0-9]*]]: vector<16xi1>
// CHECK:   %[[SIDE:.*]] = arith.select %[[LIVE]], %[[COND:.*]], %{{.*}} : vector<16xi1>
// CHECK:   %[[ANY:.*]] = vector.reduction <or>, %[[SIDE]]
// CHECK:   scf.if %[[ANY]] -> (vector<16xi32>) {
// CHECK:     chi.check bounds %{{.*}} lanes(16) (%{{.*}}, %{{.*}} : vector<16xi32>, i32) mask(%[[SIDE]] : vector<16xi1>)
// CHECK:     chi.load %{{.*}}[%{{.*}} : vector<16xi32>] inbounds mask(%[[SIDE]] : vector<16xi1>) : <64xi32> -> vector<16xi32>
// CHECK:   } else {
// CHECK:   %[[DIVISOR:.*]] = arith.select %[[LIVE]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK:   chi.floordiv %{{.*}}, %[[DIVISOR]] : vector<16xi32>
chi.task @sides(%x: !chi.field<64xi32>, %y: !chi.field<64xi64>) over 0 (%i: i32) attributes {lanes = 16 : i64} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 64 : i32
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %on = arith.cmpi slt, %k, %n : i32
    scf.condition(%on) %k : i32
  } do {
  ^bb0(%k: i32):
    %low = arith.cmpi slt, %k, %one : i32
    %p = scf.if %low -> (i32) {
      %ok = arith.cmpi ult, %k, %n : i32
      chi.check bounds %ok (%k, %n : i32, i32) {what = "x"}
      %v = chi.load %x[%k : i32] inbounds : !chi.field<64xi32> -> i32
      scf.yield %v : i32
    } else {
      %w = arith.muli %k, %k : i32
      scf.yield %w : i32
    }
    %q = chi.floordiv %p, %k : i32
    %s = arith.addi %k, %q : i32
    scf.yield %s : i32
  }
  %wide = arith.extsi %r : i32 to i64
  chi.store %wide, %y[%i : i32] inbounds : i64, !chi.field<64xi64>
  chi.next
}

// A trip count that varies: the loop runs while a lane has turns left.
// CHECK-LABEL: chi.task @turns
// CHECK: wide {
// CHECK: scf.while
chi.task @turns(%x: !chi.field<?xf64>, %m: !chi.field<?xi32>) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = chi.load %m[%i : i32] inbounds : !chi.field<?xi32> -> i32
  %x0 = chi.load %x[%i : i32] inbounds : !chi.field<?xf64> -> f64
  %s = scf.for %k = %zero to %t step %one iter_args(%a = %x0) -> (f64) : i32 {
    %b = arith.divf %a, %x0 : f64
    scf.yield %b : f64
  }
  chi.store %s, %x[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}

// What a loop carries may be the result of an operation without flags.
// CHECK-LABEL: chi.task @narrow
// CHECK: wide {
chi.task @narrow(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x0 = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %s = scf.for %k = %zero to %i step %one iter_args(%a = %x0) -> (f32) : i32 {
    %b = arith.extf %a : f32 to f64
    %c = arith.truncf %b : f64 to f32
    scf.yield %c : f32
  }
  chi.store %s, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// What iterations add to a sum of all of them, once each, has all lanes.
// CHECK-LABEL: chi.task @total
// CHECK: wide {
// CHECK: chi.accum add %{{.*}}, %{{.*}}[] inbounds strategy(deterministic) mask(%{{.*}} : vector<32xi1>) : vector<32xi32>, <i32>
chi.task @total(%x: !chi.field<?xi32>, %s: !chi.field<i32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %on = arith.cmpi sgt, %k, %one : i32
    scf.condition(%on) %k : i32
  } do {
  ^bb0(%k: i32):
    %h = arith.shrui %k, %one : i32
    scf.yield %h : i32
  }
  chi.accum add %r, %s[] inbounds strategy(deterministic) : i32, !chi.field<i32>
  chi.next
}

// Not widened: the task says so; an inner sum that LLVM takes by itself; no
// control that differs; a sum in a loop; fewer iterations than lanes.
// CHECK-NOT: wide {
chi.task @refused(%x: !chi.field<?xf32>) over 0 (%i: i32) attributes {lanes = 1 : i64} {
  %one = arith.constant 1 : i32
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %on = arith.cmpi sgt, %k, %one : i32
    scf.condition(%on) %k : i32
  } do {
  ^bb0(%k: i32):
    %h = arith.shrui %k, %one : i32
    scf.yield %h : i32
  }
  %f = arith.sitofp %r : i32 to f32
  chi.store %f, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

chi.task @prefix(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 1 (%i: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %s = scf.for %k = %zero to %i step %one iter_args(%a = %start) -> (f32) : i32 {
    %v = chi.load %x[%k : i32] inbounds : !chi.field<?xf32> -> f32
    %b = arith.addf %a, %v fastmath<reassoc> : f32
    scf.yield %b : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

chi.task @straight(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %w = arith.mulf %v, %v : f32
  chi.store %w, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

chi.task @few(%x: !chi.field<8xi32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %on = arith.cmpi sgt, %k, %one : i32
    scf.condition(%on) %k : i32
  } do {
  ^bb0(%k: i32):
    %h = arith.shrui %k, %one : i32
    scf.yield %h : i32
  }
  chi.store %r, %x[%i : i32] inbounds : i32, !chi.field<8xi32>
  chi.next
}

chi.task @inside(%x: !chi.field<?xi32>, %s: !chi.field<i32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %r = scf.while (%k = %i) : (i32) -> i32 {
    %on = arith.cmpi sgt, %k, %one : i32
    scf.condition(%on) %k : i32
  } do {
  ^bb0(%k: i32):
    %h = arith.shrui %k, %one : i32
    chi.accum add %h, %s[] inbounds strategy(deterministic) : i32, !chi.field<i32>
    scf.yield %h : i32
  }
  chi.next
}
