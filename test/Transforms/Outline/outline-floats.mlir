// RUN: chi-opt %s --chi-outline-tasks --chi-verify-stage="after=chi-outline-tasks" --canonicalize --cse | FileCheck %s

// Floats that a kernel holds between its loops are cells: tasks compute them and
// load them, control code computes integers and conditions.
!F = !chi.field<?xf32>

// The quotient of a sum is computed by a task between the loops, as it is
// written; a parameter stays a number.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !chi.field<?xf32>, %[[A:[a-z0-9]+]]: f32)
// CHECK-DAG:     %[[M:.*]] = chi.cell "" : <f32>
// CHECK-DAG:     %[[S:.*]] = chi.cell "s" : <f32>
// CHECK-NOT:     chi.load
// CHECK-NOT:     arith.divf
// CHECK:         chi.launch @mean.t0(%[[X]], %[[S]]
// CHECK-NEXT:    chi.launch @mean.t1(%[[S]], %[[M]] : !chi.field<f32>, !chi.field<f32>){{$}}
// CHECK:         chi.launch @mean.t2(%[[X]], %[[M]], %[[A]] : !chi.field<?xf32>, !chi.field<f32>, f32)
// CHECK-NOT:     chi.load
// CHECK:         return
// CHECK:       chi.task @mean.t1(%[[FROM:.*]]: !chi.field<f32>, %[[TO:.*]]: !chi.field<f32>) () attributes {{{.*}}strict}
// CHECK:         %[[SUM:.*]] = chi.load %[[FROM]][]
// CHECK:         %[[Q:.*]] = arith.divf %[[SUM]], %{{.*}} : f32
// CHECK:         chi.store %[[Q]], %[[TO]][]
// CHECK:       chi.task @mean.t2(
// CHECK-SAME:    %[[CELL:[a-z0-9]+]]: !chi.field<f32>
// CHECK:         %[[MEAN:.*]] = chi.load %[[CELL]][]
// CHECK:         arith.mulf %[[MEAN]], %{{.*}} : f32
chi.kernel @mean(%x: !F, %a: f32) {
  %three = arith.constant 3.0 : f32
  %s = chi.cell "s" : !chi.field<f32>
  chi.parallel (%i : i32) over %x : !F {
    %v = chi.load %x[%i : i32] : !F -> f32
    chi.accum add %v, %s[] : f32, !chi.field<f32>
    chi.next
  }
  %sum = chi.load %s[] : !chi.field<f32> -> f32
  %mean = arith.divf %sum, %three : f32
  chi.parallel (%i : i32) over %x : !F {
    %v = arith.mulf %mean, %a : f32
    chi.store %v, %x[%i : i32] : f32, !F
    chi.next
  }
  chi.return
}

// What loops carry is stored before the loop and at the end of each iteration,
// all of it after all of it was read: two that are exchanged.
// CHECK-LABEL: func.func @exchanged(
// CHECK-DAG:     %[[A:.*]] = chi.cell "" : <f32>
// CHECK:         scf.for
// CHECK-NOT:     iter_args
// CHECK:           chi.launch
// CHECK-NEXT:      chi.launch @exchanged.t2(%[[P:.*]], %[[Q:.*]] : !chi.field<f32>, !chi.field<f32>)
// CHECK:         }
// CHECK:         %[[R:.*]] = chi.load
// CHECK-NEXT:    return %[[R]] : f32
// CHECK:       chi.task @exchanged.t2(%[[C:.*]]: !chi.field<f32>, %[[D:.*]]: !chi.field<f32>)
// CHECK-NEXT:    %[[OLD:.*]] = chi.load %[[C]][]
// CHECK-NEXT:    %[[OTHER:.*]] = chi.load %[[D]][]
// CHECK-NEXT:    chi.store %[[OLD]], %[[D]][]
// CHECK-NEXT:    chi.store %[[OTHER]], %[[C]][]
chi.kernel @exchanged(%x: !F, %a: f32, %b: f32, %n: i32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (f32, f32) : i32 {
    chi.parallel (%i : i32) over %x : !F {
      chi.store %p, %x[%i : i32] : f32, !F
      chi.next
    }
    scf.yield %q, %p : f32, f32
  }
  chi.return %r#0 : f32
}

// The condition of a loop is control code: it loads the cell. A value that the
// first region passes on unchanged is in one cell.
// CHECK-LABEL: func.func @halved(
// CHECK-SAME:    %{{[a-z0-9]+}}: !chi.field<?xf32>, %[[A:[a-z0-9]+]]: f32)
// CHECK:         %[[C:.*]] = chi.cell "" : <f32>
// CHECK-NOT:     chi.cell
// CHECK:         chi.launch @halved.t0(%[[A]], %[[C]]
// CHECK:         scf.while : () -> () {
// CHECK-NEXT:      %[[NOW:.*]] = chi.load %[[C]][]
// CHECK-NEXT:      %[[GOES:.*]] = arith.cmpf ogt, %[[NOW]], %{{.*}} : f32
// CHECK-NEXT:      scf.condition(%[[GOES]])
// CHECK-NEXT:    } do {
// CHECK:           chi.launch @halved.t1(%{{.*}}, %[[C]]
// CHECK-NEXT:      chi.launch @halved.t2(%[[C]] : !chi.field<f32>)
// CHECK-NEXT:      scf.yield
// CHECK:         %[[END:.*]] = chi.load %[[C]][]
// CHECK-NEXT:    return %[[END]]
chi.kernel @halved(%x: !F, %a: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %r = scf.while (%p = %a) : (f32) -> f32 {
    %goes = arith.cmpf ogt, %p, %half : f32
    scf.condition(%goes) %p : f32
  } do {
  ^bb0(%p: f32):
    chi.parallel (%i : i32) over %x : !F {
      chi.store %p, %x[%i : i32] : f32, !F
      chi.next
    }
    %next = arith.mulf %p, %half : f32
    scf.yield %next : f32
  }
  chi.return %r : f32
}

// A variable that was changed since is copied while it is what was meant.
// CHECK-LABEL: func.func @before(
// CHECK-DAG:     %[[OLD:.*]] = chi.cell "" : <f32>
// CHECK-DAG:     %[[S:.*]] = chi.cell "s" : <f32>
// CHECK:         chi.launch @before.t0(%[[S]], %[[OLD]] : !chi.field<f32>, !chi.field<f32>)
// CHECK:         chi.launch @before.t1(%{{.*}}, %[[S]]
// CHECK:         chi.launch @before.t2(%{{.*}}, %[[OLD]]
chi.kernel @before(%x: !F, %s0: f32) {
  %s = chi.cell "s" : !chi.field<f32>
  %old = chi.load %s[] : !chi.field<f32> -> f32
  chi.parallel (%i : i32) over %x : !F {
    %v = chi.load %x[%i : i32] : !F -> f32
    chi.accum add %v, %s[] : f32, !chi.field<f32>
    chi.next
  }
  chi.parallel (%i : i32) over %x : !F {
    chi.store %old, %x[%i : i32] : f32, !F
    chi.next
  }
  chi.return
}

// Either side of a condition stores what the condition gives.
// CHECK-LABEL: func.func @either(
// CHECK-DAG:     %[[C:.*]] = chi.cell "" : <f32>
// CHECK:         scf.if
// CHECK:           chi.launch @either.t0(
// CHECK-NEXT:      chi.launch @either.t1({{.*}}%[[C]] :
// CHECK-NEXT:    } else {
// CHECK-NEXT:      chi.launch @either.t2({{.*}}%[[C]] :
// CHECK-NEXT:    }
// CHECK:         chi.launch @either.t3({{.*}}%[[C]] :
chi.kernel @either(%x: !F, %a: f32, %b: f32, %on: i1) {
  %v = scf.if %on -> f32 {
    chi.parallel (%i : i32) over %x : !F {
      chi.store %a, %x[%i : i32] : f32, !F
      chi.next
    }
    %sum = arith.addf %a, %b : f32
    scf.yield %sum : f32
  } else {
    scf.yield %b : f32
  }
  chi.parallel (%i : i32) over %x : !F {
    chi.store %v, %x[%i : i32] : f32, !F
    chi.next
  }
  chi.return
}

// A kernel that touches no field is a plain function.
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    return
chi.kernel @plain(%a: f32, %b: f32) -> f32 {
  %sum = arith.addf %a, %b : f32
  chi.return %sum : f32
}
