// RUN: chi-opt %s --convert-host-to-runtime --cse | FileCheck %s

// Random numbers outside of tasks: in a script each is the next of the run
// time's own; in a kernel's control function they are a stream that depends on
// seed, loop, draw, call and launch index.

// CHECK-LABEL: func.func @host(
// CHECK:         %[[A:.*]] = llvm.call @chirt_random_host()
// CHECK:         %[[B:.*]] = llvm.call @chirt_random_host()
// CHECK-NOT:     chirt_next_ordinal
// CHECK:         return %[[A]], %[[B]]
func.func @host() -> (i64, i64) attributes {chi.host} {
  %a = chi.random
  %b = chi.random
  return %a, %b : i64, i64
}

// CHECK-LABEL: func.func @control(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: i32, %[[P:[a-z0-9]+]]: i32)
// CHECK:         %[[ORDINAL:.*]] = llvm.call @chirt_next_ordinal() : () -> i32
// CHECK:         %[[SEED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         %[[UP:.*]] = arith.shrui %[[SEED]], %c32_i64 : i64
// CHECK:         %[[HIGH:.*]] = arith.trunci %[[UP]] : i64 to i32
// Loop 1: the golden ratio itself.
// CHECK:         %[[RATIO:.*]] = arith.constant -1640531527 : i32
// CHECK:         %[[KEYHIGH:.*]] = arith.addi %[[HIGH]], %[[RATIO]] : i32
// CHECK:         %[[LOW:.*]] = arith.trunci %[[SEED]] : i64 to i32
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[ORDINAL]], %{{.*}} = %[[P]], %{{.*}} = %[[LOW]], %{{.*}} = %[[KEYHIGH]])
// CHECK-NOT:     chirt_random_host
// CHECK:         return
func.func @control(%n: i32, %p: i32) -> i64 attributes {chi.control} {
  %call = chi.ordinal : i32
  %first = arith.constant 0 : i64
  %a = chi.random loop 1 call %call launch %p iteration %first draw %n
  return %a : i64
}

// An ordinal that nobody uses is counted all the same.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT:    llvm.call @chirt_next_ordinal
func.func @nothing() attributes {chi.control} {
  %call = chi.ordinal : i32
  return
}
