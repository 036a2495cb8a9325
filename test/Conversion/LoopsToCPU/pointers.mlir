// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Flat memory is a bare pointer everywhere: as an argument, in blocks, behind
// casts, in calls, and as the address of a function. An element's address is
// inside of its field, so sums of it do not wrap.

// CHECK-LABEL: llvm.func internal @blocks(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %[[Y:[a-z0-9]+]]: !llvm.ptr, %[[C:[a-z0-9]+]]: i1, %[[N:[a-z0-9]+]]: i64) -> f64
// CHECK:         llvm.cond_br %[[C]], ^[[JOIN:.*]](%[[X]] : !llvm.ptr), ^[[JOIN]](%[[Y]] : !llvm.ptr)
// CHECK:       ^[[JOIN]](%[[Z:.*]]: !llvm.ptr):
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[Z]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         %[[V:.*]] = llvm.load %[[AT]] : !llvm.ptr -> f64
// CHECK:         llvm.call @callee(%[[Z]], %[[N]], %[[V]]) : (!llvm.ptr, i64, f64) -> ()
// CHECK:         llvm.return %[[V]]
func.func private @blocks(%x: memref<?xf64>, %y: memref<?xf64>, %c: i1, %n: index) -> f64 {
  cf.cond_br %c, ^join(%x : memref<?xf64>), ^join(%y : memref<?xf64>)
^join(%z: memref<?xf64>):
  %v = memref.load %z[%n] : memref<?xf64>
  call @callee(%z, %n, %v) : (memref<?xf64>, index, f64) -> ()
  return %v : f64
}
// The element 0 is where the field begins.
// CHECK-LABEL: llvm.func internal @callee(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %{{.*}}: i64, %[[V:[a-z0-9]+]]: f64)
// CHECK-NOT:     llvm.getelementptr
// CHECK:         llvm.store %[[V]], %[[X]] : f64, !llvm.ptr
func.func private @callee(%x: memref<?xf64>, %n: index, %v: f64) {
  %z = arith.constant 0 : index
  memref.store %v, %x[%z] : memref<?xf64>
  return
}

// From and to pointers, without a trace; the function's address has its type no
// more.
// CHECK-LABEL: llvm.func internal @casts(
// CHECK-SAME:    %[[P:[a-z0-9]+]]: !llvm.ptr, %[[V:[a-z0-9]+]]: f64)
// CHECK-NOT:     unrealized
// CHECK:         llvm.store %[[V]], %[[P]]
// CHECK:         %[[F:.*]] = llvm.mlir.addressof @callee
// CHECK:         llvm.return %[[F]] : !llvm.ptr
func.func private @casts(%p: !llvm.ptr, %v: f64) -> !llvm.ptr {
  %z = arith.constant 0 : index
  %x = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<?xf64>
  memref.store %v, %x[%z] : memref<?xf64>
  %f = func.constant @callee : (memref<?xf64>, index, f64) -> ()
  %q = builtin.unrealized_conversion_cast %f : (memref<?xf64>, index, f64) -> () to !llvm.ptr
  return %q : !llvm.ptr
}

// Memory of the frame is aligned as it says.
// CHECK-LABEL: llvm.func internal @frame(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(48 : i64) : i64
// CHECK:         %[[M:.*]] = llvm.alloca %[[SIZE]] x i16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
// CHECK:         llvm.getelementptr inbounds|nuw %[[M]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         llvm.alloca %{{.*}} x i8 : (i64) -> !llvm.ptr
func.func private @frame(%n: index, %v: i16, %b: i8) {
  %m = memref.alloca() {alignment = 64 : i64} : memref<48xi16>
  memref.store %v, %m[%n] : memref<48xi16>
  %k = memref.alloca() : memref<4xi8>
  memref.store %b, %k[%n] : memref<4xi8>
  return
}

// Lanes of 64 bits and of 16: aligned as one element. The place of the first
// one may be outside, so its address promises nothing, nor do the others.
// CHECK-LABEL: llvm.func internal @lanes(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr, %[[H:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i64, %[[O:[a-z0-9]+]]: vector<4xi64>, %[[M:[a-z0-9]+]]: vector<4xi1>, %[[Z:[a-z0-9]+]]: vector<4xf64>, %[[W:[a-z0-9]+]]: vector<4xf16>)
// CHECK:         %[[A:.*]] = llvm.getelementptr %[[X]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         %[[V:.*]] = llvm.intr.masked.load %[[A]], %[[M]], %[[Z]] {alignment = 8 : i32}
// CHECK:         %[[B:.*]] = llvm.getelementptr %[[X]][%[[N]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         %[[ALL:.*]] = llvm.getelementptr %[[B]][%[[O]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f64
// CHECK:         llvm.intr.masked.scatter %[[V]], %[[ALL]], %[[M]] {alignment = 8 : i32}
// CHECK:         llvm.intr.masked.store %[[W]], %{{.*}}, %[[M]] {alignment = 2 : i32}
func.func private @lanes(%x: memref<?xf64>, %h: memref<?xf16>, %n: index, %o: vector<4xi64>, %m: vector<4xi1>, %z: vector<4xf64>, %w: vector<4xf16>) {
  %v = vector.maskedload %x[%n], %m, %z : memref<?xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  vector.scatter %x[%n] [%o], %m, %v : memref<?xf64>, vector<4xi64>, vector<4xi1>, vector<4xf64>
  vector.maskedstore %h[%n], %m, %w : memref<?xf16>, vector<4xi1>, vector<4xf16>
  return
}
