// RUN: chi-opt --chi-expand-bfloat %s | FileCheck %s
// bf16 is i16 in memory and between operations, and f32 in arithmetic.
// CHECK-NOT: bf16

// Each operation rounds: the bits above the lower half, which decides.
// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[X:.*]]: i16, %[[Y:.*]]: i16) -> i16
// CHECK:         %[[XW:.*]] = arith.extui %[[X]] : i16 to i32
// CHECK:         %[[XU:.*]] = arith.shli %[[XW]], %{{.*}} : i32
// CHECK:         %[[XF:.*]] = arith.bitcast %[[XU]] : i32 to f32
// CHECK:         %[[YW:.*]] = arith.extui %[[Y]] : i16 to i32
// CHECK:         %[[YU:.*]] = arith.shli %[[YW]], %{{.*}} : i32
// CHECK:         %[[YF:.*]] = arith.bitcast %[[YU]] : i32 to f32
// CHECK:         %[[P:.*]] = arith.mulf %[[XF]], %[[YF]] fastmath<contract> : f32
// CHECK:         %[[B:.*]] = arith.bitcast %[[P]] : f32 to i32
// CHECK:         %[[U:.*]] = arith.shrui %[[B]], %{{.*}} : i32
// CHECK:         %[[ODD:.*]] = arith.andi %[[U]], %{{.*}} : i32
// CHECK:         %[[HALF:.*]] = arith.addi %[[ODD]], %{{.*}} : i32
// CHECK:         %[[SUM:.*]] = arith.addi %[[B]], %[[HALF]] : i32
// CHECK:         %[[NEAREST:.*]] = arith.shrui %[[SUM]], %{{.*}} : i32
// CHECK:         %[[QUIET:.*]] = arith.ori %[[U]], %{{.*}} : i32
// CHECK:         arith.cmpi ugt
// CHECK:         %[[R:.*]] = arith.select %{{.*}}, %[[QUIET]], %[[NEAREST]] : i32
// CHECK:         %[[S:.*]] = arith.trunci %[[R]] : i32 to i16
// CHECK:         return %[[S]] : i16
func.func @product(%x: bf16, %y: bf16) -> bf16 {
  %p = arith.mulf %x, %y fastmath<contract> : bf16
  return %p : bf16
}

// A comparison has no result to round; a choice moves bits.
// CHECK-LABEL: func.func @larger(
// CHECK:         arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:    arith.select %{{.*}}, %{{.*}}, %{{.*}} : i16
// CHECK-NEXT:    return
func.func @larger(%x: bf16, %y: bf16) -> bf16 {
  %c = arith.cmpf ogt, %x, %y : bf16
  %m = arith.select %c, %x, %y : bf16
  return %m : bf16
}

// A constant is its bits: 1.5 is 0x3fc0.
// CHECK-LABEL: func.func @constants(
// CHECK:         arith.constant 16320 : i16
// CHECK:         arith.constant dense<16320> : vector<4xi16>
func.func @constants() -> (bf16, vector<4xbf16>) {
  %c = arith.constant 1.5 : bf16
  %v = arith.constant dense<1.5> : vector<4xbf16>
  return %c, %v : bf16, vector<4xbf16>
}

// Lanes, memory and the update of a memory location in a loop of exchanges.
// CHECK-LABEL: func.func @memory(
// CHECK-SAME:    memref<?xi16>
// CHECK:         vector.load %{{.*}} : memref<?xi16>, vector<8xi16>
// CHECK:         arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK:         arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
// CHECK:         vector.store %{{.*}} : memref<?xi16>, vector<8xi16>
// CHECK:         memref.generic_atomic_rmw %{{.*}} : memref<?xi16>
// CHECK:         ^bb0(%[[OLD:.*]]: i16):
// CHECK:           arith.addf %{{.*}} : f32
// CHECK:           memref.atomic_yield %{{.*}} : i16
func.func @memory(%m: memref<?xbf16>, %x: bf16, %i: index) {
  %v = vector.load %m[%i] : memref<?xbf16>, vector<8xbf16>
  %w = arith.addf %v, %v : vector<8xbf16>
  vector.store %w, %m[%i] : memref<?xbf16>, vector<8xbf16>
  %old = memref.generic_atomic_rmw %m[%i] : memref<?xbf16> {
  ^bb0(%current: bf16):
    %sum = arith.addf %current, %x : bf16
    memref.atomic_yield %sum : bf16
  }
  return
}

// An f64 is rounded once: to an odd f32, then to bf16.
// CHECK-LABEL: func.func @from_double(
// CHECK:         %[[F:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK:         %[[BACK:.*]] = arith.extf %[[F]] : f32 to f64
// CHECK:         arith.cmpf one, %[[BACK]]
// CHECK:         arith.cmpf ogt
// CHECK:         arith.subi
// CHECK:         arith.ori
// CHECK:         arith.trunci %{{.*}} : i32 to i16
func.func @from_double(%x: f64) -> bf16 {
  %r = arith.truncf %x : f64 to bf16
  return %r : bf16
}

// Without bf16 nothing changes.
// CHECK-LABEL: func.func @halves(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f16
func.func @halves(%x: f16) -> f16 {
  %r = arith.addf %x, %x : f16
  return %r : f16
}
