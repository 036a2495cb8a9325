// Floats to integers: towards zero, past the range the nearest integer, and
// zero of a NaN, whatever the device's own conversion gives there.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// Without a sign: below zero it is zero. 2^32 is the first number past it.
// CHECK-LABEL: spirv.func @unsigned
// CHECK:         %[[V:.*]] = spirv.Load "PhysicalStorageBuffer" {{.*}} : f32
// CHECK:         %[[R:.*]] = spirv.ConvertFToU %[[V]] : f32 to i32
// CHECK:         %[[END:.*]] = spirv.Constant 4.2949673E+9 : f32
// CHECK:         %[[PAST:.*]] = spirv.FOrdGreaterThanEqual %[[V]], %[[END]]
// CHECK:         %[[S:.*]] = spirv.Select %[[PAST]], %cst-1_i32, %[[R]]
// CHECK:         %[[M1:.*]] = spirv.Constant -1.000000e+00 : f32
// CHECK:         %[[BELOW:.*]] = spirv.FOrdLessThanEqual %[[V]], %[[M1]]
// CHECK:         %[[T:.*]] = spirv.Select %[[BELOW]], %cst0_i32{{[_0-9]*}}, %[[S]]
// CHECK:         spirv.IsNan %[[V]]
// CHECK:         %[[NAN:.*]] = spirv.LogicalOr
// CHECK:         spirv.Select %[[NAN]], %cst0_i32{{[_0-9]*}}, %[[T]]
gpu.module @m_unsigned {
  gpu.func @unsigned(%x: memref<?xf32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = chi.to_int %v unsigned : f32 -> i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// To a byte by way of 32 bits, then to its own range.
// CHECK-LABEL: spirv.func @byte
// CHECK:         spirv.ConvertFToS %{{.*}} : f32 to i32
// CHECK:         spirv.IsNan
// CHECK:         %[[UP:.*]] = spirv.GL.SMax %{{.*}}, %cst-128_i32
// CHECK:         %[[IN:.*]] = spirv.GL.SMin %[[UP]], %cst127_i32
// CHECK:         spirv.SConvert %[[IN]] : i32 to i8
gpu.module @m_byte {
  gpu.func @byte(%x: memref<?xf32>, %y: memref<?xi8>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = chi.to_int %v : f32 -> i8
    memref.store %r, %y[%i] : memref<?xi8>
    gpu.return
  }
}

// CHECK-LABEL: spirv.func @word
// CHECK:         spirv.ConvertFToS %{{.*}} : f32 to i32
// CHECK:         %[[UP:.*]] = spirv.GL.SMax %{{.*}}, %cst0_i32
// CHECK:         %[[IN:.*]] = spirv.GL.SMin %[[UP]], %cst65535_i32
// CHECK:         spirv.SConvert %[[IN]] : i32 to i16
gpu.module @m_word {
  gpu.func @word(%x: memref<?xf32>, %y: memref<?xi16>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = chi.to_int %v unsigned : f32 -> i16
    memref.store %r, %y[%i] : memref<?xi16>
    gpu.return
  }
}

// A half is a float first: 2^31 is no half.
// CHECK-LABEL: spirv.func @half
// CHECK:         %[[WIDE:.*]] = spirv.FConvert %{{.*}} : f16 to f32
// CHECK:         spirv.ConvertFToS %[[WIDE]] : f32 to i32
// CHECK-NOT:     f16
// CHECK:         spirv.Return
gpu.module @m_half {
  gpu.func @half(%x: memref<?xf16>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf16>
    %r = chi.to_int %v : f16 -> i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// 64 bits: 2^63 is the first number past the range, and -2^63 the last in it.
// CHECK-LABEL: spirv.func @long
// CHECK:         spirv.ConvertFToS %{{.*}} : f64 to i64
// CHECK:         spirv.Constant 9.2233720368547758E+18 : f64
// CHECK:         spirv.FOrdGreaterThanEqual
// CHECK:         spirv.Select %{{.*}}, %cst9223372036854775807_i64
// CHECK:         spirv.Constant -9.2233720368547758E+18 : f64
// CHECK:         spirv.FOrdLessThanEqual
// CHECK:         spirv.Select %{{.*}}, %cst-9223372036854775808_i64
gpu.module @m_long {
  gpu.func @long(%x: memref<?xf64>, %y: memref<?xi64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf64>
    %r = chi.to_int %v : f64 -> i64
    memref.store %r, %y[%i] : memref<?xi64>
    gpu.return
  }
}

// An f64 holds -2^31 - 1: the numbers above it are in the range.
// CHECK-LABEL: spirv.func @exact
// CHECK:         spirv.ConvertFToS %{{.*}} : f64 to i32
// CHECK:         spirv.Constant 0x41E0000000000000 : f64
// CHECK:         spirv.Constant 0xC1E0000000200000 : f64
gpu.module @m_exact {
  gpu.func @exact(%x: memref<?xf64>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf64>
    %r = chi.to_int %v : f64 -> i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}
