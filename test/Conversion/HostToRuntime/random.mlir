// RUN: chi-opt %s --convert-host-to-runtime --cse | FileCheck %s

// Random numbers outside of tasks: in a script each is the next of the run
// time's own; in a kernel's control function they are a stream that hangs on
// seed, loop, draw, call and pass, as if of iteration 0.

// CHECK-LABEL: func.func @host(
// CHECK:         %[[A:.*]] = llvm.call @chirt_random_host()
// CHECK:         %[[B:.*]] = llvm.call @chirt_random_host()
// CHECK-NOT:     chirt_next_ordinal
// CHECK:         return %[[A]], %[[B]]
func.func @host(%n: i32) -> (i64, i64) attributes {chi.host} {
  %a = chi.random
  %b = chi.random(%n) loop 2
  return %a, %b : i64, i64
}

// CHECK-LABEL: func.func @control(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i32, %[[P:[a-z0-9]+]]: i32)
// CHECK-NEXT:    %[[ORDINAL:.*]] = llvm.call @chirt_next_ordinal() {chi.ordinal}
// CHECK:         %[[SEED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[UP:.*]] = arith.shrui %[[SEED]], %c32_i64 : i64
// CHECK:         %[[HIGH:.*]] = arith.trunci %[[UP]] : i64 to i32
// Loop 1: the golden ratio itself.
// CHECK:         %[[RATIO:.*]] = arith.constant -1640531527 : i32
// CHECK:         %[[KEYHIGH:.*]] = arith.addi %[[HIGH]], %[[RATIO]] : i32
// CHECK:         %[[LOW:.*]] = arith.trunci %[[SEED]] : i64 to i32
// CHECK:         %[[OUT:.*]]:6 = scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %[[N]], %{{.*}} = %[[ORDINAL]], %{{.*}} = %[[P]], %{{.*}} = %[[LOW]], %{{.*}} = %[[KEYHIGH]])
// A second one of the same call has the same ordinal, and no pass is pass 0.
// CHECK-NOT:     chirt_next_ordinal
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %[[P]], %{{.*}} = %[[ORDINAL]], %{{.*}} = %c0_i32, %{{.*}} = %[[LOW]], %{{.*}} = %[[HIGH]])
// CHECK-NOT:     chirt_random_host
// CHECK:         return
func.func @control(%n: i32, %p: i32) -> (i64, i64) attributes {chi.control} {
  %a = chi.random(%n) loop 1 launch %p
  %b = chi.random(%p)
  return %a, %b : i64, i64
}
// What is not numbered is the run time's next, there too.
// CHECK-LABEL: func.func @unnumbered(
// CHECK:         llvm.call @chirt_random_host()
func.func @unnumbered() -> i64 attributes {chi.control} {
  %a = chi.random
  return %a : i64
}
