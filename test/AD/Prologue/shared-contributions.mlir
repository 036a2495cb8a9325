// How tasks before an adjoint number the contributions to elements that
// iterations update by `min` or `max`, and what they leave out.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!S = !chi.field<f32>
!H = !chi.field<8xf16>
!V = !chi.field<?x!chi.vec<2xf32>>
!I = !chi.field<?xi32>

// A minimum: it begins at infinity, and wins if it is less than the old value,
// or if either of them is NaN.
// CHECK-LABEL: chi.task @least.adj.totals(
// CHECK:         chi.accum min %{{.*}}, %arg2[]
// CHECK-LABEL: chi.task @least.adj.winners(
// CHECK:         %[[TOTAL:.*]] = chi.load %arg2[]
// CHECK:         %[[OLD:.*]] = chi.load %arg1[]
// CHECK:         arith.cmpf ult, %[[TOTAL]], %[[OLD]]
// CHECK-LABEL: chi.task @least.adj(
// CHECK-SAME:    workspace = [0, 1, 11, 2139095040, 0, 1, 4, 9223372036854775807]
chi.task @least(%x: !F, %m: !S) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum min %a, %m[] inbounds : f32, !S
  chi.next
}

// Two in an iteration: the second has the next number, in both tasks that count.
// CHECK-LABEL: chi.task @two.adj.winners(
// CHECK-NOT:     chi.local
// CHECK:         %[[I:.*]] = chi.iteration
// CHECK:         %[[FIRST:.*]] = arith.muli %[[I]], %c1048576_i64
// CHECK:         chi.accum min %[[FIRST]], %arg4[]
// CHECK:         %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1_i64
// CHECK:         chi.accum min %[[SECOND]], %arg4[]
// CHECK-LABEL: chi.task @two.adj(
// CHECK:         %[[FIRST:.*]] = arith.muli %{{.*}}, %c1048576_i64
// CHECK:         arith.cmpi eq, %{{.*}}, %[[FIRST]]
// CHECK:         %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1_i64
// CHECK:         arith.cmpi eq, %{{.*}}, %[[SECOND]]
chi.task @two(%x: !F, %y: !F, %m: !S) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum max %a, %m[] inbounds : f32, !S
  %b = chi.load %y[%i : i32] inbounds : !F -> f32
  chi.accum max %b, %m[] inbounds : f32, !S
  chi.next
}

// In a loop a local counts them, up to the most that an iteration may have.
// CHECK-LABEL: chi.task @many.adj.winners(
// CHECK:         %[[LOCAL:.*]] = chi.local "" : <1xi64>
// CHECK:         scf.for
// CHECK:           %[[NOW:.*]] = chi.get %[[LOCAL]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[NOW]], %c1_i64
// CHECK:           chi.set %[[NEXT]], %[[LOCAL]]
// CHECK:           %[[MOST:.*]] = arith.minsi %[[NOW]], %c1048575_i64
// CHECK:           %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[MOST]]
// CHECK:           chi.accum min %[[NUMBER]]
chi.task @many(%x: !F, %m: !S, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    chi.accum max %a, %m[] inbounds : f32, !S
  }
  chi.next
}

// A task that is no loop has one iteration, number 0.
// CHECK-LABEL: chi.task @once.adj.winners(
// CHECK-NOT:     chi.iteration
// CHECK:         chi.accum min %c0_i64, %arg3[]
chi.task @once(%x: !F, %m: !S) () {
  %c3 = arith.constant 3 : i32
  %a = chi.load %x[%c3 : i32] inbounds : !F -> f32
  chi.accum max %a, %m[] inbounds : f32, !S
  chi.next
}

// Fields of vecs have workspace fields of vecs; the component is that of the
// update.
// CHECK-LABEL: chi.task @component.adj.winners(
// CHECK:         chi.load %arg2[%c0_i32 : i32] component 1
// CHECK:         chi.load %arg1[%c0_i32 : i32] component 1
// CHECK:         chi.accum min %{{.*}}, %arg3[%c0_i32 : i32] component 1
// CHECK-LABEL: chi.task @component.adj(
// CHECK-SAME:    %arg2: !chi.field<?x!chi.vec<2xf32>>, %arg3: !chi.field<?x!chi.vec<2xi64>>
chi.task @component(%x: !F, %m: !V) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum max %a, %m[%c0 : i32] component 1 inbounds : f32, !V
  chi.next
}

// A product of halves is taken in f32.
// CHECK-LABEL: chi.task @halves.adj.totals(
// CHECK:         %[[A:.*]] = chi.load %arg0
// CHECK:         %[[IS:.*]] = arith.cmpf une, %[[A]], %cst
// CHECK:         scf.if %[[IS]]
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT:      chi.accum mul %[[WIDE]], %arg2[] inbounds : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      chi.accum add %c1_i64, %arg3[] inbounds : i64
// CHECK-LABEL: chi.task @halves.adj(
// CHECK-SAME:    workspace = [0, 1, 11, 1065353216, 0, 1, 4, 0, 1, 1, 11, 0]
chi.task @halves(%x: !H, %p: !chi.field<f16>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !H -> f16
  chi.accum mul %a, %p[] inbounds : f16, !chi.field<f16>
  chi.next
}

// A maximum and a product: both in the first task, the maximum in the second.
// CHECK-LABEL: chi.task @both.adj.totals(
// CHECK:         chi.accum max %{{.*}}, %arg3[]
// CHECK:         chi.accum mul %{{.*}}, %arg5[]
// CHECK-LABEL: chi.task @both.adj.winners(
// CHECK:         chi.accum min %{{.*}}, %arg4[]
// CHECK-NOT:     chi.accum
// CHECK:         chi.next
chi.task @both(%x: !F, %m: !S, %p: !S) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum max %a, %m[] inbounds : f32, !S
  chi.accum mul %a, %p[] inbounds : f32, !S
  chi.next
}

// The tasks have no other effect: they store nothing, print nothing, and check
// nothing that holds in the primal. A write that the iteration loads stays.
// CHECK-LABEL: chi.task @effects.adj.totals(
// CHECK-SAME:    over 0
// CHECK-NOT:     chi.check
// CHECK-NOT:     chi.print
// CHECK-NOT:     %arg3
// CHECK:         chi.store %{{.*}}, %arg2[
// CHECK-NEXT:    %[[A:.*]] = chi.load %arg2[
// CHECK-NEXT:    chi.accum max %[[A]], %arg4[]
// CHECK-NEXT:    chi.next
chi.task @effects(%x: !F, %m: !S, %y: !F, %z: !F) over 0 (%i: i32) {
  %c9 = arith.constant 9 : i32
  %ok = arith.cmpi slt, %i, %c9 : i32
  chi.check assert %ok
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.print [{shape = array<i64>, type = "f32"}] (%a : f32)
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  chi.store %a, %z[%i : i32] inbounds : f32, !F
  %b = chi.load %y[%c9 : i32] inbounds : !F -> f32
  chi.accum max %b, %m[] inbounds : f32, !S
  chi.next
}

// Other accesses are no obstacle if they surely come first, or access another
// component.
// CHECK-LABEL: chi.task @before.adj.totals(
// CHECK:         chi.accum max %{{.*}}, %arg2[%c0_i32 : i32]
// CHECK:         chi.accum min %{{.*}}, %arg4[%c0_i32 : i32] component 1
// CHECK-LABEL: chi.task @before.adj(
chi.task @before(%x: !F, %m: !V) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %m[%c0 : i32] component 0 inbounds : !V -> f32
  chi.accum max %a, %m[%c0 : i32] component 0 inbounds : f32, !V
  %b = chi.load %m[%c0 : i32] component 1 inbounds : !V -> f32
  chi.accum min %b, %m[%c0 : i32] component 1 inbounds : f32, !V
  chi.next
}

// Integers have no derivative: their updates need no task.
// CHECK-NOT:   @integers.adj.totals
// CHECK-LABEL: chi.task @integers.adj(
// CHECK-SAME:    adjoint = #chi.adjoint<numPrimal = 3>
chi.task @integers(%x: !F, %m: !I, %y: !F) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum max %i, %m[%c0 : i32] inbounds : i32, !I
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Workspace fields are apart from all others.
// CHECK-LABEL: chi.task @facts.adj(
// CHECK-SAME:    facts = #chi.facts<from = [?], to = [?], inputs = [?, ?, ?, ?, ?, ?], noalias = [0, 2, 3, 4]>
chi.task @facts(%x: !F, %m: !S) over 0 (%i: i32)
    attributes {facts = #chi.facts<from = [?], to = [?], inputs = [?, ?], noalias = [0]>} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum max %a, %m[] inbounds : f32, !S
  chi.next
}
