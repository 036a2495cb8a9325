// An element is loaded once, and not what the iteration has just stored.
// RUN: chi-opt %s --chi-forward-elements | FileCheck %s

!F = !chi.field<?xf32>
!P = !chi.field<?x!chi.vec<2xf32>>

func.func private @changes(%x: !F)

// CHECK-LABEL: chi.task @twice(
// CHECK-SAME:    %[[X:.*]]: !chi.field<?xf32>, %[[Y:.*]]: !chi.field<?xf64>
// CHECK:         %[[A:.*]] = chi.load %[[X]]
// A store to a field of another type is one to another field.
// CHECK-NOT:     chi.load
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT:    chi.store %[[S]], %[[X]]
// CHECK-NOT:     chi.load
// CHECK:         arith.mulf %[[S]], %[[A]]
chi.task @twice(%x: !F, %y: !chi.field<?xf64>, %w: f64) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %w, %y[%i : i32] inbounds : f64, !chi.field<?xf64>
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  %s = arith.addf %a, %b : f32
  chi.store %s, %x[%i : i32] inbounds : f32, !F
  %c = chi.load %x[%i : i32] inbounds : !F -> f32
  %p = arith.mulf %c, %a : f32
  chi.store %p, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// Two arguments may be one field; `i` and `i + 1` are two elements of it, and
// two components are two scalars.
// CHECK-LABEL: chi.task @aliases
// CHECK:         chi.load
// CHECK:         chi.store
// CHECK:         %[[B:.*]] = chi.load
// CHECK:         chi.store
// CHECK-NOT:     chi.load
// CHECK:         arith.addf %{{.*}}, %[[B]]
// CHECK-NOT:     chi.load
// CHECK:         chi.store %[[B]]
chi.task @aliases(%x: !F, %y: !F, %p: !P, %w: f32, %j: i32) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %n = arith.addi %i, %c1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %w, %y[%j : i32] inbounds : f32, !F
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %w, %y[%n : i32] inbounds : f32, !F
  %c = chi.load %x[%i : i32] inbounds : !F -> f32
  %s = arith.addf %a, %c : f32
  chi.store %s, %p[%i : i32] component 0 inbounds : f32, !P
  chi.store %b, %p[%i : i32] component 1 inbounds : f32, !P
  %d = chi.load %p[%i : i32] component 0 inbounds : !P -> f32
  %e = arith.addf %d, %s : f32
  chi.store %e, %p[%i : i32] component 0 inbounds : f32, !P
  chi.next
}

// A component found at run time may be any.
// CHECK-LABEL: chi.task @dynamic
// CHECK:         chi.load
// CHECK:         chi.store
// CHECK:         chi.load
chi.task @dynamic(%p: !P, %w: f32, %k: i32) over 0 (%i: i32) {
  %a = chi.load %p[%i : i32] component 0 inbounds : !P -> f32
  chi.store %w, %p[%i : i32] dynamic(%k : i32) component 0 inbounds : f32, !P
  %b = chi.load %p[%i : i32] component 0 inbounds : !P -> f32
  %s = arith.addf %a, %b : f32
  chi.store %s, %p[%i : i32] component 1 inbounds : f32, !P
  chi.next
}

// An accumulation changes the element; an atomic operation orders iterations,
// and so does a call of what may do anything.
// CHECK-LABEL: chi.task @orders
// CHECK-COUNT-4: chi.load
chi.task @orders(%x: !F, %n: !chi.field<i32>, %w: f32) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %x[%i : i32] inbounds : f32, !F
  %b = chi.load %x[%i : i32] inbounds : !F -> f32
  %old = chi.atomic add %one, %n[] inbounds : i32, !chi.field<i32> -> i32
  %c = chi.load %x[%i : i32] inbounds : !F -> f32
  func.call @changes(%x) : (!F) -> ()
  %d = chi.load %x[%i : i32] inbounds : !F -> f32
  %s = arith.addf %b, %c : f32
  %t = arith.addf %s, %d : f32
  chi.store %t, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// What is known before a branch is known in it, and behind it as far as no side
// writes it; what a side loads is not known behind it.
// CHECK-LABEL: chi.task @branches
// CHECK:         %[[A:.*]] = chi.load %[[X:.*]][
// CHECK:         scf.if
// CHECK-NOT:       chi.load
// CHECK:           chi.store %[[A]], %[[X]]
// CHECK:         } else {
// CHECK-NEXT:      %[[Y:.*]] = chi.load
// CHECK:         }
// CHECK:         chi.load
// CHECK:         chi.load
chi.task @branches(%x: !F, %y: !chi.field<8xf64>, %c: i1, %j: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = scf.if %c -> (f64) {
    %b = chi.load %x[%i : i32] inbounds : !F -> f32
    chi.store %b, %x[%j : i32] inbounds : f32, !F
    %z = arith.constant 0.0 : f64
    scf.yield %z : f64
  } else {
    %q = chi.load %y[%i : i32] inbounds : !chi.field<8xf64> -> f64
    scf.yield %q : f64
  }
  %d = chi.load %x[%i : i32] inbounds : !F -> f32
  %e = chi.load %y[%i : i32] inbounds : !chi.field<8xf64> -> f64
  chi.store %d, %x[%i : i32] inbounds : f32, !F
  %f = arith.addf %e, %r : f64
  chi.store %f, %y[%i : i32] inbounds : f64, !chi.field<8xf64>
  chi.next
}

// A loop's next turn comes behind its own writes.
// CHECK-LABEL: chi.task @loops
// CHECK:         %[[A:.*]] = chi.load %[[X:.*]][
// CHECK:         scf.for
// CHECK-NOT:       chi.load
// CHECK:           arith.addf %{{.*}}, %[[A]]
// CHECK:         }
// CHECK-NOT:     chi.load
// CHECK:         scf.for
// CHECK:           chi.load
// CHECK:           chi.store
// CHECK:         }
// CHECK:         chi.load
chi.task @loops(%x: !F, %w: f32, %c0: i32, %n: i32, %c1: i32) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %w) -> (f32) : i32 {
    %b = chi.load %x[%i : i32] inbounds : !F -> f32
    %t = arith.addf %s, %b : f32
    scf.yield %t : f32
  }
  %d = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %b = chi.load %x[%i : i32] inbounds : !F -> f32
    %t = arith.addf %r, %b : f32
    chi.store %t, %x[%k : i32] inbounds : f32, !F
  }
  %e = chi.load %x[%i : i32] inbounds : !F -> f32
  %f = arith.addf %d, %e : f32
  chi.store %f, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// Stores stay, also where a check stands between: what was stored counts.
// CHECK-LABEL: chi.task @checked
// CHECK:         chi.store %[[W:.*]], %
// CHECK-NEXT:    chi.check
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[W]], %[[W]]
// CHECK-NEXT:    chi.store %[[S]]
chi.task @checked(%x: !F, %w: f32, %ok: i1) over 0 (%i: i32) {
  chi.store %w, %x[%i : i32] inbounds : f32, !F
  chi.check assert %ok
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %s = arith.addf %a, %w : f32
  chi.store %s, %x[%i : i32] inbounds : f32, !F
  chi.next
}
