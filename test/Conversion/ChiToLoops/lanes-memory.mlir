// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Where lanes lie: if one index grows by one from lane to lane, and that axis
// is innermost in memory, they are neighbours, and one masked access has them
// all. Else each has an offset, its index by the stride of that axis. Without a
// mask all lanes live.
!A = !chi.field<?x?xf32>
!S = !chi.field<?x5x!chi.vec<3xf32>, soa>
!O = !chi.field<?x7xf32, order = [1, 0]>
!B = !chi.field<?x4xi1>

// CHECK-LABEL: func.func private @k.body(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[A0:[a-z0-9]+]]: index, %[[A1:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[S0:[a-z0-9]+]]: index, %[[O:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %[[O0:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: memref<?xi8> {llvm.noalias}, %[[B0:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: vector<4xi1>, %[[V:[a-z0-9]+]]: vector<4xf32>,
chi.task @k(%a: !A, %s: !S, %o: !O, %b: !B, %j: i32, %m: vector<4xi1>, %v: vector<4xf32>) (%i: i32)
    attributes {axes = ["i"], kernel = "k", lanes = 4 : i64} {
  chi.next
} wide {
^bb0(%a: !A, %s: !S, %o: !O, %b: !B, %j: i32, %m: vector<4xi1>, %v: vector<4xf32>, %i: i32):
  // CHECK:      %[[IS:.*]] = arith.addi %{{.*}}, %{{.*}} : vector<4xi32>
  // CHECK:      %[[WIDE:.*]] = arith.extsi %[[IS]] : vector<4xi32> to vector<4xi64>
  %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %all = vector.broadcast %i : i32 to vector<4xi32>
  %is = arith.addi %all, %steps : vector<4xi32>
  %w = arith.extsi %is : vector<4xi32> to vector<4xi64>

  // Along rows: from the first lane's place in steps of a row.
  // CHECK:      %[[FIRST:.*]] = vector.extract %[[IS]][0] : i32 from vector<4xi32>
  // CHECK:      %[[I:.*]] = arith.index_cast %[[FIRST]] : i32 to index
  // CHECK:      %[[JJ:.*]] = arith.index_cast %[[J]] : i32 to index
  // CHECK:      %[[ROW:.*]] = arith.muli %[[I]], %[[A1]] overflow<nsw> : index
  // CHECK:      %[[BASE:.*]] = arith.addi %[[ROW]], %[[JJ]] overflow<nsw> : index
  // CHECK:      %[[NUMBERS:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
  // CHECK:      %[[STRIDE:.*]] = arith.index_cast %[[A1]] : index to i64
  // CHECK:      %[[STRIDES:.*]] = vector.broadcast %[[STRIDE]] : i64 to vector<4xi64>
  // CHECK:      %[[OFFSETS:.*]] = arith.muli %[[NUMBERS]], %[[STRIDES]] : vector<4xi64>
  // CHECK:      %[[LIVE:.*]] = arith.constant dense<true> : vector<4xi1>
  // CHECK:      vector.scatter %[[A]][%[[BASE]]] [%[[OFFSETS]]], %[[LIVE]], %[[V]]
  chi.store %v, %a[%is, %j : vector<4xi32>, i32] inbounds {unit_axis = 0 : i64} : vector<4xf32>, !A

  // Planes of components: the stride is the one of an element, 5.
  // CHECK:      %[[FIVES:.*]] = arith.constant dense<5> : vector<4xi64>
  // CHECK:      %[[APART:.*]] = arith.muli %[[NUMBERS]], %[[FIVES]] : vector<4xi64>
  // CHECK:      vector.scatter %[[S]][%{{.*}}] [%[[APART]]], %[[LIVE]], %[[V]]
  chi.store %v, %s[%is, %j : vector<4xi32>, i32] component 2 inbounds {unit_axis = 0 : i64} : vector<4xf32>, !S

  // The first axis is the innermost in memory here.
  // CHECK:      %[[COLUMN:.*]] = arith.muli %[[JJ]], %[[O0]] overflow<nsw> : index
  // CHECK:      %[[SIDE:.*]] = arith.addi %[[COLUMN]], %[[I]] overflow<nsw> : index
  // CHECK:      vector.maskedstore %[[O]][%[[SIDE]]], %[[LIVE]], %[[V]]
  chi.store %v, %o[%is, %j : vector<4xi32>, i32] inbounds {unit_axis = 0 : i64} : vector<4xf32>, !O

  // Two indices of lanes: nothing is left for the base. An index of 64 bits is
  // taken as it is, others with their sign.
  // CHECK:      %[[P:.*]] = arith.muli %[[WIDE]], %[[STRIDES]] : vector<4xi64>
  // CHECK:      %[[Q:.*]] = arith.addi %[[P]], %[[WIDE]] : vector<4xi64>
  // CHECK:      vector.scatter %[[A]][%c0] [%[[Q]]], %[[LIVE]], %[[V]]
  chi.store %v, %a[%is, %w : vector<4xi32>, vector<4xi64>] inbounds : vector<4xf32>, !A

  // A component by lane: its stride is a plane of n * 5 elements, and the known
  // component is part of the base.
  // CHECK:      %[[ELEMENT:.*]] = arith.addi %{{.*}}, %[[JJ]] overflow<nsw> : index
  // CHECK:      %[[PLANE1:.*]] = arith.addi %[[PLANE:.*]], %[[ELEMENT]] overflow<nsw> : index
  // CHECK:      %[[PLANE64:.*]] = arith.index_cast %[[PLANE]] : index to i64
  // CHECK:      %[[PLANES:.*]] = vector.broadcast %[[PLANE64]] : i64 to vector<4xi64>
  // CHECK:      %[[PARTS:.*]] = arith.muli %[[WIDE]], %[[PLANES]] : vector<4xi64>
  // CHECK:      vector.scatter %[[S]][%[[PLANE1]]] [%[[PARTS]]], %[[LIVE]], %[[V]]
  chi.store %v, %s[%j, %j : i32, i32] dynamic(%is : vector<4xi32>) component 1 inbounds : vector<4xf32>, !S

  // Falling along rows: the same base, offsets with the other sign.
  // CHECK:      %[[DOWN:.*]] = arith.constant dense<[0, -1, -2, -3]> : vector<4xi64>
  // CHECK:      %[[BACK:.*]] = arith.muli %[[DOWN]], %[[STRIDES]] : vector<4xi64>
  // CHECK:      vector.scatter %[[A]][%[[BASE]]] [%[[BACK]]], %[[LIVE]], %[[V]]
  chi.store %v, %a[%is, %j : vector<4xi32>, i32] inbounds {unit_axis = 0 : i64, reversed} : vector<4xf32>, !A

  // Bools are bytes: dead lanes are 0, live ones a bit of what is loaded.
  // CHECK:      %[[NONE:.*]] = arith.constant dense<0> : vector<4xi8>
  // CHECK:      %[[BYTES:.*]] = vector.gather %[[B]][%[[JJ]]] [%[[AT:.*]]], %[[M]], %[[NONE]]
  // CHECK:      %[[BITS:.*]] = arith.trunci %[[BYTES]] : vector<4xi8> to vector<4xi1>
  // CHECK:      %[[BACK8:.*]] = arith.extui %[[BITS]] : vector<4xi1> to vector<4xi8>
  // CHECK:      vector.scatter %[[B]][%[[JJ]]] [%[[AT]]], %[[M]], %[[BACK8]]
  %6 = chi.load %b[%is, %j : vector<4xi32>, i32] inbounds mask(%m : vector<4xi1>) : !B -> vector<4xi1>
  chi.store %6, %b[%is, %j : vector<4xi32>, i32] inbounds mask(%m : vector<4xi1>) : vector<4xi1>, !B
  chi.next
}

// A plain accumulation: the lanes meet different elements, and only those that
// live are stored. Rewriting is allowed, as of one iteration.
// CHECK-LABEL: func.func private @accum.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{.*}}: index, %[[M:[a-z0-9]+]]: vector<4xi1>, %[[V:[a-z0-9]+]]: vector<4xf32>,
// CHECK:         %[[OLD:.*]] = vector.maskedload %[[X]][%[[AT:.*]]], %[[M]], %{{.*}}
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]] fastmath<reassoc,nsz,arcp,contract,afn> : vector<4xf32>
// CHECK:         vector.maskedstore %[[X]][%[[AT]]], %[[M]], %[[NEW]]
chi.task @accum(%x: !chi.field<?xf32>, %m: vector<4xi1>, %v: vector<4xf32>) (%i: i32)
    attributes {axes = ["i"], kernel = "k", lanes = 4 : i64} {
  chi.next
} wide {
^bb0(%x: !chi.field<?xf32>, %m: vector<4xi1>, %v: vector<4xf32>, %i: i32):
  %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %all = vector.broadcast %i : i32 to vector<4xi32>
  %is = arith.addi %all, %steps : vector<4xi32>
  chi.accum add %v, %x[%is : vector<4xi32>] inbounds strategy(plain) mask(%m : vector<4xi1>) {unit_axis = 0 : i64} : vector<4xf32>, !chi.field<?xf32>
  chi.next
}
