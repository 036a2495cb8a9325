// Exits of loops in loops, from either side of a branch, and what they guard.
// RUN: chi-opt %s --chi-structure | FileCheck %s
// RUN: chi-opt %s --chi-structure > %t && chi-opt %t --chi-structure | diff %t -

!S = !chi.field<i32>

// A break leaves the loop that it is in: the outer one stays a counted loop.
// CHECK-LABEL: func.func @inner(
// CHECK:         scf.for
// CHECK:           %[[GOES:.*]] = chi.local "run"
// CHECK-NOT:       "run"
// CHECK:           scf.while
// CHECK:             chi.set %false{{.*}}, %[[GOES]]
// CHECK:           chi.store
// CHECK:         return
func.func @inner(%a: i32, %b: i32, %c: i1, %s: !S) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 {
    chi.for %j = %a to %b step %one : i32 {
      chi.if %c {
        chi.break
      }
      chi.next
    }
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// A return leaves both: it clears the flags of both loops, and sets those that
// skip the rest of the outer iteration and of the function.
// CHECK-LABEL: func.func @both(
// CHECK:         %[[END:.*]] = chi.local "skip"
// CHECK:         %[[OUTER:.*]] = chi.local "run"
// CHECK:         scf.while
// CHECK:           %[[SKIP:.*]] = chi.local "skip"
// CHECK:           %[[INNER:.*]] = chi.local "run"
// CHECK:           scf.while
// CHECK:             scf.if
// CHECK-DAG:           chi.set %false{{.*}}, %[[INNER]]
// CHECK-DAG:           chi.set %true{{.*}}, %[[SKIP]]
// CHECK-DAG:           chi.set %false{{.*}}, %[[OUTER]]
// CHECK-DAG:           chi.set %true{{.*}}, %[[END]]
// CHECK:           %[[F:.*]] = chi.get %[[SKIP]]
// CHECK:           %[[GO:.*]] = arith.xori %[[F]]
// CHECK:           scf.if %[[GO]]
// CHECK:             chi.store
// CHECK:         %[[F:.*]] = chi.get %[[END]]
// CHECK:         %[[GO:.*]] = arith.xori %[[F]]
// CHECK:         scf.if %[[GO]]
// CHECK:           chi.store
func.func @both(%a: i32, %b: i32, %c: i1, %s: !S) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 {
    chi.for %j = %a to %b step %one : i32 {
      chi.if %c {
        chi.return
      }
      chi.next
    }
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.store %a, %s[] : i32, !S
  chi.return
}

// Nothing follows the loop: there is no flag for it.
// CHECK-LABEL: func.func @last(
// CHECK-COUNT-1: chi.local "run"
// CHECK:         scf.while
// CHECK:         return
func.func @last(%a: i32, %b: i32, %c: i1) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.break
    }
    chi.next
  }
  chi.return
}

// The other side exits: the rest goes into the first one, behind what is there.
// CHECK-LABEL: func.func @else(
// CHECK-NOT:     "skip"
// CHECK:         scf.for %[[I:.*]] = 
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        chi.store %arg0
// CHECK-NEXT:        chi.store %[[I]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        chi.store %arg1
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @else(%a: i32, %b: i32, %c: i1, %s: !S) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.store %a, %s[] : i32, !S
      chi.next
    } else {
      chi.store %b, %s[] : i32, !S
      chi.continue
    }
    chi.store %i, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// A branch at the end of an iteration needs no flag, whatever it does.
// CHECK-LABEL: func.func @end(
// CHECK-NOT:     chi.local
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK:         return
func.func @end(%a: i32, %b: i32, %c: i1, %d: i1, %s: !S) {
  %one = arith.constant 1 : i32
  chi.for %i = %a to %b step %one : i32 {
    chi.if %c {
      chi.if %d {
        chi.continue
      }
      chi.store %i, %s[] : i32, !S
      chi.next
    }
    chi.next
  }
  chi.return
}

// A continue in a while loop skips the rest of the body; the condition is
// computed again, without a flag.
// CHECK-LABEL: func.func @while(
// CHECK-NOT:     "run"
// CHECK:         scf.while
// CHECK-NEXT:      chi.load
// CHECK-NEXT:      scf.condition
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             chi.store
func.func @while(%c: i1, %a: i32, %s: !S, %t: !chi.field<i1>) {
  chi.while {
    %go = chi.load %t[] : !chi.field<i1> -> i1
    chi.condition %go
  } do {
    chi.if %c {
      chi.continue
    }
    chi.store %a, %s[] : i32, !S
    chi.next
  }
  chi.return
}

// A side of a conditional expression may have a loop, which is structured.
// CHECK-LABEL: func.func @side(
// CHECK:         scf.if %{{.*}} -> (i32) {
// CHECK:           scf.for
// CHECK-NOT:       chi.for
// CHECK:           scf.yield
func.func @side(%a: i32, %b: i32, %c: i1, %s: !S) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.if %c -> i32 {
    chi.for %i = %a to %b step %one : i32 {
      chi.store %i, %s[] : i32, !S
      chi.next
    }
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  chi.return %r : i32
}

// Two values are returned by way of two slots.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[FIRST:.*]] = chi.local "result" : <i32>
// CHECK:         %[[SECOND:.*]] = chi.local "result" : <f32>
// CHECK:         scf.if
// CHECK-DAG:       chi.set %arg0, %[[FIRST]]
// CHECK-DAG:       chi.set %arg1, %[[SECOND]]
// CHECK:         %[[R:.*]] = chi.get %[[FIRST]]
// CHECK:         %[[Q:.*]] = chi.get %[[SECOND]]
// CHECK:         return %[[R]], %[[Q]]
func.func @two(%a: i32, %x: f32, %c: i1) -> (i32, f32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2.0 : f32
  chi.if %c {
    chi.return %a, %x : i32, f32
  }
  chi.return %one, %two : i32, f32
}
