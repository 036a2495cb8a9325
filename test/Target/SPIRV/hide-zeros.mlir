// Zeros that a driver would find out as constants are the number of a block that
// is zero, converted.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// Of a store to a local array, of a result of a branch: -0 is the negation. One
// conversion serves all zeros of a type.
// CHECK-LABEL: spirv.func @local
// CHECK:         %[[BLOCK:.*]] = spirv.Load "Input" %{{.*}} : vector<3xi32>
// CHECK-NEXT:    %[[NUMBER:.*]] = spirv.CompositeExtract %[[BLOCK]][1 : i32]
// CHECK:         %[[PLUS:.*]] = spirv.ConvertUToF %[[NUMBER]] : i32 to f32
// CHECK:         %[[MINUS:.*]] = spirv.FNegate %[[PLUS]] : f32
// CHECK-NOT:     spirv.ConvertUToF
// CHECK:         spirv.Store "Function" %{{.*}}, %[[PLUS]] : f32
// CHECK:         spirv.Store "Function" %{{.*}}, %[[MINUS]] : f32
// CHECK:         spirv.Select %{{.*}}, %{{.*}}, %[[PLUS]] : i1, f32
gpu.module @m_local {
  gpu.func @local(%x: memref<?xf32>, %c: i1) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %b = gpu.block_id x
    %z = arith.constant 0.0 : f32
    %m = arith.constant -0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloca() : memref<2xf32>
    memref.store %z, %a[%c0] : memref<2xf32>
    memref.store %m, %a[%c1] : memref<2xf32>
    %v = memref.load %a[%b] : memref<2xf32>
    %r = arith.select %c, %v, %z : f32
    memref.store %r, %x[%b] : memref<?xf32>
    gpu.return
  }
}

// Of a store to a field, if the kernel loads such numbers from one.
// CHECK-LABEL: spirv.func @field
// CHECK:         %[[PLUS:.*]] = spirv.ConvertUToF %{{.*}} : i32 to f32
// CHECK:         spirv.Store "PhysicalStorageBuffer" %{{.*}}, %[[PLUS]]
gpu.module @m_field {
  gpu.func @field(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1)]>} {
    %b = gpu.block_id x
    %z = arith.constant 0.0 : f32
    memref.store %z, %y[%b] : memref<?xf32>
    %v = memref.load %y[%b] : memref<?xf32>
    memref.store %v, %x[%b] : memref<?xf32>
    gpu.return
  }
}

// If it loads none, the zero stays a constant; and so does a zero of integers,
// and another number.
// CHECK-LABEL: spirv.func @plain
// CHECK-NOT:     spirv.ConvertUToF
// CHECK:         spirv.Return
gpu.module @m_plain {
  gpu.func @plain(%x: memref<?xf32>, %n: memref<?xi32>, %c: i1) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), data(1), scalar(2)]>} {
    %b = gpu.block_id x
    %z = arith.constant 0.0 : f32
    %none = arith.constant 0 : i32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    memref.store %z, %x[%b] : memref<?xf32>
    %k = memref.load %n[%b] : memref<?xi32>
    memref.store %none, %n[%b] : memref<?xi32>
    %r = arith.select %c, %one, %two : f32
    memref.store %r, %x[%b] : memref<?xf32>
    gpu.return
  }
}

// A kernel that does not know its block keeps its zeros.
// CHECK-LABEL: spirv.func @thread
// CHECK-NOT:     spirv.ConvertUToF
// CHECK:         spirv.Return
gpu.module @m_thread {
  gpu.func @thread(%x: memref<?xf32>, %c: i1) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %v = memref.load %x[%c0] : memref<?xf32>
    %r = arith.select %c, %v, %z : f32
    memref.store %r, %x[%c0] : memref<?xf32>
    gpu.return
  }
}
