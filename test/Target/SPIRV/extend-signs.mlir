// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A number of 64 bits is put together of one of 32 bits and its sign; between
// other widths it is converted.
// CHECK-LABEL: spirv.func @widen
// CHECK: %[[HALF:.*]] = spirv.Load "PhysicalStorageBuffer" %{{.*}} : i32
// CHECK: %[[SIGN:.*]] = spirv.ShiftRightArithmetic %[[HALF]], %{{.*}} : i32, i32
// CHECK: %[[HALVES:.*]] = spirv.CompositeConstruct %[[HALF]], %[[SIGN]] : (i32, i32) -> vector<2xi32>
// CHECK: %[[WIDE:.*]] = spirv.Bitcast %[[HALVES]] : vector<2xi32> to i64
// CHECK: spirv.SLessThan %[[WIDE]]
// CHECK-NOT: spirv.SConvert %{{.*}} : i32 to i64
// CHECK: spirv.SConvert %{{.*}} : i64 to i32
gpu.module @kernels {
  gpu.func @widen(%x: memref<?xi32>) kernel attributes {chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>, few_iterations, known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : index
    %five = arith.constant 5 : i64
    %seven = arith.constant 7 : i64
    %half = memref.load %x[%zero] : memref<?xi32>
    %wide = arith.extsi %half : i32 to i64
    %less = arith.cmpi slt, %wide, %five : i64
    %least = arith.select %less, %wide, %seven : i64
    %narrow = arith.trunci %least : i64 to i32
    memref.store %narrow, %x[%zero] : memref<?xi32>
    gpu.return
  }
}
