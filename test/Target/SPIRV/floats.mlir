// Floats as on a processor: comparisons with infinity, extremes and roundings.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// By the bits: a driver may take it that nothing it compares is NaN.
// CHECK-LABEL: spirv.func @classes
// CHECK-NOT:     spirv.IsNan
// CHECK-NOT:     spirv.IsInf
// CHECK:         %[[SIZE:.*]] = spirv.BitwiseAnd %{{.*}}, %cst2147483647_i32
// CHECK:         spirv.UGreaterThan %[[SIZE]], %cst2139095040_i32
// CHECK:         %[[SIZE:.*]] = spirv.BitwiseAnd %{{.*}}, %cst2147483647_i32
// CHECK:         spirv.ULessThan %[[SIZE]], %cst2139095040_i32
gpu.module @m_classes {
  gpu.func @classes(%x: memref<?xf32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %n = math.isnan %v : f32
    %f = math.isfinite %v : f32
    %c = arith.xori %n, %f : i1
    %r = arith.extui %c : i1 to i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// The maximum of two zeros is the positive one: the bits that both have.
// CHECK-LABEL: spirv.func @greatest
// CHECK-NOT:     spirv.GL.
// CHECK:         %[[BOTH:.*]] = spirv.BitwiseAnd %{{.*}}, %{{.*}} : i32
// CHECK:         %[[ZERO:.*]] = spirv.Bitcast %[[BOTH]] : i32 to f32
// CHECK:         %[[NAN:.*]] = spirv.IsNan %[[Y:.*]] : f32
// CHECK:         %[[MORE:.*]] = spirv.FOrdGreaterThan %[[X:.*]], %[[Y]]
// CHECK:         %[[TAKES:.*]] = spirv.LogicalOr %[[MORE]], %{{.*}}
// CHECK:         %[[ONE:.*]] = spirv.Select %[[TAKES]], %[[X]], %[[Y]]
// CHECK:         %[[EQUAL:.*]] = spirv.FOrdEqual %[[X]], %[[Y]]
// CHECK:         spirv.Select %[[EQUAL]], %[[ZERO]], %[[ONE]]
gpu.module @m_greatest {
  gpu.func @greatest(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    %r = arith.maxnumf %v, %w : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// Halves are compared as floats.
// CHECK-LABEL: spirv.func @halves
// CHECK:         spirv.FConvert %{{.*}} : f16 to f32
// CHECK:         spirv.FConvert %{{.*}} : f16 to f32
// CHECK:         spirv.BitwiseOr %{{.*}} : i32
// CHECK:         spirv.FOrdLessThan %{{.*}} : f32
// CHECK:         spirv.FConvert %{{.*}} : f32 to f16
gpu.module @m_halves {
  gpu.func @halves(%x: memref<?xf16>, %y: memref<?xf16>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf16>
    %w = arith.addf %v, %v : f16
    %r = arith.minnumf %v, %w : f16
    memref.store %r, %y[%i] : memref<?xf16>
    gpu.return
  }
}

// Towards zero: the size rounded down, with the sign, so that -0.5 gives -0.
// CHECK-LABEL: spirv.func @towards
// CHECK-NOT:     spirv.GL.Trunc
// CHECK:         %[[SIZE:.*]] = spirv.GL.FAbs
// CHECK:         %[[FLOOR:.*]] = spirv.GL.Floor %[[SIZE]]
// CHECK:         spirv.BitwiseAnd
// CHECK:         spirv.BitwiseOr
// CHECK:         spirv.Bitcast
gpu.module @m_towards {
  gpu.func @towards(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %r = math.trunc %v : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// What may be contracted is not decorated, what may not is; other flags have no
// decoration in Vulkan.
// CHECK-LABEL: spirv.func @flags
// CHECK-NOT:     fp_fast_math
// CHECK:         spirv.FMul %{{.*}}, %{{.*}} : f32
// CHECK:         spirv.FSub %{{.*}}, %{{.*}} {no_contraction} : f32
// CHECK:         spirv.FNegate %{{.*}} {no_contraction} : f32
// CHECK-NOT:     fp_fast_math
// CHECK:         spirv.Return
gpu.module @m_flags {
  gpu.func @flags(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %p = arith.mulf %v, %v fastmath<contract> : f32
    %q = arith.subf %p, %v fastmath<nnan,ninf> : f32
    %r = arith.negf %q : f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// Integers cannot promise not to wrap.
// CHECK-LABEL: spirv.func @wraps
// CHECK-NOT:     no_signed_wrap
// CHECK:         spirv.IAdd %{{.*}}, %{{.*}} : i32
// CHECK:         spirv.Return
gpu.module @m_wraps {
  gpu.func @wraps(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = arith.addi %v, %v overflow<nsw> : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}
