// Products and quotients with a constant zero, decided by the bits: drivers take
// such a product to be zero, also of an infinity.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// The zero has the sign of the number, but an infinity and a NaN give NaN.
// CHECK-LABEL: spirv.func @product
// CHECK-NOT:     spirv.FMul
// CHECK:         %[[BITS:.*]] = spirv.Bitcast %[[V:.*]] : f32 to i32
// CHECK:         %[[SIGN:.*]] = spirv.BitwiseAnd %[[BITS]], %cst-2147483648_i32
// CHECK:         %[[SIZE:.*]] = spirv.BitwiseAnd %{{.*}}, %cst2147483647_i32
// CHECK:         %[[FINITE:.*]] = spirv.ULessThan %[[SIZE]], %cst2139095040_i32
// CHECK:         %[[R:.*]] = spirv.Select %[[FINITE]], %[[SIGN]], %cst2143289344_i32
// CHECK:         spirv.Bitcast %[[R]] : i32 to f32
gpu.module @m_product {
  gpu.func @product(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %z = arith.constant 0.0 : f32
    %r = arith.mulf %v, %z : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// By -0 the other sign; the zero may come first.
// CHECK-LABEL: spirv.func @negative
// CHECK-NOT:     spirv.FMul
// CHECK:         %[[SIGN:.*]] = spirv.BitwiseAnd %{{.*}}, %cst-2147483648_i32
// CHECK:         %[[OTHER:.*]] = spirv.BitwiseXor %[[SIGN]], %cst-2147483648_i32
// CHECK:         spirv.Select %{{.*}}, %[[OTHER]],
gpu.module @m_negative {
  gpu.func @negative(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %z = arith.constant -0.0 : f32
    %r = arith.mulf %z, %v : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// A half is decided as a float, and f64 by its 64 bits.
// CHECK-LABEL: spirv.func @half
// CHECK:         spirv.FConvert %{{.*}} : f16 to f32
// CHECK:         spirv.Select %{{.*}} : i1, i32
// CHECK:         spirv.FConvert %{{.*}} : f32 to f16
gpu.module @m_half {
  gpu.func @half(%x: memref<?xf16>, %y: memref<?xf16>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf16>
    %z = arith.constant 0.0 : f16
    %r = arith.mulf %v, %z : f16
    memref.store %r, %y[%i] : memref<?xf16>
    gpu.return
  }
}

// CHECK-LABEL: spirv.func @double
// CHECK:         spirv.ULessThan %{{.*}}, %cst9218868437227405312_i64
// CHECK:         spirv.Select %{{.*}} : i1, i64
gpu.module @m_double {
  gpu.func @double(%x: memref<?xf64>, %y: memref<?xf64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf64>
    %z = arith.constant 0.0 : f64
    %r = arith.mulf %v, %z : f64
    memref.store %r, %y[%i] : memref<?xf64>
    gpu.return
  }
}

// A quotient by zero is an infinity with the sign, or NaN of a zero and of NaN:
// their sizes less one are those of no number.
// CHECK-LABEL: spirv.func @by
// CHECK-NOT:     spirv.FDiv
// CHECK:         %[[SIGN:.*]] = spirv.BitwiseAnd %{{.*}}, %cst-2147483648_i32
// CHECK:         %[[INF:.*]] = spirv.BitwiseXor %[[SIGN]], %cst2139095040_i32
// CHECK:         %[[SIZE:.*]] = spirv.BitwiseAnd %{{.*}}, %cst2147483647_i32
// CHECK:         %[[LESS:.*]] = spirv.ISub %[[SIZE]], %cst1_i32
// CHECK:         %[[IS:.*]] = spirv.ULessThan %[[LESS]], %cst2139095040_i32
// CHECK:         spirv.Select %[[IS]], %[[INF]], %cst2143289344_i32
gpu.module @m_by {
  gpu.func @by(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %z = arith.constant 0.0 : f32
    %r = arith.divf %v, %z : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// A quotient of -0 is a zero of the other sign.
// CHECK-LABEL: spirv.func @of
// CHECK-NOT:     spirv.FDiv
// CHECK:         %[[SIGN:.*]] = spirv.BitwiseAnd %{{.*}}, %cst-2147483648_i32
// CHECK:         %[[ZERO:.*]] = spirv.BitwiseXor %[[SIGN]], %cst-2147483648_i32
// CHECK:         spirv.Select %{{.*}}, %[[ZERO]], %cst2143289344_i32
gpu.module @m_of {
  gpu.func @of(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %z = arith.constant -0.0 : f32
    %r = arith.divf %z, %v : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// Others are as they are.
// CHECK-LABEL: spirv.func @others
// CHECK:         spirv.FMul
// CHECK:         spirv.FDiv
gpu.module @m_others {
  gpu.func @others(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %z = arith.constant 2.0 : f32
    %p = arith.mulf %v, %z : f32
    %r = arith.divf %p, %v : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// x - (-0) is x + 0: a strict kernel decides it by the bits. x + (-0) and
// x - 0 are x.
// CHECK-LABEL: spirv.func @minus
// CHECK:         %[[IS:.*]] = spirv.IEqual %{{.*}}, %cst-2147483648_i32
// CHECK:         spirv.Select %[[IS]], %cst0_i32
// CHECK-NOT:     spirv.IEqual
// CHECK-NOT:     spirv.FAdd
// CHECK-NOT:     spirv.FSub
// CHECK:         spirv.Return
gpu.module @m_minus {
  gpu.func @minus(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {strict, few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %m = arith.constant -0.0 : f32
    %z = arith.constant 0.0 : f32
    %p = arith.subf %v, %m : f32
    %q = arith.addf %p, %m : f32
    %r = arith.subf %q, %z : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}
