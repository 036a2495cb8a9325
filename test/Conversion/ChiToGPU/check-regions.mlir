// RUN: chi-opt %s --chi-record-checks=in-place | FileCheck %s

// More than 16 checks: a thread whose check fails goes to the end of a region of
// 8 of them, one that gets there goes on. What the region computes for the
// code behind it goes through memory.
// CHECK-LABEL: gpu.func @many
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<?xi32>
// CHECK:         memref.alloca() : memref<1xi32>
// CHECK:         memref.store %{{.*}}, %[[FIRST:alloca[_0-9]*]][%{{.*}}] : memref<1xi32>
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[END:bb[0-9]+]](%false{{.*}} : i1)
// CHECK-COUNT-7: cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[END]](%false{{.*}} : i1)
// CHECK:         cf.br ^[[END]](%true{{.*}} : i1)
// CHECK:       ^[[END]](%[[ALIVE:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %[[ALIVE]], ^[[NEXT:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]]
// CHECK:       ^[[NEXT]]:
// CHECK:         memref.load %[[FIRST]][
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[SECOND:bb[0-9]+]](%false{{.*}} : i1)
// CHECK-COUNT-7: cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[SECOND]](%false{{.*}} : i1)
// CHECK:       ^[[SECOND]](%[[STILL:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %[[STILL]], ^{{bb[0-9]+}}, ^[[LEAVE]]
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^{{bb[0-9]+}}, ^[[LEAVE]]
// CHECK:       ^[[LEAVE]]:
// CHECK-NEXT:    gpu.return

// As many as fit: nothing is divided.
// CHECK-LABEL: gpu.func @few
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     : i1):
gpu.module @kernels {
  gpu.func @many(%x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "many", chi.axes = "i", chi.kernel_abi = #chi.kernel_abi<params = [data(0), failures, records]>} {
    %it = arith.constant 3 : i64
    %most = arith.constant 9 : i32
    %at = arith.constant 0 : index
    %s0 = memref.load %x[%at] : memref<?xi32>
    %ok0 = arith.cmpi ult, %s0, %most : i32
    chi.check bounds %ok0 (%s0, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s1 = arith.addi %s0, %s0 : i32
    %ok1 = arith.cmpi ult, %s1, %most : i32
    chi.check bounds %ok1 (%s1, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s2 = arith.addi %s1, %s0 : i32
    %ok2 = arith.cmpi ult, %s2, %most : i32
    chi.check bounds %ok2 (%s2, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s3 = arith.addi %s2, %s0 : i32
    %ok3 = arith.cmpi ult, %s3, %most : i32
    chi.check bounds %ok3 (%s3, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s4 = arith.addi %s3, %s0 : i32
    %ok4 = arith.cmpi ult, %s4, %most : i32
    chi.check bounds %ok4 (%s4, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s5 = arith.addi %s4, %s0 : i32
    %ok5 = arith.cmpi ult, %s5, %most : i32
    chi.check bounds %ok5 (%s5, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s6 = arith.addi %s5, %s0 : i32
    %ok6 = arith.cmpi ult, %s6, %most : i32
    chi.check bounds %ok6 (%s6, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s7 = arith.addi %s6, %s0 : i32
    %ok7 = arith.cmpi ult, %s7, %most : i32
    chi.check bounds %ok7 (%s7, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s8 = arith.addi %s7, %s0 : i32
    %ok8 = arith.cmpi ult, %s8, %most : i32
    chi.check bounds %ok8 (%s8, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s9 = arith.addi %s8, %s0 : i32
    %ok9 = arith.cmpi ult, %s9, %most : i32
    chi.check bounds %ok9 (%s9, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s10 = arith.addi %s9, %s0 : i32
    %ok10 = arith.cmpi ult, %s10, %most : i32
    chi.check bounds %ok10 (%s10, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s11 = arith.addi %s10, %s0 : i32
    %ok11 = arith.cmpi ult, %s11, %most : i32
    chi.check bounds %ok11 (%s11, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s12 = arith.addi %s11, %s0 : i32
    %ok12 = arith.cmpi ult, %s12, %most : i32
    chi.check bounds %ok12 (%s12, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s13 = arith.addi %s12, %s0 : i32
    %ok13 = arith.cmpi ult, %s13, %most : i32
    chi.check bounds %ok13 (%s13, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s14 = arith.addi %s13, %s0 : i32
    %ok14 = arith.cmpi ult, %s14, %most : i32
    chi.check bounds %ok14 (%s14, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s15 = arith.addi %s14, %s0 : i32
    %ok15 = arith.cmpi ult, %s15, %most : i32
    chi.check bounds %ok15 (%s15, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s16 = arith.addi %s15, %s0 : i32
    %ok16 = arith.cmpi ult, %s16, %most : i32
    chi.check bounds %ok16 (%s16, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s17 = arith.addi %s16, %s0 : i32
    memref.store %s17, %x[%at] : memref<?xi32>
    gpu.return
  }
  gpu.func @few(%x: memref<?xi32>, %count: memref<?xi32>, %records: memref<?xi64>) kernel attributes {chi.kernel = "few", chi.axes = "i", chi.kernel_abi = #chi.kernel_abi<params = [data(0), failures, records]>} {
    %it = arith.constant 3 : i64
    %most = arith.constant 9 : i32
    %at = arith.constant 0 : index
    %s0 = memref.load %x[%at] : memref<?xi32>
    %ok0 = arith.cmpi ult, %s0, %most : i32
    chi.check bounds %ok0 (%s0, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s1 = arith.addi %s0, %s0 : i32
    %ok1 = arith.cmpi ult, %s1, %most : i32
    chi.check bounds %ok1 (%s1, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s2 = arith.addi %s1, %s0 : i32
    %ok2 = arith.cmpi ult, %s2, %most : i32
    chi.check bounds %ok2 (%s2, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s3 = arith.addi %s2, %s0 : i32
    %ok3 = arith.cmpi ult, %s3, %most : i32
    chi.check bounds %ok3 (%s3, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s4 = arith.addi %s3, %s0 : i32
    %ok4 = arith.cmpi ult, %s4, %most : i32
    chi.check bounds %ok4 (%s4, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s5 = arith.addi %s4, %s0 : i32
    %ok5 = arith.cmpi ult, %s5, %most : i32
    chi.check bounds %ok5 (%s5, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s6 = arith.addi %s5, %s0 : i32
    %ok6 = arith.cmpi ult, %s6, %most : i32
    chi.check bounds %ok6 (%s6, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s7 = arith.addi %s6, %s0 : i32
    %ok7 = arith.cmpi ult, %s7, %most : i32
    chi.check bounds %ok7 (%s7, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s8 = arith.addi %s7, %s0 : i32
    %ok8 = arith.cmpi ult, %s8, %most : i32
    chi.check bounds %ok8 (%s8, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s9 = arith.addi %s8, %s0 : i32
    %ok9 = arith.cmpi ult, %s9, %most : i32
    chi.check bounds %ok9 (%s9, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s10 = arith.addi %s9, %s0 : i32
    %ok10 = arith.cmpi ult, %s10, %most : i32
    chi.check bounds %ok10 (%s10, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s11 = arith.addi %s10, %s0 : i32
    %ok11 = arith.cmpi ult, %s11, %most : i32
    chi.check bounds %ok11 (%s11, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s12 = arith.addi %s11, %s0 : i32
    %ok12 = arith.cmpi ult, %s12, %most : i32
    chi.check bounds %ok12 (%s12, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s13 = arith.addi %s12, %s0 : i32
    %ok13 = arith.cmpi ult, %s13, %most : i32
    chi.check bounds %ok13 (%s13, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s14 = arith.addi %s13, %s0 : i32
    %ok14 = arith.cmpi ult, %s14, %most : i32
    chi.check bounds %ok14 (%s14, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s15 = arith.addi %s14, %s0 : i32
    %ok15 = arith.cmpi ult, %s15, %most : i32
    chi.check bounds %ok15 (%s15, %most, %it : i32, i32, i64) {what = "x", iteration = 1 : i64}
    %s16 = arith.addi %s15, %s0 : i32
    memref.store %s16, %x[%at] : memref<?xi32>
    gpu.return
  }
}
