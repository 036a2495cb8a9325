// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// --deterministic: the run time says into how many parts a launch is cut, by
// its sizes. Each part but the first has a copy, and there are no atomics to
// fall back on.
!X = !chi.field<?xf32>
!Y = !chi.field<100x!chi.vec<2xf32>>
// CHECK-LABEL: func.func private @sum.body(
// CHECK-NOT:     memref.atomic_rmw
// CHECK-LABEL: func.func private @sum.chunk(
chi.task @sum(%x: !X, %y: !Y, %v: f32) (%i: i32)
    attributes {kernel = "k", axes = ["i"], cost = 70 : i64, chi.fixed_parts} {
  %c3 = arith.constant 3 : i32
  chi.accum add %v, %x[%c3 : i32] inbounds strategy(privatized) : f32, !X
  chi.accum add %v, %y[%c3 : i32] component 0 inbounds strategy(privatized) : f32, !Y
  chi.next
}

// The fewest parts of both fields; the second one has 200 scalars.
// CHECK-LABEL: func.func @k(
// CHECK:         %[[A:.*]] = llvm.call @chirt_num_parts(
// CHECK:         %[[C200:.*]] = arith.constant 200 : i64
// CHECK:         %[[B:.*]] = llvm.call @chirt_num_parts({{.*}}, %[[C200]],
// CHECK:         arith.minsi
// CHECK:         scf.if
// CHECK:           call @sum.body(
// CHECK:         else
// CHECK:           %[[COPIES:.*]] = llvm.call @chirt_parts_begin(
// CHECK:           %[[MORE:.*]] = llvm.call @chirt_parts_begin(
// CHECK-NOT:       may_alias
// CHECK:           llvm.call @chirt_parallel_parts(
// CHECK:           llvm.call @chirt_parts_end(%[[COPIES]],
// CHECK:           llvm.call @chirt_parts_end(%[[MORE]],
func.func @k(%x: !X, %y: !Y, %v: f32) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %million = arith.constant 1000000 : i32
  chi.launch @sum(%x, %y, %v : !X, !Y, f32) from (%zero : i32) to (%million : i32)
  return
}
