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
  // CHECK: %[[GOING:.*]] = chi.local "run"
  // CHECK: chi.set %true{{.*}}, %[[GOING]]
  // CHECK: scf.while (%[[K:.*]] = %[[A]]) : (i32) -> i32 {
  // CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[K]], %[[B]]
  // CHECK:   %[[ON:.*]] = chi.get %[[GOING]]
  // CHECK:   %[[GO:.*]] = arith.andi %[[IN]], %[[ON]]
  // CHECK:   scf.condition(%[[GO]]) %[[K]]
  // CHECK:   scf.if
  // CHECK:     chi.set %false{{.*}}, %[[GOING]]
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
