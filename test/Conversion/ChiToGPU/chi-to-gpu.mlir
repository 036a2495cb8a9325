// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// Each task is a kernel: thread t of n takes t, t + n, … What its parameters
// are stands on it. Control code goes.
// CHECK-NOT:  func.func @control
// CHECK:      gpu.module @kernels
// CHECK:        memref.global {{.*}} : memref<2xi32> = dense<[7, 1]>
func.func @control() attributes {chi.control} {
  return
}

// Two axes with run-time extents: neighbouring threads differ in the innermost
// index. Whether the fields are two is unknown.
// CHECK-LABEL: gpu.func @blur
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[A:[a-z0-9]+]]: f32, %[[FROM0:[a-z0-9]+]]: index, %[[ROWS:[a-z0-9]+]]: index, %[[FROM1:[a-z0-9]+]]: index, %[[COLUMNS:[a-z0-9]+]]: index)
// CHECK-SAME:    kernel attributes {chi.axes = "i, j"
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0), extent(0, 0), data(1), extent(1, 0), scalar(2), from(0), count(0), from(1), count(1)]
// CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>
// CHECK:         %[[BLOCK:.*]] = gpu.block_id
// CHECK:         %[[FIRST:.*]] = arith.muli %[[BLOCK]],
// CHECK:         %[[THREAD:.*]] = arith.addi %[[FIRST]], %thread_id
// CHECK:         %[[THREADS:.*]] = arith.muli %grid_dim
// CHECK:         %[[COUNT:.*]] = arith.muli %{{.*}}, %[[COLUMNS]]
// CHECK:         scf.for %[[NUMBER:.*]] = %[[THREAD]] to %[[COUNT]] step %[[THREADS]] {
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %[[COLUMNS]]
// CHECK:           arith.addi %[[FROM1]], %[[COLUMN]]
// CHECK:           %[[ROW:.*]] = arith.divui %[[NUMBER]], %[[COLUMNS]]
// CHECK:           arith.addi %[[FROM0]], %[[ROW]]
// CHECK:           memref.load %[[X]]
// CHECK:           arith.mulf %{{.*}}, %[[A]]
// CHECK:           memref.store %{{.*}}, %[[Y]]
// CHECK:         gpu.return
!V = !chi.field<?x5x!chi.vec<2xf32>>
chi.task @blur(%x: !V, %y: !V, %a: f32) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %v = chi.load %x[%i, %j : i32, i32] component 1 inbounds : !V -> f32
  %w = arith.mulf %v, %a : f32
  chi.store %w, %y[%i, %j : i32, i32] component 0 inbounds : f32, !V
  chi.next
}

// Fields of different types are two. Where iterations meet atomics settle it;
// one's own element is plain.
// CHECK-LABEL: gpu.func @scatter
// CHECK-SAME:    (%[[K:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[H:[a-z0-9]+]]: memref<?xi32> {llvm.noalias})
// CHECK:         scf.for
// CHECK:           memref.atomic_rmw addi %{{.*}}, %[[H]][
// CHECK:           %[[OLD:.*]] = memref.load %[[K]]
// CHECK:           %[[SUM:.*]] = arith.addi %[[OLD]]
// CHECK:           memref.store %[[SUM]], %[[K]]
// CHECK:         gpu.return
chi.task @scatter(%k: !chi.field<64xi32>, %h: !chi.field<8xi32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %bin = chi.load %k[%i : i32] inbounds : !chi.field<64xi32> -> i32
  chi.accum add %one, %h[%bin : i32] inbounds strategy(atomic) : i32, !chi.field<8xi32>
  chi.accum add %one, %k[%i : i32] inbounds strategy(plain) : i32, !chi.field<64xi32>
  chi.next
}

// A plain sum of a field that may be another one too: iterations may meet there.
// CHECK-LABEL: gpu.func @both
// CHECK-SAME:    (%[[A:[a-z0-9]+]]: memref<?xi32>, %[[B:[a-z0-9]+]]: memref<?xi32>)
// CHECK:           memref.atomic_rmw addi %{{.*}}, %[[A]][
!I = !chi.field<8xi32>
chi.task @both(%a: !I, %b: !I) over 0 (%i: i32) {
  %v = chi.load %b[%i : i32] inbounds : !I -> i32
  chi.accum add %v, %a[%i : i32] inbounds strategy(plain) : i32, !I
  chi.next
}

// Known launch arguments are no parameters. Narrow scalars come in words of 32
// bits. The seed, and where failures go, are parameters of kernels that need them.
// CHECK-LABEL: gpu.func @narrow
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<?xf16> {llvm.noalias}, %[[H:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32, %[[SEED:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: memref<?xi32>, %{{[a-z0-9]+}}: memref<?xi64>)
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), scalar(2), seed, failures, records]
// CHECK:         %[[BITS:.*]] = arith.trunci %[[H]] : i32 to i16
// CHECK:         arith.bitcast %[[BITS]] : i16 to f16
// CHECK:         arith.trunci %[[B]] : i32 to i1
// CHECK:           arith.shrui %[[SEED]],
// CHECK:           chi.check bounds %{{.*}} (%{{.*}}, %[[INDEX:.*]], %{{.*}} : i32, i64, i64) {iteration = 1 : i64, numbered_iteration
chi.task @narrow(%x: !chi.field<8xf16>, %h: f16, %b: i1) over 0 (%i: i32)
    attributes {facts = #chi.facts<from = [= 0], to = [= 8], inputs = [?, ?, ?], noalias = [0]>} {
  %zero = arith.constant 0 : i32
  %it = chi.iteration : i64
  %bits = chi.random loop 1 call %zero launch %zero iteration %it draw %zero
  %low = arith.trunci %bits : i64 to i32
  chi.check bounds %b (%low : i32) {what = "x"}
  chi.store %h, %x[%i : i32] inbounds : f16, !chi.field<8xf16>
  chi.next
}

// Without axes there is one iteration, the first thread's. A function that is
// called goes along.
// CHECK-LABEL: gpu.func @alone
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[ONE]] step
// CHECK:           func.call @half
// CHECK-NOT:       atomic
// CHECK:         gpu.return
func.func private @half(%v: i32) -> i32 {
  %two = arith.constant 2 : i32
  %r = chi.floordiv %v, %two : i32
  return %r : i32
}
chi.task @alone(%s: !chi.field<i32>) () {
  %v = chi.load %s[] inbounds : !chi.field<i32> -> i32
  %w = func.call @half(%v) : (i32) -> i32
  chi.accum add %w, %s[] inbounds : i32, !chi.field<i32>
  chi.next
}

// What is printed knows its iteration, and launches take some of the iterations.
// CHECK-LABEL: gpu.func @prints
// CHECK-SAME:    %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: memref<?xi32>, %{{[a-z0-9]+}}: memref<?xi64>) kernel
// CHECK-SAME:    first, last, logSize, log], logWords = 3
// CHECK:         %[[THREAD:.*]] = arith.addi %{{.*}}, %[[FIRST]] overflow
// CHECK:         scf.for %[[NUMBER:.*]] = %[[THREAD]] to %[[LAST]]
// CHECK:           %[[I:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:           chi.print [{shape = array<i64>, type = "i64"}, "v = ", {shape = array<i64>, type = "i32"}](%[[I]], %{{.*}} : i64, i32)
chi.task @prints(%x: !I) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !I -> i32
  chi.print ["v = ", {shape = array<i64>, type = "i32"}](%v : i32)
  chi.next
}

// So does an access that --check=races watches; it is reported before it happens.
// CHECK-LABEL: gpu.func @watched
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32>
// CHECK-SAME:    logWords = 4
// CHECK:         scf.for %[[NUMBER:.*]] =
// CHECK:           %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK-NEXT:      %[[I:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK-NEXT:      chi.record_access %[[X]][%[[AT]]] by %[[I]] kind 1 of "x" : memref<?xi32>
// CHECK:           memref.store %{{.*}}, %[[X]][
chi.task @watched(%x: !I) over 0 (%i: i32) {
  chi.store %i, %x[%i : i32] inbounds {field_name = "x", race_kind = 1 : i32} : i32, !I
  chi.next
}

// An array of constants lies beside the kernels.
// CHECK-LABEL: gpu.func @looks
// CHECK:         memref.get_global @[[TABLE:.*]] : memref<2xi32>
chi.task @looks(%x: !I) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %a = chi.local "a" : !chi.local<2xi32>
  chi.set %c7, %a[%c0 : i32] : i32, !chi.local<2xi32>
  chi.set %c1, %a[%c1 : i32] : i32, !chi.local<2xi32>
  %k = chi.load %x[%i : i32] inbounds : !I -> i32
  %v = chi.get %a[%k : i32] : !chi.local<2xi32> -> i32
  chi.store %v, %x[%i : i32] inbounds : i32, !I
  chi.next
}
