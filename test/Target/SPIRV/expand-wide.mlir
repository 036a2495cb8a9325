// RUN: chi-opt %s --chi-halve-integers --canonicalize | FileCheck %s

// What MLIR has no halves of is made of what it has: all of a product, leading
// zeros, the nearest float.
// CHECK-LABEL: gpu.module @kernels
// CHECK-NOT:     i64
// CHECK:         func.func private @wide
// CHECK-NOT:     i64
// CHECK-COUNT-4: arith.mului_extended {{.*}} : i32
// CHECK:         math.ctlz %{{.*}} : i32
// CHECK:         %[[F:.*]] = arith.uitofp %{{.*}} : i32 to f32
// CHECK:         %[[POWER:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         %[[R:.*]] = arith.mulf %[[F]], %[[POWER]] : f32
// CHECK:         return %[[R]]
// An f32 is logged with the bits of an f64, without the type.
// CHECK:         gpu.func @k
// CHECK-NOT:     f64
// CHECK:         arith.bitcast %{{.*}} : f32 to i32
// CHECK-NOT:     f64
// CHECK:         memref.store %{{.*}} : memref<?xvector<2xi32>>
gpu.module @kernels {
  func.func private @wide(%a: i32, %b: i32) -> f32 {
    %none = ub.poison : i64
    %x = arith.extui %a : i32 to i64
    %c32 = arith.constant 32 : i64
    %u = arith.shli %x, %c32 : i64
    %y = arith.extui %b : i32 to i64
    %v = arith.ori %u, %y : i64
    %low, %high = arith.mului_extended %v, %v : i64
    %s = arith.xori %low, %high : i64
    %z = math.ctlz %s : i64
    %t = arith.shli %s, %z : i64
    %c = arith.cmpi eq, %t, %c32 : i64
    %w = arith.select %c, %none, %t : i64
    %f = arith.uitofp %w : i64 to f32
    return %f : f32
  }
  gpu.func @k(%x: memref<?xf32>, %a: i32, %told: memref<?xi64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), log], shortIndices = true>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %f = func.call @wide(%a, %a) : (i32, i32) -> f32
    memref.store %f, %x[%i] : memref<?xf32>
    %e = arith.extf %f : f32 to f64
    %word = arith.bitcast %e : f64 to i64
    memref.store %word, %told[%i] : memref<?xi64>
    gpu.return
  }
}
