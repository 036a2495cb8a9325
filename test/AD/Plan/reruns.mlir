// Which writes the forward sweep repeats, on a copy of the field: those that a
// later load of the iteration may see. All others are left out.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!V = !chi.field<?x!chi.vec<2xf32>>
!I = !chi.field<?xi32>

// The load comes first, and no loop contains both.
// CHECK-LABEL: chi.task @before.adj(
// CHECK-NOT:     chi.store %{{.*}}, %arg0
// CHECK-NOT:     chi.accum add %{{.*}}, %arg0
// CHECK:         chi.next
chi.task @before(%x: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = arith.mulf %a, %a : f32
  chi.store %b, %x[%i : i32] inbounds : f32, !F
  chi.next
}

// The load follows: it is not repeated where its value is needed, since the
// sweep has it.
// CHECK-LABEL: chi.task @after.adj(
// CHECK:         chi.store %{{.*}}, %arg0[%[[I:.*]] : i32]
// CHECK-NEXT:    %[[A:.*]] = chi.load %arg0[%[[I]] : i32]
// CHECK-NOT:     chi.load %arg0
// CHECK:         arith.mulf %{{.*}}, %[[A]]
// CHECK:         chi.next
chi.task @after(%x: !F, %y: !F) over 0 (%i: i32) {
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.store %b, %x[%i : i32] inbounds : f32, !F
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %c = arith.mulf %a, %a : f32
  chi.accum add %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// An addition is a write as a store is.
// CHECK-LABEL: chi.task @added.adj(
// CHECK:         chi.accum add %{{.*}}, %arg0[
// CHECK:         chi.load %arg0[
chi.task @added(%x: !F, %y: !F) over 0 (%i: i32) {
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.accum add %b, %x[%i : i32] inbounds : f32, !F
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %c = arith.mulf %a, %a : f32
  chi.store %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Elements whose constant indices differ are apart.
// CHECK-LABEL: chi.task @constants.adj(
// CHECK-NOT:     chi.store %{{.*}}, %arg0
// CHECK:         chi.next
chi.task @constants(%x: !F, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.store %b, %x[%c0 : i32] inbounds : f32, !F
  %a = chi.load %x[%c1 : i32] inbounds : !F -> f32
  %c = arith.mulf %a, %a : f32
  chi.accum add %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// So are components, if both are constants.
// CHECK-LABEL: chi.task @components.adj(
// CHECK-NOT:     chi.store %{{.*}}, %arg0
// CHECK:         chi.next
chi.task @components(%x: !V, %y: !F) over 0 (%i: i32) {
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.store %b, %x[%i : i32] component 0 inbounds : f32, !V
  %a = chi.load %x[%i : i32] component 1 inbounds : !V -> f32
  %c = arith.mulf %a, %a : f32
  chi.accum add %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// CHECK-LABEL: chi.task @component.adj(
// CHECK:         chi.store %{{.*}}, %arg0[
// CHECK:         chi.load %arg0[
chi.task @component(%x: !V, %y: !F, %k: i32) over 0 (%i: i32) {
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.store %b, %x[%i : i32] component 0 inbounds : f32, !V
  %a = chi.load %x[%i : i32] dynamic(%k : i32) inbounds : !V -> f32
  %c = arith.mulf %a, %a : f32
  chi.accum add %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Of two sides of a branch an iteration takes one.
// CHECK-LABEL: chi.task @sides.adj(
// CHECK-NOT:     chi.store %{{.*}}, %arg0
// CHECK:         chi.next
chi.task @sides(%x: !F, %y: !F, %c: i1) over 0 (%i: i32) {
  scf.if %c {
    %b = chi.load %y[%i : i32] inbounds : !F -> f32
    chi.store %b, %x[%i : i32] inbounds : f32, !F
  } else {
    %a = chi.load %x[%i : i32] inbounds : !F -> f32
    %d = arith.mulf %a, %a : f32
    chi.accum add %d, %y[%i : i32] inbounds : f32, !F
  }
  chi.next
}

// In a loop a later iteration may take the other one.
// CHECK-LABEL: chi.task @turns.adj(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             chi.store %{{.*}}, %arg0
// CHECK:           } else {
// CHECK:             %[[A:.*]] = chi.load %arg0
// CHECK:           chi.set %{{.*}}
// CHECK:         scf.for
chi.task @turns(%x: !F, %y: !F, %m: !I, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %k = chi.load %m[%j : i32] inbounds : !I -> i32
    %is = arith.cmpi sgt, %k, %c0 : i32
    scf.if %is {
      %b = chi.load %y[%j : i32] inbounds : !F -> f32
      chi.store %b, %x[%i : i32] inbounds : f32, !F
    } else {
      %a = chi.load %x[%i : i32] inbounds : !F -> f32
      %d = arith.mulf %a, %a : f32
      chi.accum add %d, %y[%j : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// A cast is the same field.
// CHECK-LABEL: chi.task @cast.adj(
// CHECK-DAG:     %[[X:.*]] = chi.cast_field %arg0
// CHECK:         chi.store %{{.*}}, %arg0[
// CHECK:         chi.load %[[X]][
chi.task @cast(%x: !F, %y: !F) over 0 (%i: i32) {
  %same = chi.cast_field %x : !F to !chi.field<8xf32>
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.store %b, %x[%i : i32] inbounds : f32, !F
  %a = chi.load %same[%i : i32] inbounds : !chi.field<8xf32> -> f32
  %c = arith.mulf %a, %a : f32
  chi.accum add %c, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Integers too: the place of a later access depends on them.
// CHECK-LABEL: chi.task @integers.adj(
// CHECK:         chi.store %{{.*}}, %arg2[
// CHECK:         %[[K:.*]] = chi.load %arg2[
// CHECK:         chi.accum add %{{.*}}, %arg3[%[[K]] : i32]
chi.task @integers(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %j = arith.addi %i, %c1 : i32
  chi.store %j, %m[%i : i32] inbounds : i32, !I
  %k = chi.load %m[%c1 : i32] inbounds : !I -> i32
  %a = chi.load %x[%k : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}
