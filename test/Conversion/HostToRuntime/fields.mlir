// RUN: chi-opt %s --convert-host-to-runtime --cse | FileCheck %s

// A field in host code is a handle: its data is the first member, its extents
// an array behind. One thread runs, so an update is load, operation, store.
!F = !chi.field<?x4x!chi.vec<2xf32>, soa>
!B = !chi.field<3xi1>

// CHECK-LABEL: func.func @elements(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr, %[[I:[a-z0-9]+]]: i32, %[[FLAG:[a-z0-9]+]]: i1)
func.func @elements(%f: !F, %b: !B, %i: i32, %flag: i1) -> (f32, i1) attributes {chi.host} {
  // Plane 1 is behind as many elements as the field has: n * 4.
  // CHECK:      %[[DATA:.*]] = llvm.load %[[F]] : !llvm.ptr -> !llvm.ptr
  // CHECK:      %[[EXTENT:.*]] = llvm.getelementptr inbounds %[[F]][0, 1, 0]
  // CHECK:      %[[N:.*]] = llvm.load %[[EXTENT]] : !llvm.ptr -> i64
  // CHECK:      %[[ROWS:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK:      %[[II:.*]] = arith.index_cast %[[I]] : i32 to index
  // CHECK:      %[[ROW:.*]] = arith.muli %[[II]], %c4 overflow<nsw> : index
  // CHECK:      %[[ELEMENT:.*]] = arith.addi %[[ROW]], %[[II]] overflow<nsw> : index
  // CHECK:      %[[PLANE:.*]] = arith.muli %[[ROWS]], %c4 overflow<nsw> : index
  // CHECK:      %[[AT:.*]] = arith.addi %[[PLANE]], %[[ELEMENT]] overflow<nsw> : index
  // CHECK:      %[[OFFSET:.*]] = arith.index_cast %[[AT]] : index to i64
  // CHECK:      %[[ADDRESS:.*]] = llvm.getelementptr inbounds|nuw %[[DATA]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK:      %[[V:.*]] = llvm.load %[[ADDRESS]] : !llvm.ptr -> f32
  %v = chi.load %f[%i, %i : i32, i32] component 1 : !F -> f32

  // A component found at run time: as many planes.
  // CHECK:      %[[FAR:.*]] = arith.muli %[[II]], %[[PLANE]] overflow<nsw> : index
  // CHECK:      %[[THERE:.*]] = arith.addi %[[FAR]], %[[ELEMENT]] overflow<nsw> : index
  // CHECK:      %[[BEHIND:.*]] = arith.index_cast %[[THERE]] : index to i64
  // CHECK:      %[[TO:.*]] = llvm.getelementptr inbounds|nuw %[[DATA]][%[[BEHIND]]]
  // CHECK:      llvm.store %[[V]], %[[TO]] : f32, !llvm.ptr
  chi.store %v, %f[%i, %i : i32, i32] dynamic(%i : i32) : f32, !F

  // What was stored may have been the handle's memory: data and extent are read
  // again. Exactly as written: nothing may be rewritten in host code.
  // CHECK:      %[[AGAIN:.*]] = llvm.load %[[F]] : !llvm.ptr -> !llvm.ptr
  // CHECK:      %[[PLACE:.*]] = llvm.getelementptr inbounds|nuw %[[AGAIN]]
  // CHECK:      %[[OLD:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> f32
  // CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]] : f32
  // CHECK-NEXT: llvm.store %[[NEW]], %[[PLACE]] : f32, !llvm.ptr
  chi.accum add %v, %f[%i, %i : i32, i32] : f32, !F

  // A bool is a byte; an index that is a constant is an address at once.
  // CHECK:      %[[BYTES:.*]] = llvm.load %[[B]] : !llvm.ptr -> !llvm.ptr
  // CHECK:      %[[SECOND:.*]] = llvm.getelementptr inbounds|nuw %[[BYTES]][%c2_i64] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK:      %[[BYTE:.*]] = llvm.load %[[SECOND]] : !llvm.ptr -> i8
  // CHECK:      %[[BIT:.*]] = arith.trunci %[[BYTE]] : i8 to i1
  %two = arith.constant 2 : i32
  %w = chi.load %b[%two : i32] : !B -> i1
  // CHECK:      %[[OUT:.*]] = arith.extui %[[FLAG]] : i1 to i8
  // CHECK:      llvm.store %[[OUT]], %{{.*}} : i8, !llvm.ptr
  %zero = arith.constant 0 : i32
  chi.store %flag, %b[%zero : i32] : i1, !B
  // CHECK:      return %[[V]], %[[BIT]]
  return %v, %w : f32, i1
}

// An extent as the program has it: of its own width, and a constant where the
// type knows it.
// CHECK-LABEL: func.func @extents(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr)
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[SHORT:.*]] = arith.trunci %[[N]] : i64 to i32
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK:         return %[[SHORT]], %[[FOUR]], %[[N]]
func.func @extents(%f: !F) -> (i32, i64, i64) attributes {chi.host} {
  %a = chi.dim %f, 0 : !F -> i32
  %b = chi.dim %f, 1 : !F -> i64
  %c = chi.dim %f, 0 : !F -> i64
  return %a, %b, %c : i32, i64, i64
}

// Under another type it is the same handle; so is none.
// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[C:[a-z0-9]+]]: i1) -> !llvm.ptr
// CHECK:         %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         %[[R:.*]] = arith.select %[[C]], %[[F]], %[[NONE]] : !llvm.ptr
// CHECK:         return %[[R]] : !llvm.ptr
func.func @casts(%f: !F, %c: i1) -> !chi.field<?x?x!chi.vec<2xf32>, soa> attributes {chi.host} {
  %g = chi.cast_field %f : !F to !chi.field<?x?x!chi.vec<2xf32>, soa>
  %n = chi.null : !chi.field<?x?x!chi.vec<2xf32>, soa>
  %r = arith.select %c, %g, %n : !chi.field<?x?x!chi.vec<2xf32>, soa>
  return %r : !chi.field<?x?x!chi.vec<2xf32>, soa>
}

// Handles travel through loops and conditions as pointers.
// CHECK-LABEL: func.func @travels(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[G:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i32)
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[H:.*]] = %[[F]]) -> (!llvm.ptr) : i32 {
// CHECK:           func.call @use(%[[H]]) : (!llvm.ptr) -> ()
// CHECK:           scf.yield %[[G]] : !llvm.ptr
// CHECK:         call @use(%[[R]])
// CHECK-NOT:   chi.field
func.func private @use(!F) attributes {chi.control}
func.func @travels(%f: !F, %g: !F, %n: i32) attributes {chi.host} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %z to %n step %one iter_args(%h = %f) -> !F : i32 {
    func.call @use(%h) : (!F) -> ()
    scf.yield %g : !F
  }
  call @use(%r) : (!F) -> ()
  return
}
