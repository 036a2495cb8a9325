// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Flat memrefs are bare pointers; updates are relaxed.
// CHECK-LABEL: llvm.func internal @body(
// CHECK-SAME:    %[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[N:.*]]: i64, %[[V:.*]]: f32)
// CHECK:         %[[A:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[N]]]
// CHECK:         llvm.load %[[A]] : !llvm.ptr -> f32
// CHECK:         llvm.atomicrmw fadd %{{.*}}, %[[V]] monotonic
// Other kinds are loops of compare and exchange.
// CHECK:         llvm.br ^[[LOOP:.*]](
// CHECK:       ^[[LOOP]](%[[OLD:.*]]: i32):
// CHECK:         llvm.fmul
// CHECK:         llvm.cmpxchg %{{.*}}, %[[OLD]], %{{.*}} monotonic monotonic
// CHECK:         llvm.cond_br
func.func private @body(%x: memref<?xf32> {llvm.noalias}, %n: index, %v: f32) attributes {chi.body} {
  %a = memref.load %x[%n] : memref<?xf32>
  %b = arith.addf %a, %v : f32
  memref.store %b, %x[%n] : memref<?xf32>
  %c = memref.atomic_rmw addf %v, %x[%n] : (f32, memref<?xf32>) -> f32
  %d = memref.generic_atomic_rmw %x[%n] : memref<?xf32> {
  ^bb0(%old: f32):
    %p = arith.mulf %old, %v : f32
    memref.atomic_yield %p : f32
  }
  return
}

// An update that keeps the old value is an atomic load.
// CHECK-LABEL: llvm.func {{.*}}@loads(
// CHECK:         %[[BITS:.*]] = llvm.load %{{.*}} atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK:         %[[OLD:.*]] = llvm.bitcast %[[BITS]] : i64 to f64
// CHECK-NOT:     llvm.cmpxchg
// CHECK:         llvm.store %[[OLD]]
func.func private @loads(%x: memref<?xf64> {llvm.noalias}, %n: index) attributes {chi.body} {
  %o = memref.generic_atomic_rmw %x[%n] : memref<?xf64> {
  ^bb0(%old: f64):
    memref.atomic_yield %old : f64
  }
  memref.store %o, %x[%n] : memref<?xf64>
  return
}

// CHECK-LABEL: llvm.func hidden @takes_address(
// CHECK:         llvm.mlir.addressof @body
func.func @takes_address() -> !llvm.ptr {
  %f = func.constant @body : (memref<?xf32>, index, f32) -> ()
  %p = builtin.unrealized_conversion_cast %f : (memref<?xf32>, index, f32) -> () to !llvm.ptr
  return %p : !llvm.ptr
}
