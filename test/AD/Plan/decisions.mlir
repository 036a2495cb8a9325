// A condition or an integer that comes from a float is decided once: two copies
// of the computation may round differently.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>
!I = !chi.field<?xi32>

// In a loop the condition is recorded, not the float that it compares.
// CHECK-LABEL: chi.task @condition.adj(
// CHECK:         %[[TAPE:.*]] = chi.scratch : <?xi1>
// CHECK-NOT:     chi.scratch
// CHECK:         scf.for
// CHECK:           %[[IS:.*]] = arith.cmpf ogt
// CHECK-NEXT:      chi.set %[[IS]], %[[TAPE]]
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpf
// CHECK:           %[[IS:.*]] = chi.get %[[TAPE]]
// CHECK:           scf.if %[[IS]]
chi.task @condition(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %is = arith.cmpf ogt, %a, %zero : f32
    scf.if %is {
      %q = arith.mulf %a, %a : f32
      chi.accum add %q, %y[%j : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// So is an index that a conversion gives; arithmetic on it is repeated.
// CHECK-LABEL: chi.task @place.adj(
// CHECK:         %[[TAPE:.*]] = chi.scratch : <?xi32>
// CHECK-NOT:     chi.scratch
// CHECK:         scf.for
// CHECK:           %[[K:.*]] = chi.to_int
// CHECK-NEXT:      chi.set %[[K]], %[[TAPE]]
// CHECK:         scf.for
// CHECK-NOT:       chi.to_int
// CHECK:           %[[K:.*]] = chi.get %[[TAPE]]
// CHECK:           %[[AT:.*]] = arith.addi %[[K]], %c1_i32
// CHECK:           chi.load %arg4[%[[AT]] : i32]
chi.task @place(%x: !F, %y: !F, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %a = chi.load %x[%j : i32] inbounds : !F -> f32
    %k = chi.to_int %a : f32 -> i32
    %at = arith.addi %k, %c1 : i32
    chi.accum add %a, %y[%at : i32] inbounds : f32, !F
  }
  chi.next
}

// Outside of loops a decision comes out of its branch.
// CHECK-LABEL: chi.task @inner.adj(
// CHECK:         %[[IN:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK:           %[[IS:.*]] = arith.cmpf ogt
// CHECK-NEXT:      scf.yield %[[IS]]
// CHECK:           scf.yield %false
// CHECK-NOT:     arith.cmpf
// CHECK:         scf.if %{{.*}} {
// CHECK:           scf.if %[[IN]]
chi.task @inner(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %k = chi.load %m[%i : i32] inbounds : !I -> i32
  %some = arith.cmpi sgt, %k, %c0 : i32
  scf.if %some {
    %a = chi.load %x[%i : i32] inbounds : !F -> f32
    %is = arith.cmpf ogt, %a, %zero : f32
    scf.if %is {
      %q = arith.mulf %a, %a : f32
      chi.accum add %q, %y[%i : i32] inbounds : f32, !F
    }
  }
  %b = chi.load %x[%k : i32] inbounds : !F -> f32
  chi.accum add %b, %y[%k : i32] inbounds : f32, !F
  chi.next
}

// A condition of integers is computed again.
// CHECK-LABEL: chi.task @integers.adj(
// CHECK-NOT:     chi.scratch
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           %[[K:.*]] = chi.load %arg2[%[[J]] : i32]
// CHECK:           %[[IS:.*]] = arith.cmpi sgt, %[[K]], %c0_i32
// CHECK:           scf.if %[[IS]]
// CHECK-NOT:     scf.for
// CHECK:         chi.next
chi.task @integers(%x: !F, %y: !F, %m: !I, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %k = chi.load %m[%j : i32] inbounds : !I -> i32
    %is = arith.cmpi sgt, %k, %c0 : i32
    scf.if %is {
      %a = chi.load %x[%j : i32] inbounds : !F -> f32
      %q = arith.mulf %a, %a : f32
      chi.accum add %q, %y[%j : i32] inbounds : f32, !F
    }
  }
  chi.next
}

// A check is repeated only if a float decides it: a condition of integers held
// in the primal and holds again. Nothing is printed a second time.
// CHECK-LABEL: chi.task @checks(
// CHECK-COUNT-2: chi.check assert
// CHECK:         chi.print
// CHECK-LABEL: chi.task @checks.adj(
// CHECK-NOT:     arith.cmpi
// CHECK:         %[[OK:.*]] = arith.cmpf olt
// CHECK-NEXT:    chi.check assert %[[OK]]
// CHECK-NOT:     chi.check
// CHECK-NOT:     chi.print
// CHECK:         chi.next
chi.task @checks(%x: !F, %y: !F, %m: !I) over 0 (%i: i32) {
  %c9 = arith.constant 9 : i32
  %big = arith.constant 9.0 : f32
  %k = chi.load %m[%i : i32] inbounds : !I -> i32
  %small = arith.cmpi slt, %k, %c9 : i32
  chi.check assert %small
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %less = arith.cmpf olt, %a, %big : f32
  chi.check assert %less
  chi.print [{shape = array<i64>, type = "f32"}] (%a : f32)
  %q = arith.mulf %a, %a : f32
  chi.accum add %q, %y[%i : i32] inbounds : f32, !F
  chi.next
}
