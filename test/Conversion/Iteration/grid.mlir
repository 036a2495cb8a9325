// RUN: chi-opt %s --chi-test-lower-iteration | FileCheck %s

// The iterations of a task in a nest that is not the processor's: thread t of n
// takes t, t + n, t + 2 n … Nothing of them belongs to one target.

// Two axes, run-time extents, vectors: the layout, and the indices of a number.
// CHECK-LABEL: func.func private @blur.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[A:[a-z0-9]+]]: f32, %[[FROM0:[a-z0-9]+]]: index, %[[ROWS:[a-z0-9]+]]: index, %[[FROM1:[a-z0-9]+]]: index, %[[COLUMNS:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: i64, %[[THREAD:[a-z0-9]+]]: index, %[[THREADS:[a-z0-9]+]]: index)
// CHECK:         %[[COUNT:.*]] = arith.muli %{{.*}}, %[[COLUMNS]]
// CHECK:         scf.for %[[NUMBER:.*]] = %[[THREAD]] to %[[COUNT]] step %[[THREADS]] {
// CHECK-NOT:       llvm.
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %[[COLUMNS]]
// CHECK:           %[[PLACE1:.*]] = arith.addi %[[FROM1]], %[[COLUMN]]
// CHECK:           %[[J:.*]] = arith.index_cast %[[PLACE1]] : index to i32
// CHECK:           %[[ROW:.*]] = arith.divui %[[NUMBER]], %[[COLUMNS]]
// CHECK:           %[[PLACE0:.*]] = arith.addi %[[FROM0]], %[[ROW]]
// CHECK:           %[[I:.*]] = arith.index_cast %[[PLACE0]] : index to i32
// CHECK:           memref.load %[[X]][%{{.*}}] : memref<?xf32>
// CHECK:           %[[SUM:.*]] = arith.mulf %{{.*}}, %[[A]]
// CHECK:           memref.store %[[SUM]], %[[Y]][%{{.*}}] : memref<?xf32>
// CHECK-NOT:       {{llvm|chi}}.
// CHECK:         return
// CHECK-LABEL: chi.task @scatter
!V = !chi.field<?x5x!chi.vec<2xf32>>
chi.task @blur(%x: !V, %y: !V, %a: f32) (%i: i32, %j: i32) attributes {axes = ["i", "j"]} {
  %v = chi.load %x[%i, %j : i32, i32] component 1 inbounds : !V -> f32
  %w = arith.mulf %v, %a : f32
  chi.store %w, %y[%i, %j : i32, i32] component 0 inbounds : f32, !V
  chi.next
}

// Where iterations meet the nest says how: here by atomics, also a sum that the
// processor adds up in a tree. One's own element is plain.
// CHECK-LABEL: func.func private @scatter.grid(
// CHECK-SAME:    %[[K:[a-z0-9]+]]: memref<?xi32>, %[[H:[a-z0-9]+]]: memref<?xi32>, %[[S:[a-z0-9]+]]: memref<?xf64>,
// CHECK:         scf.for
// CHECK:           %[[BIN:.*]] = memref.load %[[K]]
// CHECK:           memref.atomic_rmw addi %{{.*}}, %[[H]][
// CHECK:           memref.atomic_rmw addf %{{.*}}, %[[S]][
// CHECK:           %[[OLD:.*]] = memref.load %[[K]]
// CHECK:           arith.addi %[[OLD]]
// CHECK-NOT:       {{llvm|chi}}.
// CHECK:         return
// CHECK-LABEL: chi.task @draws
!I = !chi.field<?xi32>
chi.task @scatter(%k: !chi.field<64xi32>, %h: !chi.field<8xi32>, %s: !chi.field<f64>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %x = arith.constant 0.5 : f64
  %bin = chi.load %k[%i : i32] inbounds : !chi.field<64xi32> -> i32
  chi.accum add %one, %h[%bin : i32] inbounds strategy(privatized) : i32, !chi.field<8xi32>
  chi.accum add %x, %s[] inbounds strategy(deterministic) : f64, !chi.field<f64>
  chi.accum add %one, %k[%i : i32] inbounds strategy(plain) : i32, !chi.field<64xi32>
  chi.next
}

// Random numbers: the key is the seed, the counter the iteration's number. A
// check stays, with the indices of the iteration; so does the question whether
// a product overflows, and what is printed.
// CHECK-LABEL: func.func private @draws.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi64>, %[[FROM:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[SEED:[a-z0-9]+]]: i64,
// CHECK:         scf.for %[[NUMBER:.*]] =
// CHECK-NOT:       llvm.
// CHECK:           %[[WORD:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:           arith.shrui %[[SEED]],
// CHECK:           scf.for {{.*}} iter_args
// CHECK:           %[[BAD:.*]] = chi.overflow mul
// CHECK:           %[[INDEX:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:           chi.check overflow %{{.*}} (%{{.*}}, %[[INDEX]] : i64, i64) {iteration = 1 : i64
// CHECK:           chi.print
// CHECK-NOT:       llvm.
// CHECK:         return
// CHECK-LABEL: chi.task @alone
chi.task @draws(%x: !chi.field<8xi64>) over 0 (%i: i32) {
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %it = chi.iteration : i64
  %bits = chi.random loop 1 call %zero launch %zero iteration %it draw %zero
  %bad = chi.overflow mul %bits, %bits : i64
  %ok = arith.xori %bad, %true : i1
  chi.check overflow %ok (%bits : i64)
  chi.print ["drawn ", {shape = array<i64>, type = "i64"}](%bits : i64)
  chi.store %bits, %x[%i : i32] inbounds : i64, !chi.field<8xi64>
  chi.next
}

// Without axes there is one iteration, the first thread's. A local array lies
// in the function.
// CHECK-LABEL: func.func private @alone.grid(
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<?xf32>,
// CHECK:         %[[LOCAL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[ONE]] step
// CHECK:           %[[V:.*]] = memref.load %[[S]]
// CHECK:           memref.store %[[V]], %[[LOCAL]]
// CHECK:           %[[OLD:.*]] = memref.load %[[S]]
// CHECK:           arith.addf %[[OLD]],
// CHECK-NOT:       atomic
// CHECK:         return
chi.task @alone(%s: !chi.field<f32>) () {
  %c1 = arith.constant 1 : i32
  %a = chi.local "a" : !chi.local<4xf32>
  %v = chi.load %s[] inbounds : !chi.field<f32> -> f32
  chi.set %v, %a[%c1 : i32] : f32, !chi.local<4xf32>
  %w = chi.get %a[%c1 : i32] : !chi.local<4xf32> -> f32
  chi.accum add %w, %s[] inbounds : f32, !chi.field<f32>
  chi.next
}
