// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --convert-host-to-runtime --cse | FileCheck %s

// A variable that lives across the tasks of a kernel is memory of the control
// function's frame, and a launch passes that memory. An array is zeroed at each
// execution of its declaration; a scalar is stored first anyway.
!S = !chi.field<f32>
!B = !chi.field<i1>
!A = !chi.field<3x!chi.vec<2xi16>>
chi.task @k.t0(%s: !S, %a: !A) () attributes {kernel = "k"} {
  %z = arith.constant 0 : i32
  %v = arith.constant 2.0 : f32
  %w = arith.constant 3 : i16
  chi.store %v, %s[] inbounds : f32, !S
  chi.store %w, %a[%z : i32] component 1 inbounds : i16, !A
  chi.next
}
// CHECK-LABEL: func.func @k(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: i1) -> (f32, i1)
// CHECK-DAG:     %[[S:.*]] = llvm.alloca %{{.*}} x f32
// CHECK-DAG:     %[[B:.*]] = llvm.alloca %{{.*}} x i8
// Six scalars of two bytes.
// CHECK-DAG:     %[[SIX:.*]] = arith.constant 6 : i64
// CHECK-DAG:     %[[A:.*]] = llvm.alloca %[[SIX]] x i16
// CHECK-NOT:     "llvm.intr.memset"(%[[S]]
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         %[[BYTES:.*]] = arith.constant 12 : i64
// CHECK:         "llvm.intr.memset"(%[[A]], %[[ZERO]], %[[BYTES]]) <{isVolatile = false}>
// CHECK-NOT:     "llvm.intr.memset"
// CHECK:         llvm.store %{{.*}}, %[[S]] : f32, !llvm.ptr
// CHECK:         %[[BYTE:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK:         llvm.store %[[BYTE]], %[[B]] : i8, !llvm.ptr
// CHECK-DAG:     %[[SM:.*]] = builtin.unrealized_conversion_cast %[[S]] : !llvm.ptr to memref<?xf32>
// CHECK-DAG:     %[[AM:.*]] = builtin.unrealized_conversion_cast %[[A]] : !llvm.ptr to memref<?xi16>
// CHECK:         call @k.t0.body(%[[SM]], %[[AM]])
// CHECK:         %[[R:.*]] = llvm.load %[[S]] : !llvm.ptr -> f32
// CHECK:         %[[W:.*]] = llvm.load %[[B]] : !llvm.ptr -> i8
// CHECK:         %[[BIT:.*]] = arith.trunci %[[W]] : i8 to i1
// An entry of the array, by the number that the program computes.
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[A]][%c5_i64] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         %[[E:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i16
// CHECK:         %[[TO:.*]] = llvm.getelementptr inbounds|nuw %[[A]][%c4_i64] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK:         llvm.store %[[E]], %[[TO]] : i16, !llvm.ptr
// CHECK:         return %[[R]], %[[BIT]]
// CHECK-NOT:     chi.cell
func.func @k(%c: i1) -> (f32, i1) attributes {chi.control} {
  %s = chi.cell "s" : !S
  %b = chi.cell "b" : !B
  %a = chi.cell "a" : !A
  %one = arith.constant 1.0 : f32
  chi.store %one, %s[] : f32, !S
  chi.store %c, %b[] : i1, !B
  chi.launch @k.t0(%s, %a : !S, !A)
  %r = chi.load %s[] : !S -> f32
  %w = chi.load %b[] : !B -> i1
  %two = arith.constant 2 : i32
  %e = chi.load %a[%two : i32] component 1 : !A -> i16
  chi.store %e, %a[%two : i32] : i16, !A
  return %r, %w : f32, i1
}
