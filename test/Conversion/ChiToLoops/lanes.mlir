// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops | FileCheck %s

// Whole groups in lanes, then the rest one by one.
// CHECK-LABEL: func.func private @k.t0.body
// Counted from zero: behind the last group may lie no number of the type.
// CHECK:   %[[WHOLE:.*]] = arith.andi %{{.*}}, %{{.*}} : index
// CHECK:   scf.for %[[PLACE:.*]] = %c0{{.*}} to %[[WHOLE]] step %{{.*}} {
// CHECK:     %[[NEXT:.*]] = arith.index_cast %[[PLACE]] : index to i32
// CHECK:     arith.addi %{{.*}}, %[[NEXT]] overflow<nsw> : i32
// Lanes that are neighbours in memory: one access at the first one's place.
// CHECK:     vector.maskedload %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// Neighbours in the program, not in memory (an element has two scalars).
// CHECK:     vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %{{.*}}, %{{.*}} : memref<?xf32>, vector<8xi64>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// The first failing lane reports its values and its iteration.
// CHECK:     %[[ANY:.*]] = vector.reduction <or>
// CHECK:     scf.if %[[ANY]]
// CHECK:       math.cttz %{{.*}} : i8
// CHECK:       chi.check bounds %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i64)
// CHECK:     vector.gather
// CHECK:     vector.maskedstore
// A bool is a byte.
// CHECK:     arith.extui %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK:     vector.scatter
// CHECK:   scf.for
// CHECK:     memref.store
chi.task @k.t0(%x: !chi.field<?xf32>, %v: !chi.field<?x!chi.vec<2xf32>>, %b: !chi.field<?xi1>) over 0 (%i: i32) attributes {axes = ["i"], kernel = "k", lanes = 8 : i64} {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.store %a, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
} wide {
^bb0(%x: !chi.field<?xf32>, %v: !chi.field<?x!chi.vec<2xf32>>, %b: !chi.field<?xi1>, %i: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %seven = arith.constant dense<7> : vector<8xi32>
  %n = arith.constant 64 : i32
  %all = vector.broadcast %i : i32 to vector<8xi32>
  %is = arith.addi %all, %steps : vector<8xi32>
  %odd = arith.cmpi slt, %is, %seven : vector<8xi32>
  %a = chi.load %x[%is : vector<8xi32>] inbounds {unit_axis = 0 : i64} : !chi.field<?xf32> -> vector<8xf32>
  %c = chi.load %v[%is : vector<8xi32>] component 1 inbounds mask(%odd : vector<8xi1>) {unit_axis = 0 : i64} : !chi.field<?x!chi.vec<2xf32>> -> vector<8xf32>
  chi.check bounds %odd lanes(8) (%is, %n : vector<8xi32>, i32) mask(%odd : vector<8xi1>) {what = "x"}
  %j = arith.muli %is, %is : vector<8xi32>
  %d = chi.load %x[%j : vector<8xi32>] inbounds mask(%odd : vector<8xi1>) : !chi.field<?xf32> -> vector<8xf32>
  %e = arith.addf %a, %c : vector<8xf32>
  %f = arith.addf %e, %d : vector<8xf32>
  chi.store %f, %x[%is : vector<8xi32>] inbounds {unit_axis = 0 : i64} : vector<8xf32>, !chi.field<?xf32>
  chi.store %odd, %b[%j : vector<8xi32>] inbounds : vector<8xi1>, !chi.field<?xi1>
  chi.next
}

func.func @k(%x: !chi.field<?xf32>, %v: !chi.field<?x!chi.vec<2xf32>>, %b: !chi.field<?xi1>) attributes {chi.control} {
  %zero = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  chi.launch @k.t0(%x, %v, %b : !chi.field<?xf32>, !chi.field<?x!chi.vec<2xf32>>, !chi.field<?xi1>) from (%zero : i32) to (%n : i32)
  return
}
