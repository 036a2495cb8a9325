// RUN: chi-opt %s --chi-record-checks | FileCheck %s
// RUN: chi-opt %s --chi-record-checks=in-place | FileCheck %s --check-prefix=HERE

// A check that fails takes a number; if a record is left it is filled: the
// check's number in the table and the number of axes, the iteration, the values.
// Then the thread ends. Both checks leave by one block.
// CHECK-DAG:   @chi.unit.device() {{.*}}chi.members = [@chi.sites.device, @chi.formats.device, 6 : i32, 2 : i32]
// CHECK-DAG:   @chi.sites.device()
// CHECK-LABEL: gpu.func @k
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: i32, %[[COUNT:[a-z0-9]+]]: memref<?xi32>, %[[RECORDS:[a-z0-9]+]]: memref<?xi64>)
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^[[REST:bb[0-9]+]], ^[[BOUNDS:bb[0-9]+]]
// CHECK:       ^[[REST]]:
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[ASSERT:bb[0-9]+]]

// CHECK:       ^[[ASSERT]]:
// CHECK:         %[[NUMBER:.*]] = memref.atomic_rmw addi %{{.*}}, %[[COUNT]][
// CHECK:         %[[MOST:.*]] = arith.constant 64 : i32
// CHECK:         %[[FITS:.*]] = arith.cmpi ult, %[[NUMBER]], %[[MOST]]
// CHECK:         scf.if %[[FITS]] {
// CHECK:           %[[SITE:.*]] = arith.constant 4294967296 : i64
// CHECK:           memref.store %[[SITE]], %[[RECORDS]][
// CHECK:           memref.store %{{.*}}, %[[RECORDS]][
// CHECK:           %[[PLACE:.*]] = arith.constant 9 : index
// CHECK:           memref.store %{{.*}}, %[[RECORDS]][
// CHECK:         cf.br ^[[LEAVE:bb[0-9]+]]
// CHECK:       ^[[LEAVE]]:
// CHECK-NEXT:    gpu.return
// CHECK:       ^[[BOUNDS]]:
// CHECK:         arith.constant 4294967297 : i64
// CHECK:         cf.br ^[[LEAVE]]

// In place: what a failing check leaves is no block of its own.
// HERE-LABEL: gpu.func @k
// HERE-SAME:    (%{{[a-z0-9]+}}: i32, %[[COUNT:[a-z0-9]+]]: memref<?xi32>
// HERE:         %[[INSIDE:.*]] = arith.cmpi ult
// HERE:         %[[FAILS:.*]] = arith.xori %[[INSIDE]], %true
// HERE:         scf.if %[[FAILS]] {
// HERE:           memref.atomic_rmw addi %{{.*}}, %[[COUNT]][
// HERE:           scf.if
// HERE:             arith.constant 4294967297 : i64
// HERE:         cf.cond_br %[[INSIDE]] weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[LEAVE:bb[0-9]+]]
// HERE:         scf.if
// HERE:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[LEAVE]]
// HERE:       ^[[LEAVE]]:
// HERE-NEXT:    gpu.return
gpu.module @kernels {
  gpu.func @k(%x: i32, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "i", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), failures, records]>} {
    %i = arith.constant 3 : i64
    cf.br ^bb1(%i : i64)
  ^bb1(%it: i64):
    %zero = arith.constant 0 : i32
    %inside = arith.cmpi ult, %x, %zero : i32
    chi.check bounds %inside (%x, %zero, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %good = arith.cmpi ne, %x, %zero : i32
    chi.check assert %good (%x, %x, %it : i32, i32, i64) {parts = ["x is ", {shape = array<i64>, spec = "", type = "i32"}], what = "x != 0", iteration = 1 : i64}
    gpu.return
  }
}

// Where threads meet, one whose check fails goes there.
// CHECK-LABEL: gpu.func @meets
// CHECK:         cf.cond_br %{{.*}}, ^[[REST:.*]], ^[[COUNT:.*]]
// CHECK:       ^[[REST]]:
// CHECK:         cf.br ^[[BARRIER:.*]]
// CHECK:       ^[[BARRIER]]:
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    gpu.return
// CHECK:       ^[[COUNT]]:
// CHECK:         memref.atomic_rmw addi
// CHECK:         cf.br ^[[BARRIER]]
gpu.module @meeting {
  gpu.func @meets(%ok: i1, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.axes = "i", chi.kernel = "meets", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), failures, records]>} {
    %i = arith.constant 3 : i64
    chi.check bounds %ok (%i, %i : i64, i64) {iteration = 1 : i64, what = "x"}
    gpu.barrier {chi.exit_barrier}
    gpu.return
  }
}

// What is printed takes its words of those that there are.
// CHECK-LABEL: gpu.func @prints
// CHECK-SAME:    (%[[V:[a-z0-9]+]]: i32, %[[LINES:[a-z0-9]+]]: memref<?xi32>, %[[LOG:[a-z0-9]+]]: memref<?xi64>)
// CHECK:         %[[I:.*]] = arith.constant 7 : i64
// CHECK:         %[[SIZE:.*]] = arith.constant 3 : i32
// CHECK:         %[[AT:.*]] = memref.atomic_rmw addi %[[SIZE]], %[[LINES]][
// CHECK:         %[[MOST:.*]] = arith.constant 4194301 : i32
// CHECK:         %[[FITS:.*]] = arith.cmpi ule, %[[AT]], %[[MOST]]
// CHECK:         scf.if %[[FITS]] {
// CHECK:           %[[HEAD:.*]] = arith.constant 4294967297 : i64
// CHECK:           memref.store %[[HEAD]], %[[LOG]][
// CHECK:           memref.store %[[I]], %[[LOG]][
// CHECK:           %[[WORD:.*]] = arith.extsi %[[V]] : i32 to i64
// CHECK:           memref.store %[[WORD]], %[[LOG]][
// The first one without room says so, where there is a word left.
// CHECK:         } else {
// CHECK:           %[[ALL:.*]] = arith.constant 4194304 : i32
// CHECK:           %[[LEFT:.*]] = arith.cmpi ult, %[[AT]], %[[ALL]]
// CHECK:           scf.if %[[LEFT]] {
// CHECK:             %[[END:.*]] = arith.constant -1 : i64
// CHECK:             memref.store %[[END]], %[[LOG]][
// CHECK:           }
// CHECK:         }
// CHECK-NEXT:    gpu.return
gpu.module @printing {
  gpu.func @prints(%v: i32, %lines: memref<?xi32>, %log: memref<?xi64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), logSize, log]>} {
    %i = arith.constant 7 : i64
    chi.print [{shape = array<i64>, type = "i64"}, "v = ", {shape = array<i64>, type = "i32"}](%i, %v : i64, i32)
    gpu.return
  }
}

// So does an access that --check=races looks at: the complement of its site's
// number, the iteration, the field's argument and what is done to it, where.
// CHECK-LABEL: gpu.func @watched
// CHECK-SAME:    memref<?xi32>, %[[LINES:[a-z0-9]+]]: memref<?xi32>, %[[LOG:[a-z0-9]+]]: memref<?xi64>)
// CHECK:         memref.atomic_rmw addi %{{.*}}, %[[LINES]][
// CHECK:         %[[HEAD:.*]] = arith.constant 12884901884 : i64
// CHECK:         memref.store %[[HEAD]], %[[LOG]][
// CHECK:         memref.store %[[I:.*]], %[[LOG]][
// CHECK:         %[[WHAT:.*]] = arith.constant 4294967299 : i64
// CHECK:         memref.store %[[WHAT]], %[[LOG]][
// CHECK:         memref.store %{{.*}}, %[[LOG]][
gpu.module @watching {
  gpu.func @watched(%x: memref<?xi32>, %lines: memref<?xi32>, %log: memref<?xi64>) kernel attributes {chi.axes = "i", chi.kernel = "k", chi.kernel_abi = #chi.kernel_abi<params = [data(3), logSize, log]>} {
    %i = arith.constant 7 : i64
    %at = arith.constant 5 : index
    chi.record_access %x[%at] by %i kind 1 of "x" : memref<?xi32>
    gpu.return
  }
}

// A thread that finds no memory notes its iteration, and is counted.
// CHECK-LABEL: gpu.func @takes
// CHECK-SAME:    (%{{[a-z0-9]+}}: i1, %[[I:[a-z0-9]+]]: i64, %[[ARENA:[a-z0-9]+]]: memref<?xi32>, %[[RESUME:[a-z0-9]+]]: memref<?xi64>)
// CHECK:         cf.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^[[NOTE:bb[0-9]+]]
// CHECK:       ^[[NOTE]]:
// CHECK:         %[[THREAD:.*]] = arith.addi %{{.*}}, %thread_id_x
// CHECK:         memref.store %[[I]], %[[RESUME]][%[[THREAD]]]
// CHECK:         memref.atomic_rmw addi %{{.*}}, %[[ARENA]][%c2
// CHECK:         cf.br
gpu.module @taking {
  gpu.func @takes(%ok: i1, %i: i64, %arena: memref<?xi32>, %resume: memref<?xi64>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), scalar(1), arena, resume]>} {
    chi.check bounds %ok (%i : i64) {chi.restart}
    gpu.return
  }
}

// The earliest iteration is found by the complement of its number: a failure
// behind it is not counted. In 32 bits where the kernel counts in 32.
// RUN: chi-opt %s --chi-record-checks=wide-atomics | FileCheck %s --check-prefix=WIDE
// CHECK-LABEL: gpu.func @short
// CHECK-SAME:    (%{{.*}}: i1, %[[FAILURES:.*]]: memref<?xi32>, %
// CHECK:         %[[KEY:.*]] = arith.xori %{{.*}} : i32
// CHECK:         %[[MOST:.*]] = memref.atomic_rmw maxu %[[KEY]], %[[FAILURES]][%c2]
// CHECK:         %[[EARLIER:.*]] = arith.cmpi ult, %[[MOST]], %[[KEY]]
// CHECK:         scf.if %[[EARLIER]] {
// CHECK:           memref.atomic_rmw addi %{{.*}}, %[[FAILURES]]
// CHECK:           scf.if
gpu.module @ordered {
  gpu.func @short(%ok: i1, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.axes = "i", chi.kernel = "short", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), failures, records], shortIndices = true>} {
    %i = arith.constant 3 : i64
    chi.check bounds %ok (%i, %i, %i : i64, i64, i64) {iteration = 1 : i64, numbered_iteration, what = "x"}
    gpu.return
  }
}

// Others need 64 bits: where there are none, all failures are counted.
// CHECK-LABEL: gpu.func @long
// CHECK-NOT:     maxu
// CHECK:         gpu.return
// WIDE-LABEL: gpu.func @long
// WIDE-SAME:    (%{{.*}}: i1, %[[FAILURES:.*]]: memref<?xi64>, %
// WIDE:         %[[KEY:.*]] = arith.xori %{{.*}} : i64
// WIDE:         memref.atomic_rmw maxu %[[KEY]], %[[FAILURES]][%c1{{.*}}] : (i64, memref<?xi64>) -> i64
// WIDE:         memref.atomic_rmw addi %{{.*}}, %[[FAILURES]]{{.*}} : (i64, memref<?xi64>) -> i64
gpu.module @unbounded {
  gpu.func @long(%ok: i1, %failures: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.axes = "i", chi.kernel = "long", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), failures, records]>} {
    %i = arith.constant 3 : i64
    chi.check bounds %ok (%i, %i, %i : i64, i64, i64) {iteration = 1 : i64, numbered_iteration, what = "x"}
    gpu.return
  }
}
