// Which calls chi-inline-adjoints inlines, and which functions remain.
// RUN: chi-opt %s --chi-inline-adjoints --split-input-file | FileCheck %s

// No call has an adjoint of the program's own: nothing was kept for it.
// CHECK-LABEL: func.func private @plain(
// CHECK-LABEL: chi.task @none(
// CHECK:         func.call @plain
func.func private @plain(%a: f32) -> f32 {
  return %a : f32
}
chi.task @none(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %r = func.call @plain(%v) : (f32) -> f32
  chi.store %r, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// -----

// A function that another program may call stays, and so does a call of the
// host, which no tape records. Control functions are as tasks are.
// CHECK-LABEL: func.func @f(
// CHECK-NOT:   func.func private @f_bar
// CHECK-LABEL: func.func @host(
// CHECK:         call @f(
// CHECK-LABEL: func.func @control(
// CHECK-NOT:     call
// CHECK:         %[[M:.*]] = arith.mulf %arg0, %arg0
// CHECK-NEXT:    return %[[M]]
func.func @f(%a: f32) -> f32 {
  %m = arith.mulf %a, %a : f32
  return %m : f32
}
func.func private @f_bar(%a: f32, %r: f32, %d: f32) -> f32 {
  return %d : f32
}
func.func @host(%a: f32) -> f32 attributes {chi.host} {
  %r = func.call @f(%a) : (f32) -> f32
  return %r : f32
}
func.func @control(%a: f32) -> f32 attributes {chi.control} {
  %r = func.call @f(%a) {custom_adjoint = @f_bar} : (f32) -> f32
  return %r : f32
}

// -----

// Several results, and a result that is an argument. What is inlined keeps both
// places: its own, and that of the call.
// RUN: chi-opt %s --chi-inline-adjoints --split-input-file \
// RUN:   --mlir-print-debuginfo | FileCheck %s --check-prefix=PLACE
// CHECK-LABEL: chi.task @results(
// CHECK:         %[[V:.*]] = chi.load
// CHECK-NEXT:    %[[M:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT:    chi.store %[[V]]
// CHECK-NEXT:    chi.store %[[M]]
// PLACE-LABEL: chi.task @results(
// PLACE:         arith.mulf {{.*}} loc(#[[SITE:.*]])
// PLACE-DAG:   #[[INNER:loc[0-9]*]] = loc("f":1:1)
// PLACE-DAG:   #[[OUTER:loc[0-9]*]] = loc("g":2:2)
// PLACE:       #[[SITE]] = loc(callsite(#[[INNER]] at #[[OUTER]]))
func.func private @both(%a: f32) -> (f32, f32) {
  %m = arith.mulf %a, %a : f32 loc("f":1:1)
  return %a, %m : f32, f32
}
func.func private @both_bar(%a: f32, %r: f32, %s: f32, %d: f32, %e: f32) -> f32 {
  return %d : f32
}
chi.task @results(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %r:2 = func.call @both(%v) {custom_adjoint = @both_bar} : (f32) -> (f32, f32) loc("g":2:2)
  chi.store %r#0, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.store %r#1, %x[%c0 : i32] : f32, !chi.field<8xf32>
  chi.next
}
