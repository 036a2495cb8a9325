// RUN: chi-opt %s --chi-structure | FileCheck %s
// RUN: chi-opt %s --chi-structure > %t && chi-opt %t --chi-structure | diff %t -

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
  // CHECK: %[[GOING:.*]] = chi.local "run"
  // CHECK: scf.while
  // CHECK: %[[ON:.*]] = chi.get %[[GOING]]
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
  chi.rt "chirt_check_launch"() : () -> ()
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
