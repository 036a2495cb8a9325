// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// A check of lanes asks once for all of them. If one that lives fails, the
// first of those reports: its values, taken out of their lanes, and its
// iteration.
!F = !chi.field<?xi32>
// CHECK-LABEL: func.func private @one.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xi32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[N:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: vector<8xi1>, %[[OK:[a-z0-9]+]]: vector<8xi1>,
// CHECK:           %[[J:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:           %[[JS:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK:           %[[ONES:.*]] = arith.constant dense<true> : vector<8xi1>
// CHECK:           %[[ZEROS:.*]] = arith.constant dense<false> : vector<8xi1>
// CHECK:           %[[BAD:.*]] = arith.xori %[[OK]], %[[ONES]] : vector<8xi1>
// CHECK:           %[[FAILING:.*]] = arith.select %[[M]], %[[BAD]], %[[ZEROS]] : vector<8xi1>, vector<8xi1>
// CHECK:           %[[ANY:.*]] = vector.reduction <or>, %[[FAILING]] : vector<8xi1> into i1
// CHECK:           scf.if %[[ANY]] {
// CHECK:             %[[BITS:.*]] = vector.bitcast %[[FAILING]] : vector<8xi1> to vector<1xi8>
// CHECK:             %[[WORD:.*]] = vector.extract %[[BITS]][0] : i8 from vector<1xi8>
// CHECK:             %[[LANE:.*]] = math.cttz %[[WORD]] : i8
// CHECK:             %[[PLACE:.*]] = arith.index_castui %[[LANE]] : i8 to index
// CHECK-DAG:         %[[COND:.*]] = vector.extract %[[OK]][%[[PLACE]]] : i1 from vector<8xi1>
// CHECK-DAG:         %[[VALUE:.*]] = vector.extract %[[JS]][%[[PLACE]]] : i32 from vector<8xi32>
// CHECK:             %[[OFFSET:.*]] = arith.index_cast %[[PLACE]] : index to i32
// CHECK:             %[[COLUMN:.*]] = arith.addi %[[J]], %[[OFFSET]] : i32
// CHECK-NOT:         call @
// CHECK:             %[[I64:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:             %[[J64:.*]] = arith.extsi %[[COLUMN]] : i32 to i64
// CHECK:             chi.check bounds %[[COND]] (%[[VALUE]], %[[N]], %[[I64]], %[[J64]] : i32, i32, i64, i64) {iteration = 2 : i64, what = "x"}
// CHECK:           }
// One check finds its first lane by itself: there is no search for an earlier one.
// CHECK-NOT:   @one.earlier
chi.task @one(%x: !F, %n: i32, %m: vector<8xi1>, %ok: vector<8xi1>, %s: i1) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], kernel = "one", lanes = 8 : i64} {
  chi.check bounds %s (%j, %n : i32, i32) {what = "x"}
  chi.next
} wide {
^bb0(%x: !F, %n: i32, %m: vector<8xi1>, %ok: vector<8xi1>, %s: i1, %i: i32, %j: i32):
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %all = vector.broadcast %j : i32 to vector<8xi32>
  %js = arith.addi %all, %steps : vector<8xi32>
  chi.check bounds %ok lanes(8) (%js, %n : vector<8xi32>, i32) mask(%m : vector<8xi1>) {what = "x"}
  chi.next
}

// With two, an earlier lane may fail at the later one: the iterations from the
// group's first up to the one that fails are taken again one by one, by a
// function that only checks.
// CHECK:       func.func private @two.earlier(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32>, %{{[a-z0-9]+}}: index, %{{.*}}: i1, %{{.*}}: i1, %{{.*}}: vector<8xi1>, %[[FROM0:[a-z0-9]+]]: index, %[[N0:[a-z0-9]+]]: index, %[[FROM1:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index) attributes {{.*}}chi.cold
// CHECK:         scf.for %[[NUMBER:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %[[N1]] : index
// CHECK:           arith.addi %[[FROM1]], %[[COLUMN]]
// CHECK:           %[[ROW:.*]] = arith.divui %[[NUMBER]], %[[N1]] : index
// CHECK:           arith.addi %[[FROM0]], %[[ROW]]
// CHECK:           chi.check assert
// CHECK:           chi.check bounds
// CHECK-NOT:       memref.store
// CHECK:         } {llvm.loop_annotation
// CHECK-LABEL: func.func private @two.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[E0:[a-z0-9]+]]: index, %[[A:[a-z0-9]+]]: i1, %[[B:[a-z0-9]+]]: i1, %[[OK:[a-z0-9]+]]: vector<8xi1>, %[[FROM0:[a-z0-9]+]]: index, %[[N0:[a-z0-9]+]]: index, %[[FROM1:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index,
// CHECK:           vector.reduction <or>
// CHECK:           scf.if
// The numbers count row by row from the domain's start.
// CHECK:             %[[R0:.*]] = arith.subi %{{.*}}, %[[FROM0]] overflow<nsw> : index
// CHECK:             %[[S0:.*]] = arith.muli %[[R0]], %[[N1]] overflow<nsw> : index
// CHECK:             %[[C0:.*]] = arith.subi %{{.*}}, %[[FROM1]] overflow<nsw> : index
// CHECK:             %[[FIRST:.*]] = arith.addi %[[S0]], %[[C0]] overflow<nsw> : index
// CHECK:             %[[C1:.*]] = arith.subi %{{.*}}, %[[FROM1]] overflow<nsw> : index
// CHECK:             %[[FAILED:.*]] = arith.addi %[[S0]], %[[C1]] overflow<nsw> : index
// CHECK:             func.call @two.earlier(%[[X]], %[[E0]], %[[A]], %[[B]], %[[OK]], %[[FROM0]], %[[N0]], %[[FROM1]], %[[N1]], %[[FIRST]], %[[FAILED]])
// CHECK:             chi.check assert
// CHECK:             chi.check bounds
chi.task @two(%x: !F, %a: i1, %b: i1, %ok: vector<8xi1>) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], kernel = "two", lanes = 8 : i64} {
  chi.check assert %a
  chi.store %j, %x[%i : i32] inbounds : i32, !F
  chi.check bounds %b (%j, %i : i32, i32) {what = "x"}
  chi.next
} wide {
^bb0(%x: !F, %a: i1, %b: i1, %ok: vector<8xi1>, %i: i32, %j: i32):
  chi.check assert %ok lanes(8) {what = "a"}
  chi.check bounds %ok lanes(8) (%j, %i : i32, i32) {what = "x"}
  chi.next
}

// What is written between two checks and read again would be found changed:
// no looking back there.
// CHECK-NOT:   @changes.earlier
chi.task @changes(%x: !F, %a: i1, %ok: vector<8xi1>) (%i: i32) attributes {kernel = "k", lanes = 8 : i64} {
  %v = chi.load %x[%i : i32] inbounds : !F -> i32
  chi.check assert %a (%v : i32)
  chi.store %i, %x[%i : i32] inbounds : i32, !F
  chi.check assert %a (%v : i32)
  chi.next
} wide {
^bb0(%x: !F, %a: i1, %ok: vector<8xi1>, %i: i32):
  chi.check assert %ok lanes(8) {what = "a"}
  chi.check assert %ok lanes(8) {what = "b"}
  chi.next
}
// One check in a loop is many.
// CHECK:       func.func private @loop.earlier(
chi.task @loop(%x: !F, %a: i1, %ok: vector<8xi1>) (%i: i32) attributes {kernel = "k", lanes = 8 : i64} {
  chi.check assert %a
  chi.next
} wide {
^bb0(%x: !F, %a: i1, %ok: vector<8xi1>, %i: i32):
  %z = arith.constant 0 : i32
  %n = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  scf.for %t = %z to %n step %one : i32 {
    chi.check assert %ok lanes(8) {what = "a"}
  }
  chi.next
}
