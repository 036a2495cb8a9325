// RUN: chi-opt %s --chi-outline-tasks | FileCheck %s

chi.global @x : !chi.field<?xf32>
chi.global @n : i32

// Globals are read once, at the entry; constants are made again in the task.
// CHECK-LABEL: func.func @simple(
// CHECK-SAME: %[[C:.*]]: f32) attributes {chi.control}
// CHECK: %[[X:.*]] = chi.global_load @x
// CHECK-NOT: chi.global_load
// CHECK: %[[N:.*]] = chi.dim %[[X]], 0
// CHECK: chi.launch @simple.t0(%[[X]], %[[C]] : !chi.field<?xf32>, f32) from(%{{.*}} : i32) to(%[[N]] : i32)
// CHECK: return
// CHECK: chi.task @simple.t0(%[[X:.*]]: !chi.field<?xf32>, %[[C:.*]]: f32) over 0 (%[[I:.*]]: i32)
// CHECK-SAME: axes = ["i"], block = 128 : i64, kernel = "simple", strict
// CHECK:   %[[TWO:.*]] = arith.constant 2.0
// CHECK:   %[[V:.*]] = arith.mulf %[[C]], %[[TWO]]
// CHECK:   chi.store %[[V]], %[[X]][%[[I]] : i32]
// CHECK:   chi.next
chi.kernel @simple(%c: f32) attributes {strict} {
  %two = arith.constant 2.0 : f32
  %x = chi.global_load @x : !chi.field<?xf32>
  chi.parallel (%i : i32) over %x : !chi.field<?xf32> {
    %y = chi.global_load @x : !chi.field<?xf32>
    %v = arith.mulf %c, %two : f32
    chi.store %v, %y[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  } {block = 128 : i64, axes = ["i"]}
  chi.return
}

// A range with a step runs over its turns.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[A:[^:]*]]: i32
// CHECK: chi.launch @step.t0({{.*}}) from(%{{.*}} : i32) to(%{{.*}} : i32)
// CHECK-SAME: values(%[[A]], %c2_i32 : i32, i32)
// CHECK: chi.task @step.t0(
// CHECK-SAME: (%[[K:.*]]: i32)
// CHECK:   %[[S:.*]] = arith.muli %[[K]], %c2_i32
// CHECK:   %[[I:.*]] = arith.addi %{{.*}}, %[[S]]
// CHECK:   chi.store %{{.*}}, %{{.*}}[%[[I]] : i32]
chi.kernel @step(%a: i32, %b: i32, %x: !chi.field<?xf32>, %v: f32) {
  %two = arith.constant 2 : i32
  chi.parallel (%i : i32) = (%a) to (%b) step (%two) {
    chi.store %v, %x[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}

// A reduction: the cell is an argument, its result is loaded by control code. A
// task stores what it starts with: it is a float.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:.*]]: !chi.field<8xf32>
// CHECK: %[[S:.*]] = chi.cell "s"
// CHECK-NOT: chi.store
// CHECK: chi.launch @sum.t0(%[[S]] : !chi.field<f32>)
// CHECK: chi.launch @sum.t1(%[[X]], %[[S]] : !chi.field<8xf32>, !chi.field<f32>)
// CHECK: %[[R:.*]] = chi.load %[[S]][]
// CHECK: return %[[R]]
chi.kernel @sum(%x: !chi.field<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = chi.cell "s" : !chi.field<f32>
  chi.store %zero, %s[] : f32, !chi.field<f32>
  chi.parallel (%i : i32) over %x : !chi.field<8xf32> {
    %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
    chi.accum add %v, %s[] : f32, !chi.field<f32>
    chi.next
  }
  %r = chi.load %s[] : !chi.field<f32> -> f32
  chi.return %r : f32
}

// Serial statements are a task of one iteration; the number that the loop
// needs comes through a cell.
// CHECK-LABEL: func.func @serial(
// CHECK-SAME: %[[X:.*]]: !chi.field<?xf32>, %[[N:.*]]: !chi.field<i32>
// CHECK: %[[CELL:.*]] = chi.cell
// CHECK: chi.launch @serial.t0(%[[N]], %[[CELL]] : !chi.field<i32>, !chi.field<i32>)
// CHECK: %[[COUNT:.*]] = chi.load %[[CELL]][]
// CHECK: chi.launch @serial.t1({{.*}}) from({{.*}}) to(%[[COUNT]] : i32)
// CHECK: chi.task @serial.t0(%[[N:.*]]: !chi.field<i32>, %[[CELL:.*]]: !chi.field<i32>) () attributes {kernel = "serial"} {
// CHECK:   %[[V:.*]] = chi.load %[[N]][]
// CHECK:   chi.store %[[V]], %[[CELL]][] inbounds
// CHECK:   chi.print
// CHECK:   chi.next
chi.kernel @serial(%x: !chi.field<?xf32>, %n: !chi.field<i32>, %v: f32) {
  %zero = arith.constant 0 : i32
  %count = chi.load %n[] : !chi.field<i32> -> i32
  chi.print ["go"]
  chi.parallel (%i : i32) = (%zero) to (%count) {
    chi.store %v, %x[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}

// A pure op is moved before the task only if nothing in it depends on the task.
// CHECK-LABEL: func.func @nested(
// CHECK: chi.launch @nested.t0
// CHECK: chi.task @nested.t0
// CHECK:   %[[V:.*]] = chi.load
// CHECK:   scf.if
// CHECK:     arith.addf %[[V]], %[[V]]
chi.kernel @nested(%x: !chi.field<f32>, %c: i1) {
  %v = chi.load %x[] : !chi.field<f32> -> f32
  %w = scf.if %c -> (f32) {
    %a = arith.addf %v, %v : f32
    scf.yield %a : f32
  } else {
    %b = arith.mulf %v, %v : f32
    scf.yield %b : f32
  }
  chi.store %w, %x[] : f32, !chi.field<f32>
  chi.return
}

// Control with parallel loops inside stays control code.
// CHECK-LABEL: func.func @steps(
// CHECK: scf.for
// CHECK:   chi.launch @steps.t0
// CHECK:   scf.if
// CHECK:     chi.launch @steps.t1
// CHECK: chi.launch @steps.t2
// A serial loop without parallel ones is one task.
// CHECK: chi.task @steps.t2
// CHECK:   scf.for
chi.kernel @steps(%n: i32, %c: i1, %x: !chi.field<8xf32>, %v: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %k = %zero to %n step %one : i32 {
    chi.parallel (%i : i32) over %x : !chi.field<8xf32> {
      chi.store %v, %x[%i : i32] : f32, !chi.field<8xf32>
      chi.next
    }
    scf.if %c {
      chi.parallel (%i : i32) over %x : !chi.field<8xf32> {
        chi.accum add %v, %x[%i : i32] : f32, !chi.field<8xf32>
        chi.next
      }
    }
  }
  scf.for %k = %zero to %n step %one : i32 {
    chi.store %v, %x[%k : i32] : f32, !chi.field<8xf32>
  }
  chi.return
}

// A field under several types is one argument; the casts are made inside.
// CHECK-LABEL: func.func @casts(
// CHECK: chi.launch @casts.t0(%{{.*}} : !chi.field<?xf32>)
// CHECK: chi.task @casts.t0(%[[X:.*]]: !chi.field<?xf32>) over 0
// CHECK: %[[Y:.*]] = chi.cast_field %[[X]]
chi.kernel @casts(%x: !chi.field<?xf32>) {
  %y = chi.cast_field %x : !chi.field<?xf32> to !chi.field<8xf32>
  chi.parallel (%i : i32) over %y : !chi.field<8xf32> {
    %v = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
    chi.store %v, %y[%i : i32] : f32, !chi.field<8xf32>
    chi.next
  }
  chi.return
}

// An array of the kernel is a cell, zeroed where it was made.
// CHECK-LABEL: func.func @table(
// CHECK: %[[T:.*]] = chi.cell "t" : <4xf32>
// CHECK: chi.launch @table.t0(%[[T]]
// CHECK: chi.launch @table.t1({{.*}}%[[T]]
// CHECK: chi.task @table.t0(
// CHECK-SAME: %[[C:[a-z0-9]+]]: !chi.field<4xf32>
// CHECK: scf.for
// CHECK-NEXT: chi.store %{{.*}}, %[[C]]
// CHECK: chi.store %{{.*}}, %[[C]]
chi.kernel @table(%n: i32, %x: !chi.field<8xf32>, %v: f32) {
  %t = chi.local "t" : !chi.local<4xf32>
  chi.set %v, %t[%n : i32] : f32, !chi.local<4xf32>
  chi.parallel (%i : i32) over %x : !chi.field<8xf32> {
    %w = chi.get %t[%n : i32] : !chi.local<4xf32> -> f32
    chi.store %w, %x[%i : i32] : f32, !chi.field<8xf32>
    chi.next
  }
  chi.return
}

// CHECK-LABEL: func.func @chi.script
func.func @chi.script(%x: !chi.field<8xf32>) attributes {chi.host} {
  // CHECK: call @sum(%{{.*}}) : (!chi.field<8xf32>) -> f32
  %s = chi.call @sum(%x) : (!chi.field<8xf32>) -> f32
  return
}
