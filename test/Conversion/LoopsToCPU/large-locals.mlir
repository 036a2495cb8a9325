// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// What is too large for a stack is memory of the run time, given back at each
// return; small locals stay.
// CHECK-LABEL: llvm.func internal @large(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(4000064 : i64)
// CHECK:         %[[M:.*]] = llvm.call @chirt_scratch_push(%[[SIZE]])
// CHECK:         %[[B:.*]] = llvm.getelementptr inbounds|nuw %[[M]][{{.*}}] : {{.*}}, i8
// CHECK-NOT:     llvm.alloca {{.*}} x f64
// CHECK:         llvm.alloca %{{.*}} x i32
// CHECK:         llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NEXT:    llvm.return
// CHECK:         llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NEXT:    llvm.return
func.func private @large(%c: i1, %n: index, %x: f64) -> f64 {
  %a = memref.alloca() {alignment = 64 : i64} : memref<400000xf64>
  %b = memref.alloca() {alignment = 64 : i64} : memref<100001xf64>
  %k = memref.alloca() {alignment = 64 : i64} : memref<16xi32>
  %one = arith.constant 1 : i32
  memref.store %one, %k[%n] : memref<16xi32>
  memref.store %x, %a[%n] : memref<400000xf64>
  cf.cond_br %c, ^early, ^late
^early:
  return %x : f64
^late:
  %y = memref.load %b[%n] : memref<100001xf64>
  return %y : f64
}

// CHECK-LABEL: llvm.func internal @small(
// CHECK:         llvm.alloca %{{.*}} x f64
// CHECK-NOT:     chirt_scratch
func.func private @small(%n: index, %x: f64) {
  %a = memref.alloca() {alignment = 64 : i64} : memref<8192xf64>
  memref.store %x, %a[%n] : memref<8192xf64>
  return
}
