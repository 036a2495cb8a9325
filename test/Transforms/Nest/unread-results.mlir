// RUN: chi-opt %s --chi-task-effects --chi-unread-results | FileCheck %s

// The record calls copies whose launches check and do not store; the function
// itself stays. `@scale` writes a field that the adjoint of `@root` reads, so
// that only the last launch is one that checks.

// CHECK-LABEL: func.func @f(
// CHECK: call @kernel(
// CHECK-LABEL: func.func private @f.checks(
// CHECK: call @kernel.checks(
// CHECK-LABEL: func.func @f.record(
// CHECK: call @f.checks(
func.func @f(%x: !chi.field<?xf32>) -> !chi.field<?xf32> attributes {chi.host} {
  %type = chi.str "f32"
  %one = arith.constant 1 : i64
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i64
  %y = chi.rt "chirt_field_new"(%type, %one, %n, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<?xf32>
  %z = chi.rt "chirt_field_new"(%type, %one, %n, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<?xf32>
  call @kernel(%x, %y, %z) : (!chi.field<?xf32>, !chi.field<?xf32>, !chi.field<?xf32>) -> ()
  chi.rt "chirt_field_release"(%y) : (!chi.field<?xf32>) -> ()
  return %z : !chi.field<?xf32>
}
func.func @f.record(%x: !chi.field<?xf32>) -> !chi.field<?xf32> attributes {chi.host} {
  %name = chi.str "f"
  chi.rt "chirt_kernel_begin"(%name) : (!chi.str) -> ()
  %y = call @f(%x) : (!chi.field<?xf32>) -> !chi.field<?xf32>
  chi.rt "chirt_kernel_end"() : () -> ()
  return %y : !chi.field<?xf32>
}
func.func @f.record.backward() attributes {chi.host} {
  return
}

// CHECK-LABEL: func.func @kernel(
// CHECK: chi.launch @root(
// CHECK: chi.launch @shift(
// CHECK-LABEL: func.func private @kernel.checks(
// CHECK-SAME: chi.unit = "kernel"
// CHECK: chi.launch @root(
// CHECK: chi.launch @shift.checks(
func.func @kernel(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %z: !chi.field<?xf32>) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  chi.launch @root(%x, %y : !chi.field<?xf32>, !chi.field<?xf32>) from(%zero : i32) to(%n : i32)
  chi.launch @shift(%y, %z : !chi.field<?xf32>, !chi.field<?xf32>) from(%zero : i32) to(%n : i32)
  return
}

// CHECK-LABEL: chi.task @root(
// CHECK: chi.store
chi.task @root(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) (%i: i32) attributes {adjoint = #chi.adjoint<task = @root.adj>} {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %r = math.sqrt %v : f32
  chi.store %r, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
chi.task @root.adj(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %xa: !chi.field<?xf32>, %ya: !chi.field<?xf32>) (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 2>} {
  %r = chi.load %y[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %a = chi.load %ya[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %d = arith.divf %a, %r : f32
  chi.accum add %d, %xa[%i : i32] inbounds strategy(plain) : f32, !chi.field<?xf32>
  chi.next
}

// The copy is what is left without stores: the check, which names the adjoint
// of the whole.
// CHECK-LABEL: chi.task @shift(
// CHECK: chi.store
// CHECK-LABEL: chi.task @shift.checks(
// CHECK-SAME: #chi.adjoint<task = @shift.adj>
// CHECK-SAME: #chi.effects<reads = [0], writes = [1]
// CHECK: chi.check bounds
// CHECK-NOT: chi.load
// CHECK-NOT: scf.for
// CHECK-NOT: chi.store
// CHECK: chi.next
chi.task @shift(%y: !chi.field<?xf32>, %z: !chi.field<?xf32>) (%i: i32) attributes {adjoint = #chi.adjoint<task = @shift.adj>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %j = arith.addi %i, %one : i32
  %n = chi.dim %y, 0 : !chi.field<?xf32> -> i32
  %ok = arith.cmpi ult, %j, %n : i32
  chi.check bounds %ok (%j, %n : i32, i32) {what = "y"}
  %s = scf.for %k = %zero to %j step %one iter_args(%a = %start) -> (f32) : i32 {
    %v = chi.load %y[%k : i32] inbounds : !chi.field<?xf32> -> f32
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  chi.store %s, %z[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
chi.task @shift.adj(%y: !chi.field<?xf32>, %z: !chi.field<?xf32>, %ya: !chi.field<?xf32>, %za: !chi.field<?xf32>) (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 2>} {
  %a = chi.load %za[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %a, %ya[%i : i32] inbounds strategy(plain) : f32, !chi.field<?xf32>
  chi.next
}

// A field that the function reads, passes twice, or did not make; a launch that
// accumulates; a function that nothing records.
// CHECK-LABEL: func.func @reads(
// CHECK-NOT: checks
// CHECK-LABEL: func.func @end(
func.func @reads(%x: !chi.field<?xf32>) -> f32 attributes {chi.host} {
  %type = chi.str "f32"
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %y = chi.rt "chirt_field_new"(%type, %one, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<?xf32>
  call @kernel(%x, %y, %x) : (!chi.field<?xf32>, !chi.field<?xf32>, !chi.field<?xf32>) -> ()
  call @kernel(%x, %y, %y) : (!chi.field<?xf32>, !chi.field<?xf32>, !chi.field<?xf32>) -> ()
  %v = chi.load %y[%zero : i32] inbounds : !chi.field<?xf32> -> f32
  return %v : f32
}
func.func @reads.record(%x: !chi.field<?xf32>) -> f32 attributes {chi.host} {
  %v = call @reads(%x) : (!chi.field<?xf32>) -> f32
  return %v : f32
}
func.func @reads.record.backward() attributes {chi.host} {
  return
}
func.func @sums(%x: !chi.field<?xf32>) -> !chi.field<f32> attributes {chi.host} {
  %type = chi.str "f32"
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = chi.rt "chirt_field_new"(%type, %none, %one, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<f32>
  call @adds(%x, %y) : (!chi.field<?xf32>, !chi.field<f32>) -> ()
  return %y : !chi.field<f32>
}
func.func @sums.record(%x: !chi.field<?xf32>) -> !chi.field<f32> attributes {chi.host} {
  %y = call @sums(%x) : (!chi.field<?xf32>) -> !chi.field<f32>
  return %y : !chi.field<f32>
}
func.func @sums.record.backward() attributes {chi.host} {
  return
}
func.func @adds(%x: !chi.field<?xf32>, %y: !chi.field<f32>) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  chi.launch @add(%x, %y : !chi.field<?xf32>, !chi.field<f32>) from(%zero : i32) to(%n : i32)
  return
}
chi.task @add(%x: !chi.field<?xf32>, %y: !chi.field<f32>) (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.accum add %v, %y[] inbounds strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}
func.func @end() attributes {chi.host} {
  return
}
