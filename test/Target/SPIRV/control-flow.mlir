// Graphs of blocks are structured: loops with one exit, branches that meet.
// RUN: chi-opt %s --convert-kernels-to-spirv | FileCheck %s

// Three ways on are a chain of two branches.
// CHECK-LABEL: spirv.func @switch
// CHECK-NOT:     spirv.Switch
// CHECK:         spirv.mlir.selection
// CHECK:           spirv.mlir.selection
// CHECK:           spirv.mlir.merge
// CHECK:         spirv.mlir.merge
// CHECK:         spirv.Return
gpu.module @m_switch {
  gpu.func @switch(%x: memref<?xi32>, %n: i32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i32
    %c6 = arith.constant 6 : i32
    cf.switch %n : i32, [
      default: ^other,
      1: ^one,
      4: ^four
    ]
  ^one:
    memref.store %c5, %x[%c0] : memref<?xi32>
    cf.br ^end
  ^four:
    memref.store %c6, %x[%c0] : memref<?xi32>
    cf.br ^end
  ^other:
    memref.store %n, %x[%c0] : memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}

// Two loops in one, the inner one of which may leave both.
// CHECK-LABEL: spirv.func @both
// CHECK:         spirv.mlir.loop
// CHECK:           spirv.mlir.loop
// CHECK:           spirv.mlir.merge
// CHECK:         spirv.mlir.merge
// CHECK-NOT:     spirv.mlir.loop
// CHECK:         spirv.Return
gpu.module @m_both {
  gpu.func @both(%x: memref<?xi32>, %n: i32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    cf.br ^outer(%z : i32)
  ^outer(%i: i32):
    %goes = arith.cmpi slt, %i, %n : i32
    cf.cond_br %goes, ^inner(%i : i32), ^end
  ^inner(%j: i32):
    %v = memref.load %x[%c0] : memref<?xi32>
    %k = arith.addi %j, %v : i32
    %out = arith.cmpi eq, %k, %n : i32
    cf.cond_br %out, ^end, ^more
  ^more:
    %again = arith.cmpi slt, %k, %n : i32
    %next = arith.addi %i, %one : i32
    cf.cond_br %again, ^inner(%k : i32), ^outer(%next : i32)
  ^end:
    gpu.return
  }
}

// A call stays a call, of a function of the module, whose blocks are structured
// as well.
// CHECK-LABEL: spirv.module @__spv__m_calls
// CHECK:       spirv.func @calls
// CHECK:         spirv.FunctionCall @own
// CHECK:       spirv.func @own
// CHECK:         spirv.mlir.selection
// CHECK:         spirv.ReturnValue
gpu.module @m_calls {
  gpu.func @calls(%x: memref<?xi32>, %n: i32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)]>} {
    %c0 = arith.constant 0 : index
    %v = func.call @own(%n) : (i32) -> i32
    memref.store %v, %x[%c0] : memref<?xi32>
    gpu.return
  }
  func.func private @own(%n: i32) -> i32 {
    %z = arith.constant 0 : i32
    %c = arith.cmpi slt, %n, %z : i32
    cf.cond_br %c, ^less, ^end(%n : i32)
  ^less:
    %m = arith.subi %z, %n : i32
    cf.br ^end(%m : i32)
  ^end(%r: i32):
    return %r : i32
  }
}

// An array of constants is an array of the kernel, which it fills first.
// CHECK-LABEL: spirv.module @__spv__m_table
// CHECK-NOT:   memref.global
// CHECK:       spirv.func @table
// CHECK:         %[[TABLE:.*]] = spirv.Variable : !spirv.ptr<!spirv.struct<(!spirv.array<3 x i32>)>, Function>
// CHECK:         spirv.Store "Function" %{{.*}}, %cst7_i32
// CHECK:         spirv.Store "Function" %{{.*}}, %cst8_i32
// CHECK:         spirv.Store "Function" %{{.*}}, %cst9_i32
// CHECK:         %[[AT:.*]] = spirv.AccessChain %[[TABLE]]
// CHECK:         spirv.Load "Function" %[[AT]]
gpu.module @m_table {
  gpu.func @table(%x: memref<?xi32>, %n: index) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), count(0)]>} {
    %t = memref.get_global @numbers : memref<3xi32>
    %v = memref.load %t[%n] : memref<3xi32>
    memref.store %v, %x[%n] : memref<?xi32>
    gpu.return
  }
  memref.global "private" constant @numbers : memref<3xi32> = dense<[7, 8, 9]>
}

// Sixteen words are push constants; a kernel that uses none has no variable.
// CHECK-LABEL: spirv.module @__spv__m_sixteen
// CHECK:       spirv.GlobalVariable @sixteen.words : !spirv.ptr<!spirv.struct<(!spirv.ptr<{{.*}}> [0], i32 [120])>, PushConstant>
// CHECK-LABEL: spirv.module @__spv__m_none
// CHECK-NOT:   PushConstant
gpu.module @m_sixteen {
  gpu.func @sixteen(%x: memref<?xi32>, %p0: i32, %p1: i32, %p2: i32, %p3: i32, %p4: i32, %p5: i32, %p6: i32, %p7: i32, %p8: i32, %p9: i32, %p10: i32, %p11: i32, %p12: i32, %p13: i32, %p14: i32) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1), scalar(2), scalar(3), scalar(4), scalar(5), scalar(6), scalar(7), scalar(8), scalar(9), scalar(10), scalar(11), scalar(12), scalar(13), scalar(14), scalar(15)]>} {
    %c0 = arith.constant 0 : index
    memref.store %p14, %x[%c0] : memref<?xi32>
    gpu.return
  }
}
gpu.module @m_none {
  gpu.func @none(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)]>} {

    gpu.return
  }
}
