// Integers as on a processor, of what SPIR-V has.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// A sum overflows if its sign is neither term's.
// CHECK-LABEL: spirv.func @sum
// CHECK:         %[[SUM:.*]] = spirv.IAdd %[[V:.*]], %[[V]] : i32
// CHECK:         %[[A:.*]] = spirv.BitwiseXor %[[SUM]], %[[V]]
// CHECK:         %[[B:.*]] = spirv.BitwiseXor %[[SUM]], %[[V]]
// CHECK:         %[[BOTH:.*]] = spirv.BitwiseAnd %[[A]], %[[B]]
// CHECK:         spirv.SLessThan %[[BOTH]], %cst0_i32
gpu.module @m_sum {
  gpu.func @sum(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %b = chi.overflow add %v, %v : i32
    %r = arith.extui %b : i1 to i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// A difference, if the signs of its terms differ and its own is not the first's.
// CHECK-LABEL: spirv.func @difference
// CHECK:         %[[C:.*]] = spirv.Constant 5 : i32
// CHECK:         %[[LESS:.*]] = spirv.ISub %[[V:.*]], %[[C]] : i32
// CHECK:         %[[A:.*]] = spirv.BitwiseXor %[[V]], %[[C]]
// CHECK:         %[[B:.*]] = spirv.BitwiseXor %[[LESS]], %[[V]]
// CHECK:         %[[BOTH:.*]] = spirv.BitwiseAnd %[[A]], %[[B]]
// CHECK:         spirv.SLessThan %[[BOTH]], %cst0_i32
gpu.module @m_difference {
  gpu.func @difference(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %c = arith.constant 5 : i32
    %b = chi.overflow sub %v, %c : i32
    %r = arith.extui %b : i1 to i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// A rest has the sign of the number. It is taken without signs: SPIR-V's own has
// no meaning below zero.
// CHECK-LABEL: spirv.func @rest
// CHECK-NOT:     spirv.SRem
// CHECK:         spirv.SLessThan
// CHECK:         %[[X:.*]] = spirv.Select
// CHECK:         %[[Y:.*]] = spirv.Select
// CHECK:         %[[REST:.*]] = spirv.UMod %[[X]], %[[Y]] : i32
// CHECK:         %[[MINUS:.*]] = spirv.ISub %{{.*}}, %[[REST]]
// CHECK:         spirv.Select %{{.*}}, %[[MINUS]], %[[REST]]
gpu.module @m_rest {
  gpu.func @rest(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %c = arith.constant 7 : i32
    %w = arith.xori %v, %c : i32
    %r = arith.remsi %v, %w : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// The size of the least number is itself.
// CHECK-LABEL: spirv.func @size
// CHECK-NOT:     spirv.GL.SAbs
// CHECK:         %[[IS:.*]] = spirv.SLessThan %[[V:.*]], %{{.*}} : i32
// CHECK:         %[[MINUS:.*]] = spirv.ISub %{{.*}}, %[[V]]
// CHECK:         spirv.Select %[[IS]], %[[MINUS]], %[[V]]
gpu.module @m_size {
  gpu.func @size(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = math.absi %v : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// Bits that are set: by pairs, fours and bytes, whose sum a product has on top.
// CHECK-LABEL: spirv.func @ones
// CHECK-NOT:     spirv.BitCount
// CHECK:         spirv.BitwiseAnd %{{.*}}, %cst1431655765_i32
// CHECK:         spirv.ISub
// CHECK:         spirv.BitwiseAnd %{{.*}}, %cst858993459_i32
// CHECK:         spirv.BitwiseAnd %{{.*}}, %cst252645135_i32
// CHECK:         %[[ALL:.*]] = spirv.IMul %{{.*}}, %cst16843009_i32
// CHECK:         spirv.ShiftRightLogical %[[ALL]], %cst24_i32
gpu.module @m_ones {
  gpu.func @ones(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = math.ctpop %v : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// A byte's bits need no product.
// CHECK-LABEL: spirv.func @byteOnes
// CHECK-NOT:     spirv.IMul
// CHECK:         spirv.Return
gpu.module @m_byteOnes {
  gpu.func @byteOnes(%x: memref<?xi8>, %y: memref<?xi8>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi8>
    %r = math.ctpop %v : i8
    memref.store %r, %y[%i] : memref<?xi8>
    gpu.return
  }
}

// Zeros above the highest bit: those that are not set once all below it are.
// CHECK-LABEL: spirv.func @leading
// CHECK:         spirv.ShiftRightLogical %{{.*}}, %cst1_i32
// CHECK:         spirv.ShiftRightLogical %{{.*}}, %cst2_i32
// CHECK:         spirv.ShiftRightLogical %{{.*}}, %cst4_i32
// CHECK:         spirv.ShiftRightLogical %{{.*}}, %cst8_i32
// CHECK:         %[[LAST:.*]] = spirv.ShiftRightLogical %{{.*}}, %cst16_i32
// CHECK:         %[[SET:.*]] = spirv.BitwiseOr %{{.*}}, %[[LAST]]
// CHECK:         spirv.BitwiseXor %[[SET]], %cst-1_i32
// CHECK:         spirv.IMul
gpu.module @m_leading {
  gpu.func @leading(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = math.ctlz %v : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// Zeros below the lowest bit: those of the number less one that it has not.
// CHECK-LABEL: spirv.func @trailing
// CHECK:         %[[NOT:.*]] = spirv.BitwiseXor %[[V:.*]], %cst-1_i32
// CHECK:         %[[LESS:.*]] = spirv.IAdd %[[V]], %cst-1_i32
// CHECK:         spirv.BitwiseAnd %[[NOT]], %[[LESS]]
gpu.module @m_trailing {
  gpu.func @trailing(%x: memref<?xi32>, %y: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = math.cttz %v : i32
    memref.store %r, %y[%i] : memref<?xi32>
    gpu.return
  }
}

// To f32: a large number as twice its half, whose last bit says whether one is
// lost. A signed conversion is enough.
// CHECK-LABEL: spirv.func @toFloat
// CHECK-NOT:     spirv.ConvertUToF
// CHECK:         %[[HALF:.*]] = spirv.ShiftRightLogical %[[V:.*]], %[[ONE:.*]] : i32, i32
// CHECK:         %[[BIT:.*]] = spirv.BitwiseAnd %[[V]], %[[ONE]]
// CHECK:         %[[STICKY:.*]] = spirv.BitwiseOr %[[HALF]], %[[BIT]]
// CHECK:         %[[LARGE:.*]] = spirv.SLessThan %[[V]]
// CHECK:         %[[IN:.*]] = spirv.Select %[[LARGE]], %[[STICKY]], %[[V]]
// CHECK:         %[[F:.*]] = spirv.ConvertSToF %[[IN]] : i32 to f32
// CHECK:         %[[TWICE:.*]] = spirv.FAdd %[[F]], %[[F]]
// CHECK:         spirv.Select %[[LARGE]], %[[TWICE]], %[[F]]
gpu.module @m_toFloat {
  gpu.func @toFloat(%x: memref<?xi32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = arith.uitofp %v : i32 to f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.return
  }
}

// From or to other widths it is the device's.
// CHECK-LABEL: spirv.func @toDouble
// CHECK:         spirv.ConvertUToF %{{.*}} : i32 to f64
gpu.module @m_toDouble {
  gpu.func @toDouble(%x: memref<?xi32>, %y: memref<?xf64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %r = arith.uitofp %v : i32 to f64
    memref.store %r, %y[%i] : memref<?xf64>
    gpu.return
  }
}
