// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Memory that grows where an iteration runs: its address and its size are
// variables of the function, so that the next iteration finds the room of the
// one before. Only where there is too little is the run time called.

// CHECK-LABEL: llvm.func internal @t.body(
// CHECK-DAG:     %[[MEMORY:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK-DAG:     %[[COUNT:.*]] = llvm.alloca %{{.*}} x i64
// CHECK-DAG:     llvm.store %{{.*}}, %[[MEMORY]] : !llvm.ptr, !llvm.ptr
// CHECK:         llvm.br ^[[HEAD:bb[0-9]+]]
// CHECK:       ^[[HEAD]]
// CHECK-NOT:     alloca
// CHECK:         %[[ROOM:.*]] = llvm.load %[[COUNT]] : !llvm.ptr -> i64
// CHECK:         %[[LACKS:.*]] = llvm.icmp "sgt" %[[SIZE:.*]], %[[ROOM]] : i64
// CHECK:         llvm.cond_br %[[LACKS]] weights([1, 1000]), ^[[GROW:bb[0-9]+]], ^[[GOES:bb[0-9]+]]
// CHECK:       ^[[GROW]]:
// CHECK:         %[[OLD:.*]] = llvm.load %[[MEMORY]]
// CHECK:         %[[NEW:.*]] = llvm.call @chirt_local_grow(%[[OLD]], %{{.*}})
// CHECK:         llvm.store %[[NEW]], %[[MEMORY]]
// CHECK:       ^[[GOES]]:
// CHECK:         %[[BASE:.*]] = llvm.load %[[MEMORY]]
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr {{.*}}%[[BASE]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:         llvm.store %{{.*}}, %[[PLACE]] : f32
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         %[[LAST:.*]] = llvm.load %[[MEMORY]]
// CHECK-NEXT:    llvm.call @chirt_local_free(%[[LAST]])
// CHECK-NEXT:    llvm.return
func.func private @t.body(%x: memref<?xf32>, %n: i64) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%zero : i64)
^head(%i: i64):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^body, ^end
^body:
  %tape = chi.scratch : !chi.local<?xf32>
  %room = arith.addi %i, %one : i64
  chi.reserve %tape, %room : i64, !chi.local<?xf32>
  %at = arith.index_cast %i : i64 to index
  %v = memref.load %x[%at] : memref<?xf32>
  chi.set %v, %tape[%i : i64] : f32, !chi.local<?xf32>
  %w = chi.get %tape[%i : i64] : !chi.local<?xf32> -> f32
  memref.store %w, %x[%at] : memref<?xf32>
  %next = arith.addi %i, %one : i64
  cf.br ^head(%next : i64)
^end:
  return
}

// A bool is a byte. Each return gives all of it back.
// CHECK-LABEL: llvm.func internal @u.body(
// CHECK:         llvm.zext %{{.*}} : i1 to i8
// CHECK:         llvm.store %{{.*}} : i8
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK:         llvm.call @chirt_local_free
// CHECK-NEXT:    llvm.return
// CHECK:         llvm.call @chirt_local_free
// CHECK-NEXT:    llvm.return
func.func private @u.body(%on: i1, %x: memref<?xf32>) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  %zero = arith.constant 0 : i64
  %tape = chi.scratch : !chi.local<?xi1>
  chi.set %on, %tape[%zero : i64] : i1, !chi.local<?xi1>
  %v = chi.get %tape[%zero : i64] : !chi.local<?xi1> -> i1
  cf.cond_br %v, ^one, ^other
^one:
  return
^other:
  return
}
