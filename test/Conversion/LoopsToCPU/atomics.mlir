// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Each update that the hardware has is one relaxed instruction; any other is a
// loop of compare and exchange over the bits, which goes round with what it saw
// until nobody came between.
// CHECK-LABEL: llvm.func internal @kinds(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %[[F:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64, %[[V:[a-z0-9]+]]: i32, %[[W:[a-z0-9]+]]: f64)
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK:         llvm.atomicrmw add %[[AT]], %[[V]] monotonic
// CHECK:         llvm.atomicrmw max %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw min %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw umax %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw umin %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw _and %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw _or %{{.*}}, %[[V]] monotonic
// CHECK:         llvm.atomicrmw _xor %{{.*}}, %[[V]] monotonic
// CHECK:         %[[OLD:.*]] = llvm.atomicrmw xchg %{{.*}}, %[[V]] monotonic
// CHECK:         %[[F0:.*]] = llvm.getelementptr inbounds|nuw %[[F]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         llvm.atomicrmw fadd %[[F0]], %[[W]] monotonic
// CHECK:         llvm.atomicrmw xchg %{{.*}}, %[[W]] monotonic
// CHECK:         llvm.return %[[OLD]]
func.func private @kinds(%x: memref<?xi32>, %f: memref<?xf64>, %n: index, %v: i32, %w: f64) -> i32 attributes {chi.body} {
  %0 = memref.atomic_rmw addi %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %1 = memref.atomic_rmw maxs %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %2 = memref.atomic_rmw mins %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %3 = memref.atomic_rmw maxu %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %4 = memref.atomic_rmw minu %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %5 = memref.atomic_rmw andi %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %6 = memref.atomic_rmw ori %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %7 = memref.atomic_rmw xori %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %8 = memref.atomic_rmw assign %v, %x[%n] : (i32, memref<?xi32>) -> i32
  %9 = memref.atomic_rmw addf %w, %f[%n] : (f64, memref<?xf64>) -> f64
  %10 = memref.atomic_rmw assign %w, %f[%n] : (f64, memref<?xf64>) -> f64
  return %8 : i32
}

// A largest half: 16 bits are exchanged.
// CHECK-LABEL: llvm.func internal @largest(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64, %[[V:[a-z0-9]+]]: f16) -> f16
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK:         %[[FIRST:.*]] = llvm.load %[[AT]]{{.*}} : !llvm.ptr -> i16
// CHECK:         llvm.br ^[[LOOP:.*]](%[[FIRST]] : i16)
// CHECK:       ^[[LOOP]](%[[BITS:.*]]: i16):
// CHECK:         %[[OLD:.*]] = llvm.bitcast %[[BITS]] : i16 to f16
// CHECK:         %[[A:.*]] = llvm.fpext %[[OLD]] : f16 to f32
// CHECK:         %[[B:.*]] = llvm.fpext %[[V]] : f16 to f32
// CHECK:         %[[WIDE:.*]] = llvm.call_intrinsic "llvm.maximumnum"(%[[A]], %[[B]]) : (f32, f32) -> f32
// CHECK:         %[[NEW:.*]] = llvm.fptrunc %[[WIDE]] : f32 to f16
// CHECK:         %[[NEWBITS:.*]] = llvm.bitcast %[[NEW]] : f16 to i16
// CHECK:         %[[PAIR:.*]] = llvm.cmpxchg %[[AT]], %[[BITS]], %[[NEWBITS]] monotonic monotonic
// CHECK:         %[[SEEN:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK:         %[[DONE:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK:         llvm.cond_br %[[DONE]], ^[[AFTER:.*]], ^[[LOOP]](%[[SEEN]] : i16)
// CHECK:       ^[[AFTER]]:
// The old value is the one that was replaced.
// CHECK:         llvm.return %[[OLD]] : f16
func.func private @largest(%x: memref<?xf16>, %n: index, %v: f16) -> f16 attributes {chi.body} {
  %old = memref.generic_atomic_rmw %x[%n] : memref<?xf16> {
  ^bb0(%o: f16):
    %m = arith.maxnumf %o, %v : f16
    memref.atomic_yield %m : f16
  }
  return %old : f16
}

// A compare and swap of integers: no bits to cast, and a select inside.
// CHECK-LABEL: llvm.func internal @swap(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64, %[[E:[a-z0-9]+]]: i64, %[[V:[a-z0-9]+]]: i64) -> i64
// CHECK:       ^{{.*}}(%[[OLD:.*]]: i64):
// CHECK-NOT:     llvm.bitcast
// CHECK:         %[[SAME:.*]] = llvm.icmp "eq" %[[OLD]], %[[E]] : i64
// CHECK:         %[[NEW:.*]] = llvm.select %[[SAME]], %[[V]], %[[OLD]] : i1, i64
// CHECK:         llvm.cmpxchg %{{.*}}, %[[OLD]], %[[NEW]] monotonic monotonic
// CHECK:         llvm.return %[[OLD]] : i64
func.func private @swap(%x: memref<?xi64>, %n: index, %e: i64, %v: i64) -> i64 attributes {chi.body} {
  %old = memref.generic_atomic_rmw %x[%n] : memref<?xi64> {
  ^bb0(%o: i64):
    %same = arith.cmpi eq, %o, %e : i64
    %m = arith.select %same, %v, %o : i64
    memref.atomic_yield %m : i64
  }
  return %old : i64
}

// Two updates behind each other are two loops, of bytes a load.
// CHECK-LABEL: llvm.func internal @two(
// CHECK:         llvm.cmpxchg
// CHECK:         llvm.cmpxchg
// CHECK:         llvm.load %{{.*}} atomic monotonic {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NOT:     llvm.cmpxchg
// CHECK:         llvm.return
func.func private @two(%x: memref<?xi8>, %n: index, %v: i8) -> i8 attributes {chi.body} {
  %a = memref.generic_atomic_rmw %x[%n] : memref<?xi8> {
  ^bb0(%o: i8):
    %m = arith.muli %o, %v : i8
    memref.atomic_yield %m : i8
  }
  %b = memref.generic_atomic_rmw %x[%n] : memref<?xi8> {
  ^bb0(%o: i8):
    %m = arith.muli %o, %a : i8
    memref.atomic_yield %m : i8
  }
  %c = memref.generic_atomic_rmw %x[%n] : memref<?xi8> {
  ^bb0(%o: i8):
    memref.atomic_yield %o : i8
  }
  return %c : i8
}
