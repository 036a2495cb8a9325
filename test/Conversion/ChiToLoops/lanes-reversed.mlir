// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Lanes that fall along memory are loaded and stored by one access, from the
// last lane's place on, in the order of memory: what is stored and what is
// loaded is turned round by a shuffle, and so is the mask; but a mask made of
// comparisons is compared the other way round, since bits would be turned one
// by one.
!F = !chi.field<?xf32>
// CHECK-LABEL: func.func private @k.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{.*}}: index, %[[N:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: vector<4xi1>, %[[V:[a-z0-9]+]]: vector<4xf32>,
chi.task @k(%x: !F, %n: i32, %m: vector<4xi1>, %v: vector<4xf32>) (%i: i32)
    attributes {axes = ["i"], kernel = "k", lanes = 4 : i64} {
  chi.next
} wide {
^bb0(%x: !F, %n: i32, %m: vector<4xi1>, %v: vector<4xf32>, %i: i32):
  %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %all = vector.broadcast %i : i32 to vector<4xi32>
  %is = arith.addi %all, %steps : vector<4xi32>
  %ns = vector.broadcast %n : i32 to vector<4xi32>
  %at = arith.subi %ns, %is : vector<4xi32>
  // CHECK:      %[[ALL:.*]] = vector.broadcast %{{.*}} : i32 to vector<4xi32>
  // CHECK:      %[[NS:.*]] = vector.broadcast %[[N]] : i32 to vector<4xi32>
  // CHECK:      %[[AT:.*]] = arith.subi %[[NS]], %{{.*}} : vector<4xi32>
  // CHECK:      %[[FIRST:.*]] = vector.extract %[[AT]][0]
  // CHECK:      %[[LAST:.*]] = arith.index_cast %[[FIRST]] : i32 to index
  // CHECK:      %[[BASE:.*]] = arith.subi %[[LAST]], %c3 overflow<nsw> : index
  // Any value and any mask: turned round.
  // CHECK:      %[[MM:.*]] = vector.shuffle %[[M]], %[[M]] [3, 2, 1, 0] : vector<4xi1>, vector<4xi1>
  // CHECK:      %[[VV:.*]] = vector.shuffle %[[V]], %[[V]] [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  // CHECK:      vector.maskedstore %[[X]][%[[BASE]]], %[[MM]], %[[VV]]
  chi.store %v, %x[%at : vector<4xi32>] inbounds mask(%m : vector<4xi1>) {unit_axis = 0 : i64, reversed} : vector<4xf32>, !F

  // A constant is another constant, a broadcast is itself.
  // CHECK:      %[[ONE:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
  // CHECK:      %[[TURNED:.*]] = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  // CHECK:      vector.maskedstore %[[X]][%[[BASE]]], %[[TURNED]], %[[ONE]]
  %half = arith.constant dense<[false, false, true, true]> : vector<4xi1>
  %f = arith.sitofp %n : i32 to f32
  %one = vector.broadcast %f : f32 to vector<4xf32>
  chi.store %one, %x[%at : vector<4xi32>] inbounds mask(%half : vector<4xi1>) {unit_axis = 0 : i64, reversed} : vector<4xf32>, !F

  // A comparison of a sum: both again, of the steps that fall.
  // CHECK:      %[[SMALL:.*]] = arith.cmpi slt, %{{.*}}, %[[NS]] : vector<4xi32>
  // CHECK:      %[[FALLING:.*]] = arith.constant dense<[3, 2, 1, 0]> : vector<4xi32>
  // CHECK:      %[[SUM:.*]] = arith.addi %[[ALL]], %[[FALLING]] : vector<4xi32>
  // CHECK:      %[[MASK:.*]] = arith.cmpi slt, %[[SUM]], %[[NS]] : vector<4xi32>
  // CHECK-NOT:  vector.shuffle %[[SMALL]]
  // CHECK:      %[[LOADED:.*]] = vector.maskedload %[[X]][%[[BASE]]], %[[MASK]], %{{.*}}
  // CHECK:      %[[INORDER:.*]] = vector.shuffle %[[LOADED]], %[[LOADED]] [3, 2, 1, 0]
  %small = arith.cmpi slt, %is, %ns : vector<4xi32>
  %a = chi.load %x[%at : vector<4xi32>] inbounds mask(%small : vector<4xi1>) {unit_axis = 0 : i64, reversed} : !F -> vector<4xf32>
  // A field that rises stores what was loaded in the lanes' order.
  // CHECK:      vector.maskedstore %[[X]][%{{.*}}], %{{.*}}, %[[INORDER]]
  chi.store %a, %x[%is : vector<4xi32>] inbounds {unit_axis = 0 : i64} : vector<4xf32>, !F

  // Masks of masks: selects too, down to what is no such operation.
  // CHECK:      %[[PICKED:.*]] = arith.select %[[MASK]], %[[MM]], %[[MASK]] : vector<4xi1>, vector<4xi1>
  // CHECK:      vector.maskedstore %[[X]][%[[BASE]]], %[[PICKED]], %[[ONE]]
  %both = arith.select %small, %m, %small : vector<4xi1>, vector<4xi1>
  chi.store %one, %x[%at : vector<4xi32>] inbounds mask(%both : vector<4xi1>) {unit_axis = 0 : i64, reversed} : vector<4xf32>, !F
  chi.next
}
