// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Bits of 2^52 + 2^51 and the integer make the sum of both; f32 rounds it once.
// CHECK-LABEL: llvm.func hidden @small
// CHECK-SAME:    (%[[I:.*]]: i64, %[[V:.*]]: vector<4xi64>)
// CHECK:         %[[BITS:.*]] = llvm.mlir.constant(4843621399236968448 : i64)
// CHECK:         %[[SUM:.*]] = llvm.add %[[I]], %[[BITS]] : i64
// CHECK:         %[[AS:.*]] = llvm.bitcast %[[SUM]] : i64 to f64
// CHECK:         %[[SHIFT:.*]] = llvm.mlir.constant(0x4338000000000000 : f64)
// CHECK:         %[[EXACT:.*]] = llvm.fsub %[[AS]], %[[SHIFT]] : f64
// CHECK:         llvm.fptrunc %[[EXACT]] : f64 to f32
// CHECK:         llvm.add %[[V]], %{{.*}} : vector<4xi64>
// CHECK:         %[[LANES:.*]] = llvm.fsub %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK-NOT:     llvm.fptrunc
// CHECK:         llvm.sitofp %[[I]] : i64 to f32
func.func @small(%i: i64, %v: vector<4xi64>) -> (f32, vector<4xf64>, f32) {
  %a = arith.sitofp %i {chi.in_range} : i64 to f32
  %b = arith.sitofp %v {chi.in_range} : vector<4xi64> to vector<4xf64>
  %c = arith.sitofp %i : i64 to f32
  return %a, %b, %c : f32, vector<4xf64>, f32
}
