// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-schedule="without=noalias" --convert-chi-to-loops | FileCheck %s --check-prefix=UNSAID

// Two handles may be one field if element, layout and order are the same and
// no extent is known to differ. Where one of such a pair is written, the launch
// compares their data, and takes the code that promises nothing if they agree.
!F = !chi.field<?xf32>
!G = !chi.field<8xf32>
!S = !chi.field<9xf32>
!V = !chi.field<?x!chi.vec<2xf32>>
!P = !chi.field<?x!chi.vec<2xf32>, soa>

// Both are read only, and the third is never touched: all one to the task.
// CHECK-LABEL: func.func private @reads.body(
// CHECK-NOT:   @reads.may_alias
chi.task @reads(%x: !F, %y: !F, %z: !F, %r: !chi.field<?xf64>) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  %c = arith.addf %a, %b : f32
  %d = arith.extf %c : f32 to f64
  chi.store %d, %r[%i : i32] inbounds : f64, !chi.field<?xf64>
  chi.next
}
// Another extent, another layout: other fields.
// CHECK-LABEL: func.func private @differ.body(
// CHECK-NOT:   @differ.may_alias
chi.task @differ(%x: !G, %y: !S, %v: !V, %p: !P) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !G -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !S
  %b = chi.load %v[%i : i32] inbounds : !V -> f32
  chi.store %b, %p[%i : i32] inbounds : f32, !P
  chi.next
}
// An unknown extent may be 8, or 9; but one field is not both. Under a cast it
// is the field that counts.
// CHECK-LABEL: func.func private @may.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<?xf32> {llvm.noalias},
// CHECK:       func.func private @may.may_alias(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: memref<?xf32>,
// CHECK-SAME:    attributes {chi.axes = "", chi.body, chi.cold, chi.kernel = ""}
// CHECK:       func.func private @may.may_alias.chunk(
// CHECK-SAME:    attributes {chi.cold}
// CHECK:         call @may.may_alias(
// UNSAID-LABEL: func.func private @may.body(
// UNSAID-NOT:    llvm.noalias
// UNSAID:       func.func private @may.may_alias(
chi.task @may(%x: !F, %y: !G, %z: !S) (%i: i32) {
  %c = chi.cast_field %x : !F to !G
  %a = chi.load %c[%i : i32] inbounds : !G -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !G
  chi.store %a, %z[%i : i32] inbounds : f32, !S
  chi.next
}

// CHECK-LABEL: func.func @launches(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: !chi.field<?xf32>, %[[B:[a-z0-9]+]]: !chi.field<8xf32>, %[[C:[a-z0-9]+]]: !chi.field<9xf32>,
// CHECK-DAG:     %[[AH:.*]] = builtin.unrealized_conversion_cast %[[A]]
// CHECK-DAG:     %[[BH:.*]] = builtin.unrealized_conversion_cast %[[B]]
// CHECK-DAG:     %[[CH:.*]] = builtin.unrealized_conversion_cast %[[C]]
// CHECK-DAG:     %[[X:.*]] = llvm.load %[[AH]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG:     %[[Y:.*]] = llvm.load %[[BH]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG:     %[[Z:.*]] = llvm.load %[[CH]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[XY:.*]] = llvm.icmp "eq" %[[X]], %[[Y]] : !llvm.ptr
// CHECK:         %[[XZ:.*]] = llvm.icmp "eq" %[[X]], %[[Z]] : !llvm.ptr
// CHECK-NOT:     llvm.icmp "eq" %[[Y]], %[[Z]]
// CHECK:         %[[ANY:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:         scf.if %[[ANY]] {
// CHECK:           constant @may.may_alias.chunk
// CHECK:         } else {
// CHECK:           constant @may.chunk
// The data of a cell is nobody else's.
// CHECK:         call @cell.body(
// CHECK-NOT:     llvm.icmp
// CHECK:         return
chi.task @cell(%x: !chi.field<f32>, %y: !chi.field<f32>) () {
  %a = chi.load %x[] inbounds : !chi.field<f32> -> f32
  chi.store %a, %y[] inbounds : f32, !chi.field<f32>
  chi.next
}
func.func @launches(%x: !F, %y: !G, %z: !S, %s: !chi.field<f32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %t = chi.cell "t" : !chi.field<f32>
  chi.launch @may(%x, %y, %z : !F, !G, !S) from (%c0 : i32) to (%n : i32)
  chi.launch @cell(%s, %t : !chi.field<f32>, !chi.field<f32>)
  return
}

// A small launch asks as well, and calls one body or the other.
// CHECK-LABEL: func.func @small(
// CHECK:         %[[SAME:.*]] = llvm.icmp "eq"
// CHECK:         scf.if %[[SAME]] {
// CHECK:           call @few.may_alias(
// CHECK:         } else {
// CHECK:           call @few.body(
chi.task @few(%x: !F, %y: !F) (%i: i32) attributes {cost = 1 : i64} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}
func.func @small(%x: !F, %y: !F) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @few(%x, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  return
}
