// RUN: chi-opt %s --chi-structure | FileCheck %s
// RUN: chi-opt %s --chi-structure > %t && chi-opt %t --chi-structure | diff %t -

// No exits: plain scf, no flags.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i1
func.func @plain(%a: i32, %b: i32, %c: i1) {
  %one = arith.constant 1 : i32
  // CHECK-NOT: chi.local
  // CHECK: scf.for %{{.*}} = %[[A]] to %[[B]] step %{{.*}} : i32 {
  // CHECK:   scf.if %[[C]]
  // CHECK: scf.while
  // CHECK: scf.condition(%[[C]])
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.next
    }
    chi.next
  }
  chi.while {
    chi.condition %c
  } do {
    chi.next
  }
  // CHECK: return
  chi.return
}

// An early continue moves the rest into the other branch.
// CHECK-LABEL: func.func @early(
func.func @early(%a: i32, %b: i32, %c: i1, %s: !chi.field<i32>) {
  %one = arith.constant 1 : i32
  // CHECK-NOT: chi.local
  // CHECK: scf.for
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   chi.store
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.continue
    }
    chi.store %i, %s[] : i32, !chi.field<i32>
    chi.next
  }
  chi.return
}

// A break makes a while with a flag.
// CHECK-LABEL: func.func @breaks(
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
func.func @breaks(%a: i32, %b: i32, %c: i1, %s: !chi.field<i32>) {
  %one = arith.constant 1 : i32
  // CHECK: %[[RUN:.*]] = chi.local "run"
  // CHECK: chi.set %true{{.*}}, %[[RUN]]
  // CHECK: scf.while (%[[K:.*]] = %[[A]]) : (i32) -> i32 {
  // CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[K]], %[[B]]
  // CHECK:   %[[ON:.*]] = chi.get %[[RUN]]
  // CHECK:   %[[GO:.*]] = arith.andi %[[IN]], %[[ON]]
  // CHECK:   scf.condition(%[[GO]]) %[[K]]
  // CHECK:   scf.if
  // CHECK:     chi.set %false{{.*}}, %[[RUN]]
  // CHECK:   } else {
  // CHECK:     chi.store
  // CHECK:   arith.addi %{{.*}}, %{{.*}} overflow<nsw>
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.break
    }
    chi.store %i, %s[] : i32, !chi.field<i32>
    chi.next
  }
  chi.return
}

// An exit on some path only: what follows is guarded by a flag.
// CHECK-LABEL: func.func @some(
func.func @some(%a: i32, %b: i32, %c: i1, %d: i1, %s: !chi.field<i32>) {
  %one = arith.constant 1 : i32
  // CHECK: scf.for
  // CHECK:   %[[SKIP:.*]] = chi.local "skip"
  // CHECK:   chi.set %false{{.*}}, %[[SKIP]]
  // CHECK:   scf.if
  // CHECK:     scf.if
  // CHECK:       chi.set %true{{.*}}, %[[SKIP]]
  // CHECK:   %[[F:.*]] = chi.get %[[SKIP]]
  // CHECK:   %[[GO:.*]] = arith.xori %[[F]]
  // CHECK:   scf.if %[[GO]] {
  // CHECK:     chi.store
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.if %d {
        chi.continue
      }
      chi.next
    }
    chi.store %i, %s[] : i32, !chi.field<i32>
    chi.next
  }
  chi.return
}

// A return from a loop: the value goes through a slot, the rest is guarded.
// CHECK-LABEL: func.func @returns(
func.func @returns(%a: i32, %b: i32, %c: i1) -> i32 {
  %one = arith.constant 1 : i32
  // CHECK-DAG: %[[RESULT:.*]] = chi.local "result" : <i32>
  // CHECK-DAG: %[[SKIP:.*]] = chi.local "skip" : <i1>
  // CHECK: scf.while
  // CHECK:   scf.if
  // CHECK:     chi.set %{{.*}}, %[[RESULT]]
  // CHECK:     chi.set %true{{.*}}, %[[SKIP]]
  // CHECK:   scf.if %{{.*}} {
  // CHECK:     chi.set %{{.*}}, %[[RESULT]]
  // CHECK: %[[R:.*]] = chi.get %[[RESULT]]
  // CHECK: return %[[R]]
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.return %i : i32
    }
    chi.next
  }
  chi.return %a : i32
}

// Early returns need no flag.
// CHECK-LABEL: func.func @tail(
func.func @tail(%a: i32, %b: i32, %c: i1) -> i32 {
  // CHECK-NOT: "skip"
  // CHECK: scf.if
  // CHECK: } else {
  // CHECK: return
  chi.if %c {
    chi.return %a : i32
  }
  chi.return %b : i32
}

// Both branches exit: what follows is dead.
// CHECK-LABEL: func.func @dead(
func.func @dead(%a: i32, %b: i32, %c: i1, %s: !chi.field<i32>) -> i32 {
  // CHECK-NOT: chi.store
  chi.if %c {
    chi.return %a : i32
  } else {
    chi.return %b : i32
  }
  chi.store %a, %s[] : i32, !chi.field<i32>
  chi.return %b : i32
}

// A negative step and a step known at run time count the turns.
// CHECK-LABEL: func.func @down(
func.func @down(%a: i32, %b: i32, %s: !chi.field<i32>) {
  %m2 = arith.constant -2 : i32
  // CHECK: arith.divui
  // CHECK: %[[TURNS:.*]] = arith.select
  // CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[TURNS]]
  // CHECK-NEXT: %[[S:.*]] = arith.muli %[[K]]
  // CHECK-NEXT: %[[I:.*]] = arith.addi %{{.*}}, %[[S]]
  // CHECK-NEXT: chi.store %[[I]]
  chi.for %i = %a to %b step %m2 : i32 {
    chi.store %i, %s[] : i32, !chi.field<i32>
    chi.next
  }
  chi.return
}

// The condition of a while that was left is not evaluated again.
// CHECK-LABEL: func.func @leaveWhile(
func.func @leaveWhile(%c: i1, %s: !chi.field<i1>) {
  // CHECK: %[[RUN:.*]] = chi.local "run"
  // CHECK: scf.while
  // CHECK: %[[ON:.*]] = chi.get %[[RUN]]
  // CHECK: %[[GO:.*]] = scf.if %[[ON]] -> (i1) {
  // CHECK:   chi.load
  // CHECK: scf.condition(%[[GO]])
  chi.while {
    %t = chi.load %s[] : !chi.field<i1> -> i1
    chi.condition %t
  } do {
    chi.if %c {
      chi.break
    }
    chi.next
  }
  chi.return
}

// A progress bar ends also where the loop is left.
// CHECK-LABEL: func.func @progress(
func.func @progress(%n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: chi.rt "chirt_progress_begin"(%{{.*}}) : (i64) -> ()
  // CHECK: scf.while
  // CHECK: chi.rt "chirt_progress_step"
  // CHECK: chi.rt "chirt_progress_end"
  // CHECK-NEXT: chi.get
  chi.for %i = %zero to %n step %one : i32 progress {
    chi.if %c {
      chi.return
    }
    chi.next
  }
  chi.rt "chirt_sync"() : () -> ()
  chi.return
}

// CHECK-LABEL: chi.kernel @iteration(
chi.kernel @iteration(%n: i32, %x: !chi.field<?xi32>) {
  %zero = arith.constant 0 : i32
  // CHECK: chi.parallel
  // CHECK: scf.if
  // CHECK-NEXT: } else {
  // CHECK-NEXT: chi.store
  // CHECK: chi.next
  // CHECK: chi.return
  chi.parallel (%i : i32) over %x : !chi.field<?xi32> {
    %c = arith.cmpi slt, %i, %n : i32
    chi.if %c {
      chi.continue
    }
    chi.store %i, %x[%i : i32] : i32, !chi.field<?xi32>
    chi.next
  }
  chi.return
}
