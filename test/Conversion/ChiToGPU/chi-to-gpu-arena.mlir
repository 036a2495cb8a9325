// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// Memory that grows lies in the launch's arena, which kernels see as numbers of
// each type. A thread that finds too little goes on at its iteration in another
// launch; one that is done says so.
// CHECK-LABEL: gpu.func @grows
// CHECK-SAME:    (%{{[a-z0-9]+}}: memref<?xf64> {llvm.noalias}, %[[ARENA:[a-z0-9]+]]: memref<?xi32>, %[[TAPE:[a-z0-9]+]]: memref<?xf64>, %[[RESUME:[a-z0-9]+]]: memref<?xi64>, %[[AGAIN:[a-z0-9]+]]: i64) kernel
// CHECK-SAME:    arena, arena, resume, restarted], arenaBytes = 512>
// CHECK-DAG:     %[[BASE:.*]] = memref.alloca() {{.*}} : memref<1xi32>
// CHECK-DAG:     %[[COUNT:.*]] = memref.alloca() {{.*}} : memref<1xi64>
// CHECK:         %[[OLD:.*]] = memref.load %[[RESUME]][%[[THREAD:.*]]]
// CHECK:         %[[NOTED:.*]] = arith.select %{{.*}}, %[[OLD]], %{{.*}} : i64
// CHECK:         %[[AT:.*]] = arith.index_cast %[[NOTED]] : i64 to index
// CHECK:         %[[START:.*]] = arith.maxsi %{{.*}}, %[[AT]]
// CHECK:         scf.for %[[NUMBER:.*]] = %[[START]] to
// CHECK:           %[[I:.*]] = arith.index_cast %[[NUMBER]] : index to i64
// CHECK:           %[[LACKS:.*]] = arith.cmpi slt, %{{.*}}, %c5_i64
// CHECK:           scf.if %[[LACKS]] {
// CHECK:             %[[FRESH:.*]] = memref.atomic_rmw addi %{{.*}}, %[[ARENA]][
// CHECK:             %[[FITS:.*]] = arith.cmpi ule
// CHECK:             chi.check bounds %[[FITS]] (%[[I]] : i64) {chi.restart}
// CHECK:             scf.for
// CHECK:               %[[KEPT:.*]] = memref.load %[[TAPE]]
// CHECK:               memref.store %[[KEPT]], %[[TAPE]]
// CHECK:             memref.store %[[FRESH]], %[[BASE]]
// CHECK:           memref.store %{{.*}}, %[[TAPE]]
// CHECK:           memref.load %[[TAPE]]
// CHECK:         }
// CHECK:         memref.store %{{.*}}, %[[RESUME]][%[[THREAD]]]
// CHECK:         gpu.return
!X = !chi.field<8xf64>
chi.task @grows(%x: !X) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %k = arith.constant 2 : i64
  %s = chi.scratch : !chi.local<?xf64>
  chi.reserve %s, %n : i64, !chi.local<?xf64>
  %v = chi.load %x[%i : i32] inbounds : !X -> f64
  chi.set %v, %s[%k : i64] : f64, !chi.local<?xf64>
  %w = chi.get %s[%k : i64] : !chi.local<?xf64> -> f64
  chi.store %w, %x[%i : i32] inbounds : f64, !X
  chi.next
}

// Where it may have stored by then, the whole launch is repeated.
// CHECK-LABEL: gpu.func @late
// CHECK-SAME:    arenaBytes = 512, restartsAll = true>
chi.task @late(%x: !X) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %v = arith.constant 1.0 : f64
  %s = chi.scratch : !chi.local<?xf64>
  chi.reserve %s, %n : i64, !chi.local<?xf64>
  chi.store %v, %x[%i : i32] inbounds : f64, !X
  chi.reserve %s, %n : i64, !chi.local<?xf64>
  chi.next
}

// So do local arrays that take more than 64 KB together, but the small ones; a
// thread takes its own once, if it has an iteration. (There is room for four times
// what stands here, which arrays do not need.)
// CHECK-LABEL: gpu.func @large
// CHECK-SAME:    %[[ARENA:[a-z0-9]+]]: memref<?xi32>, %{{[a-z0-9]+}}: memref<?xi64>, %{{[a-z0-9]+}}: i64) kernel
// CHECK-SAME:    arenaBytes = 20000
// CHECK:         memref.alloca() {{.*}} : memref<10xi32>
// CHECK-NOT:     memref.alloca() {{.*}} : memref<20000xi32>
// CHECK:         arith.cmpi sge
// CHECK:         arith.select
// CHECK:         %[[BASE:.*]] = memref.atomic_rmw addi %{{.*}}, %[[ARENA]][
// CHECK:         chi.check bounds
// CHECK:         scf.for
// CHECK:           arith.index_castui %[[BASE]]
// CHECK:           memref.store %{{.*}}, %[[ARENA]][
// CHECK:         gpu.return
!I = !chi.field<8xi32>
chi.task @large(%x: !I) over 0 (%i: i32) {
  %a = chi.local "a" : !chi.local<20000xi32>
  %b = chi.local "b" : !chi.local<10xi32>
  chi.set %i, %a[%i : i32] : i32, !chi.local<20000xi32>
  chi.set %i, %b[%i : i32] : i32, !chi.local<10xi32>
  %v = chi.get %a[%i : i32] : !chi.local<20000xi32> -> i32
  chi.store %v, %x[%i : i32] inbounds : i32, !I
  chi.next
}
