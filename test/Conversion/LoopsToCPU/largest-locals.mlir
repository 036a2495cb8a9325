// RUN: chi-opt %s --chi-lower-checks --convert-loops-to-cpu | FileCheck %s

// 64 KiB is what the locals of a function may take of the stack. Of more, the
// largest leave it, one by one, until the others are few enough; each takes
// whole lines of the cache in the memory that they share.

// 48 and 32 KiB: the larger one leaves, the other stays.
// CHECK-LABEL: llvm.func internal @two(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(49152 : i64) : i64
// CHECK:         %[[M:.*]] = llvm.call @chirt_scratch_push(%[[SIZE]])
// CHECK:         llvm.alloca %{{.*}} x f32
// CHECK-NOT:     llvm.alloca
// The first one lies where the memory begins.
// CHECK:         llvm.getelementptr inbounds|nuw %[[M]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NEXT:    llvm.return
func.func private @two(%n: index, %x: f64, %y: f32) {
  %a = memref.alloca() {alignment = 64 : i64} : memref<8192xf32>
  %b = memref.alloca() {alignment = 64 : i64} : memref<6144xf64>
  memref.store %y, %a[%n] : memref<8192xf32>
  memref.store %x, %b[%n] : memref<6144xf64>
  return
}

// Three of 40 KiB and a few bytes: two leave, and the second begins behind the
// first, at a line.
// CHECK-LABEL: llvm.func internal @three(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(82048 : i64) : i64
// CHECK:         %[[M:.*]] = llvm.call @chirt_scratch_push(%[[SIZE]])
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(41024 : i64) : i64
// CHECK:         llvm.getelementptr inbounds|nuw %[[M]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:         llvm.alloca %{{.*}} x i8
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NOT:     llvm.call @chirt_scratch_pop
// CHECK:         llvm.return
func.func private @three(%n: index, %x: i8) {
  %a = memref.alloca() {alignment = 64 : i64} : memref<41000xi8>
  %b = memref.alloca() {alignment = 64 : i64} : memref<41000xi8>
  %c = memref.alloca() {alignment = 64 : i64} : memref<41000xi8>
  memref.store %x, %a[%n] : memref<41000xi8>
  memref.store %x, %b[%n] : memref<41000xi8>
  memref.store %x, %c[%n] : memref<41000xi8>
  return
}

// Exactly 64 KiB fit; bits are counted as bytes.
// CHECK-LABEL: llvm.func internal @fits(
// CHECK-NOT:     chirt_scratch
// CHECK-COUNT-2: llvm.alloca
// CHECK-NOT:     chirt_scratch
// CHECK:         llvm.return
func.func private @fits(%n: index, %x: i8, %y: i1) {
  %a = memref.alloca() {alignment = 64 : i64} : memref<32768xi8>
  %b = memref.alloca() {alignment = 64 : i64} : memref<32768xi1>
  memref.store %x, %a[%n] : memref<32768xi8>
  memref.store %y, %b[%n] : memref<32768xi1>
  return
}

// A failing check leaves the function too: what it took goes back there.
// CHECK-LABEL: llvm.func internal @fails(
// CHECK:         %[[M:.*]] = llvm.call @chirt_scratch_push(
// CHECK:         llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NEXT:    llvm.return
// CHECK:         llvm.call @chirt_fail(
// CHECK-NEXT:    llvm.call @chirt_scratch_pop(%[[M]])
// CHECK-NEXT:    llvm.return
func.func private @fails(%n: index, %x: f64, %ok: i1) attributes {chi.body} {
  %b = memref.alloca() {alignment = 64 : i64} : memref<10000xf64>
  cf.cond_br %ok, ^one, ^two
^one:
  chi.check assert %ok
  memref.store %x, %b[%n] : memref<10000xf64>
  cf.br ^two
^two:
  return
}
