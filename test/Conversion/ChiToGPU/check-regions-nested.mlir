// RUN: chi-opt %s --chi-record-checks=in-place | FileCheck %s

// Regions of checks beyond a single chain: in a loop, of more than 64 checks, and
// what passes between them. (docs/design/0073-nesting-of-checks.md)

// A loop is a single part of the kernel's chain; the 17 checks of its body are
// divided by themselves. A failing thread leaves from the end of a region, also
// from within the loop, and the loop's own edge goes back to its head.
// CHECK-LABEL: gpu.func @loop(
// CHECK:         cf.br ^[[HEAD:bb[0-9]+]](%{{.*}} : i32)
// CHECK:       ^[[HEAD]](%{{.*}}: i32):
// CHECK:         cf.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^{{bb[0-9]+}}
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[FIRST:bb[0-9]+]](%false{{.*}} : i1)
// CHECK-COUNT-7: cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[FIRST]](%false{{.*}} : i1)
// CHECK:         cf.br ^[[FIRST]](%true{{.*}} : i1)
// CHECK:       ^[[FIRST]](%[[ALIVE:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %[[ALIVE]], ^{{bb[0-9]+}}, ^[[LEAVE:bb[0-9]+]]
// CHECK:       ^[[SECOND:bb[0-9]+]](%[[STILL:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %[[STILL]], ^{{bb[0-9]+}}, ^[[LEAVE]]
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[LEAVE]]
// CHECK:         cf.br ^[[HEAD]](%{{.*}} : i32)
// CHECK:       ^[[LEAVE]]:
// CHECK-NEXT:    gpu.return
gpu.module @kernels {
  gpu.func @loop(%ok: i1, %x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), data(1), failures, records]>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %most = arith.constant 9 : i32
    cf.br ^head(%zero : i32)
  ^head(%k: i32):
    %more = arith.cmpi slt, %k, %most : i32
    cf.cond_br %more, ^body, ^done
  ^body:
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok
    %next = arith.addi %k, %one : i32
    cf.br ^head(%next : i32)
  ^done:
    gpu.return
  }

// 65 checks are nine regions: more than 8, so that the first eight of them are a
// larger one, where the ends of its regions go. The last of the eight ends
// together with it and passes whether the thread is alive.
// CHECK-LABEL: gpu.func @larger(
// CHECK:       ^[[END1:bb[0-9]+]](%[[A1:.*]]: i1):
// CHECK-NEXT:    %[[NO:.*]] = arith.constant false
// CHECK-NEXT:    cf.cond_br %[[A1]], ^{{bb[0-9]+}}, ^[[OUTER:bb[0-9]+]](%[[NO]] : i1)
// CHECK-COUNT-6: cf.cond_br %{{[0-9]+}}, ^{{bb[0-9]+}}, ^[[OUTER]](%{{.*}} : i1)
// CHECK:       ^{{bb[0-9]+}}(%[[A8:.*]]: i1):
// CHECK-NEXT:    cf.br ^[[OUTER]](%[[A8]] : i1)
// CHECK:       ^[[OUTER]](%[[ALL:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %[[ALL]], ^{{bb[0-9]+}}, ^[[OUT:bb[0-9]+]]
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[OUT]]
// CHECK:       ^[[OUT]]:
// CHECK-NEXT:    gpu.return
  gpu.func @larger(%ok: i1, %x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), data(1), failures, records]>} {
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok
    gpu.return
  }

// A truth value that is used behind its region is a number of 32 bits in memory;
// behind two regions it is stored in the second one again.
// CHECK-LABEL: gpu.func @truth(
// CHECK:         memref.alloca() : memref<1xi32>
// CHECK:         %[[SMALL:.*]] = arith.cmpi slt
// CHECK:         %[[WORD:.*]] = arith.extui %[[SMALL]] : i1 to i32
// CHECK:         memref.store %[[WORD]], %[[SLOT:.*]][%{{.*}}] : memref<1xi32>
// CHECK:         %[[BACK:.*]] = memref.load %[[SLOT]][%{{.*}}] : memref<1xi32>
// CHECK:         %[[BIT:.*]] = arith.trunci %[[BACK]] : i32 to i1
// CHECK:         %[[AGAIN:.*]] = arith.extui %[[BIT]] : i1 to i32
// CHECK:         memref.store %[[AGAIN]], %[[OTHER:.*]][%{{.*}}] : memref<1xi32>
// CHECK:         %[[LAST:.*]] = memref.load %[[OTHER]][%{{.*}}] : memref<1xi32>
// CHECK:         %[[TRUTH:.*]] = arith.trunci %[[LAST]] : i32 to i1
// CHECK:         arith.select %[[TRUTH]],
  gpu.func @truth(%ok: i1, %x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), data(1), failures, records]>} {
    %at = arith.constant 0 : index
    %v = memref.load %x[%at] : memref<?xi32>
    %small = arith.cmpi slt, %v, %v : i32
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok
    %zero = arith.constant 0 : i32
    %r = arith.select %small, %zero, %zero : i32
    memref.store %r, %x[%at] : memref<?xi32>
    gpu.return
  }

// Memory of a kernel that is no number cannot pass: such a kernel is not divided.
// CHECK-LABEL: gpu.func @undivided(
// CHECK:         memref.cast
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     : i1):
  gpu.func @undivided(%ok: i1, %x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "k", chi.axes = "", chi.kernel_abi = #chi.kernel_abi<params = [scalar(0), data(1), failures, records]>} {
    %at = arith.constant 0 : index
    %y = memref.cast %x : memref<?xi32> to memref<4xi32>
    cf.br ^body
  ^body:
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok chi.check nan %ok chi.check nan %ok chi.check nan %ok
    chi.check nan %ok
    %v = memref.load %y[%at] : memref<4xi32>
    memref.store %v, %y[%at] : memref<4xi32>
    gpu.return
  }
}
