// Adjoints for launches at which other fields have a derivative: by the calls
// of the kernel, whatever host functions stand between.
// RUN: chi-opt %s --chi-differentiate | FileCheck %s

// The arguments of what nobody calls may be marked.
func.func @script(%w: !chi.field<8xf32>, %L: !chi.field<f32>) attributes {chi.host} {
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %flags = arith.constant 0 : i32
  %plain = chi.str "f32"
  %f = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  %g = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  %y = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  %k = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  %z = chi.rt "chirt_field_new"(%plain, %one, %eight, %one, %one, %one, %one, %one, %one, %one) at "field" : (!chi.str, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !chi.field<8xf32>
  chi.rt "chirt_tape_begin"(%L, %flags) at "Tape" : (!chi.field<f32>, i32) -> ()
  // The first factor, then the second one.
  func.call @layer(%w, %f, %y) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @layer(%f, %y, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  // Always the first one.
  func.call @always(%w, %f, %y) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @always(%y, %g, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  // What is written counts as active; of what has no adjoint nothing hangs.
  func.call @scale(%y, %f, %w) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @scale(%z, %w, %f) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  // Four sets, and none of them is right for all calls.
  func.call @sum(%w, %f, %f, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @sum(%f, %w, %f, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @sum(%f, %f, %w, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @sum(%w, %w, %f, %z) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @again(%w, %k, %y) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @layer(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.host} {
  func.call @times(%a, %b, %c) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  return
}

func.func @times(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @times.t0(%a, %b, %c : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-LABEL: chi.task @times.t0(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @times.t0.adj>
// CHECK-DAG:   chi.task @times.t0.adj({{.*}}variant = @times.t0.adj.1>
// CHECK-DAG:   chi.task @times.t0.adj.1({{.*}}variant = @times.t0.adj.2, passive = [1]>
// CHECK-DAG:   chi.task @times.t0.adj.2({{.*}}passive = [0]>
chi.task @times.t0(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) over 0 (%i: i32) {
  %x = chi.load %a[%i : i32] : !chi.field<8xf32> -> f32
  %y = chi.load %b[%i : i32] : !chi.field<8xf32> -> f32
  %z = arith.mulf %x, %y : f32
  chi.store %z, %c[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

func.func @always(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @always.t0(%a, %b, %c : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-NOT:   @always.t0.adj.1
// CHECK-LABEL: chi.task @always.t0(
// CHECK-NOT:   @always.t0.adj.1
// CHECK:       chi.task @always.t0.adj(
// CHECK-NOT:     chi.accum add {{.*}}, %arg4[
// CHECK:         chi.accum add {{.*}}, %arg3[
// CHECK-NOT:   @always.t0.adj.1
chi.task @always.t0(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) over 0 (%i: i32) {
  %x = chi.load %a[%i : i32] : !chi.field<8xf32> -> f32
  %y = chi.load %b[%i : i32] : !chi.field<8xf32> -> f32
  %z = arith.mulf %x, %y : f32
  chi.store %z, %c[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

func.func @scale(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @scale.t0(%a, %b, %c : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-LABEL: chi.task @scale.t0(
// CHECK-DAG:   chi.task @scale.t0.adj({{.*}}variant = @scale.t0.adj.1>
// CHECK-DAG:   chi.task @scale.t0.adj.1({{.*}}passive = [1]>
// CHECK-NOT:   @scale.t0.adj.2
chi.task @scale.t0(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %x = chi.load %a[%i : i32] : !chi.field<8xf32> -> f32
  %y = chi.load %b[%i : i32] : !chi.field<8xf32> -> f32
  %s = chi.load %c[%i : i32] : !chi.field<8xf32> -> f32
  %isLess = arith.cmpf olt, %s, %zero : f32
  %t = arith.select %isLess, %x, %y : f32
  %z = arith.mulf %t, %x : f32
  chi.store %z, %a[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

func.func @sum(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>, %d: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @sum.t0(%a, %b, %c, %d : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-LABEL: chi.task @sum.t0(
// CHECK-NOT:   @sum.t0.adj.1
chi.task @sum.t0(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>, %d: !chi.field<8xf32>) over 0 (%i: i32) {
  %x = chi.load %a[%i : i32] : !chi.field<8xf32> -> f32
  %y = chi.load %b[%i : i32] : !chi.field<8xf32> -> f32
  %z = chi.load %c[%i : i32] : !chi.field<8xf32> -> f32
  %s = arith.addf %x, %y : f32
  %t = arith.addf %s, %z : f32
  chi.store %t, %d[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}

// What calls itself has one instance for its calls within itself: names that it
// exchanges there are one.
func.func @again(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.host} {
  func.call @again(%b, %a, %c) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  func.call @turned(%a, %b, %c) : (!chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) -> ()
  return
}

func.func @turned(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @turned.t0(%a, %b, %c : !chi.field<8xf32>, !chi.field<8xf32>, !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}

// CHECK-LABEL: chi.task @turned.t0(
// CHECK-NOT:   @turned.t0.adj.1
chi.task @turned.t0(%a: !chi.field<8xf32>, %b: !chi.field<8xf32>, %c: !chi.field<8xf32>) over 0 (%i: i32) {
  %x = chi.load %a[%i : i32] : !chi.field<8xf32> -> f32
  %y = chi.load %b[%i : i32] : !chi.field<8xf32> -> f32
  %z = arith.mulf %x, %y : f32
  chi.store %z, %c[%i : i32] : f32, !chi.field<8xf32>
  chi.next
}
