// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// What a launch passes: of a field its data and the extents that its type does
// not give, read from the handle; scalars unchanged; of an axis the start and
// the extent, unless they are known. They are passed in a struct, from which
// the chunk loads them in the same order and calls the body.
!F = !chi.field<?x4x?xf32>
// CHECK-LABEL: func.func private @k.t0.chunk(
// CHECK-SAME:    %[[ARGS:[a-z0-9]+]]: !llvm.ptr, %[[BEGIN:[a-z0-9]+]]: i64, %[[END:[a-z0-9]+]]: i64, %[[WORKER:[a-z0-9]+]]: i32)
// CHECK-NOT:     chi.cold
// CHECK:         %[[P0:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 0] : {{.*}}, !llvm.struct<(ptr, i64, i64, i1, f64, i64, i64)>
// CHECK-NEXT:    %[[DATA:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[P2:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 2]
// CHECK-NEXT:    %[[N2:.*]] = llvm.load %[[P2]] : !llvm.ptr -> i64
// CHECK:         %[[P3:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 3]
// CHECK-NEXT:    %[[FLAG:.*]] = llvm.load %[[P3]] : !llvm.ptr -> i1
// CHECK:         %[[P4:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 4]
// CHECK-NEXT:    %[[REAL:.*]] = llvm.load %[[P4]] : !llvm.ptr -> f64
// CHECK-DAG:     %[[X:.*]] = builtin.unrealized_conversion_cast %[[DATA]] : !llvm.ptr to memref<?xf32>
// CHECK-DAG:     %[[N:.*]] = arith.index_cast %[[N2]] : i64 to index
// CHECK-DAG:     %[[B:.*]] = arith.index_cast %[[BEGIN]] : i64 to index
// CHECK-DAG:     %[[E:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK:         call @k.t0.body(%[[X]], %{{.*}}, %[[N]], %[[FLAG]], %[[REAL]], %{{.*}}, %{{.*}}, %[[B]], %[[E]])
// CHECK-NEXT:    return
// CHECK-NOT:     %[[WORKER]]
chi.task @k.t0(%x: !F, %b: i1, %v: f64) (%i: i32) attributes {kernel = "k", axes = ["i"], cost = 40 : i64} {
  %z = arith.constant 0 : i32
  %f = arith.truncf %v : f64 to f32
  scf.if %b {
    chi.store %f, %x[%i, %z, %z : i32, i32, i32] inbounds : f32, !F
  }
  chi.next
}

// CHECK-LABEL: func.func @k(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !chi.field<?x4x?xf32>, %[[FLAG:[a-z0-9]+]]: i1, %[[REAL:[a-z0-9]+]]: f64, %[[FROM:[a-z0-9]+]]: i32, %[[TO:[a-z0-9]+]]: i32)
// CHECK:         %[[MEMORY:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64, i64, i1, f64, i64, i64)>
// CHECK:         %[[HANDLE:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK:         %[[DATA:.*]] = llvm.load %[[HANDLE]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[A0:.*]] = llvm.getelementptr inbounds %[[HANDLE]][0, 1, 0]
// CHECK:         %[[N0:.*]] = llvm.load %[[A0]] : !llvm.ptr -> i64
// The extent of the second axis is 4.
// CHECK-NOT:     %[[HANDLE]][0, 1, 1]
// CHECK:         %[[A2:.*]] = llvm.getelementptr inbounds %[[HANDLE]][0, 1, 2]
// CHECK:         %[[N2:.*]] = llvm.load %[[A2]] : !llvm.ptr -> i64
// An empty range may be so wide that its difference wraps: it has no iteration.
// CHECK:         %[[START:.*]] = arith.extsi %[[FROM]] : i32 to i64
// CHECK:         %[[STOP:.*]] = arith.extsi %[[TO]] : i32 to i64
// CHECK:         %[[SOME:.*]] = arith.cmpi slt, %[[START]], %[[STOP]] : i64
// CHECK:         %[[WIDTH:.*]] = arith.subi %[[STOP]], %[[START]] : i64
// CHECK:         %[[COUNT:.*]] = arith.select %[[SOME]], %[[WIDTH]], %{{.*}} : i64
// CHECK:         %[[M0:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 0]
// CHECK-NEXT:    llvm.store %[[DATA]], %[[M0]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[M1:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 1]
// CHECK-NEXT:    llvm.store %[[N0]], %[[M1]] : i64, !llvm.ptr
// CHECK:         %[[M2:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 2]
// CHECK-NEXT:    llvm.store %[[N2]], %[[M2]] : i64, !llvm.ptr
// CHECK:         %[[M3:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 3]
// CHECK-NEXT:    llvm.store %[[FLAG]], %[[M3]] : i1, !llvm.ptr
// CHECK:         %[[M4:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 4]
// CHECK-NEXT:    llvm.store %[[REAL]], %[[M4]] : f64, !llvm.ptr
// CHECK:         %[[M5:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 5]
// CHECK-NEXT:    llvm.store %[[START]], %[[M5]] : i64, !llvm.ptr
// CHECK:         %[[M6:.*]] = llvm.getelementptr inbounds %[[MEMORY]][0, 6]
// CHECK-NEXT:    llvm.store %[[COUNT]], %[[M6]] : i64, !llvm.ptr
// CHECK:         %[[CHUNK:.*]] = constant @k.t0.chunk : (!llvm.ptr, i64, i64, i32) -> ()
// CHECK-NEXT:    %[[CODE:.*]] = builtin.unrealized_conversion_cast %[[CHUNK]]
// CHECK:         llvm.call @chirt_parallel(%[[CODE]], %[[MEMORY]], %[[COUNT]], %c16_i64, %c40_i64)
func.func @k(%x: !F, %b: i1, %v: f64, %from: i32, %to: i32) attributes {chi.control} {
  chi.launch @k.t0(%x, %b, %v : !F, i1, f64) from (%from : i32) to (%to : i32)
  return
}

// A cell is its memory, which no handle leads to.
// CHECK-LABEL: func.func @cell(
// CHECK:         %[[CELL:.*]] = chi.cell "s"
// CHECK:         %[[AT:.*]] = builtin.unrealized_conversion_cast %[[CELL]] : !chi.field<f32> to !llvm.ptr
// CHECK-NOT:     llvm.load %[[AT]]
// CHECK:         %[[S:.*]] = builtin.unrealized_conversion_cast %[[AT]] : !llvm.ptr to memref<?xf32>
// CHECK:         call @cell.t0.body(%[[S]])
chi.task @cell.t0(%s: !chi.field<f32>) () attributes {kernel = "cell"} {
  %v = arith.constant 1.0 : f32
  chi.store %v, %s[] inbounds : f32, !chi.field<f32>
  chi.next
}
func.func @cell() attributes {chi.control} {
  %s = chi.cell "s" : !chi.field<f32>
  chi.launch @cell.t0(%s : !chi.field<f32>)
  return
}
