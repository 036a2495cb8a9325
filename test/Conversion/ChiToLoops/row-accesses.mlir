// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// An access of a row of neighbours: its place is what all rows of the
// neighbourhood have in common plus a constant, so that the constant becomes
// the displacement of an address. A constant is split off an index only where
// the sum cannot have wrapped: inside of the field, or where it says so.
!A = !chi.field<?x64xf32>
!V = !chi.field<?x3x!chi.vec<2xf32>>
!B = !chi.field<64xi8>

// CHECK-LABEL: func.func private @inside.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[Y:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[I:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32,
// (i + 2, j - 1): 64 * i + j, then 127 behind.
// CHECK:         %[[II:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:         %[[JJ:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:         %[[ROW:.*]] = arith.muli %[[II]], %c64 overflow<nsw> : index
// CHECK:         %[[BASE:.*]] = arith.addi %[[ROW]], %[[JJ]] overflow<nsw> : index
// CHECK:         %[[AT:.*]] = arith.addi %[[BASE]], %c127 overflow<nsw> : index
// CHECK:         %[[LOADED:.*]] = vector.maskedload %[[X]][%[[AT]]], %{{.*}}, %{{.*}} : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// A dynamic component belongs to the base, the known one to the rest.
// CHECK:         %[[D:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[P:.*]] = arith.addi %{{.*}}, %[[D]] overflow<nsw> : index
// CHECK:         %[[Q:.*]] = arith.addi %[[P]], %c7 overflow<nsw> : index
// CHECK:         %[[OLD:.*]] = vector.maskedload %[[Y]][%[[Q]]]
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[LOADED]] fastmath<reassoc,nsz,arcp,contract,afn> : vector<4xf32>
// CHECK:         vector.maskedstore %[[Y]][%[[Q]]], %{{.*}}, %[[NEW]]
// Where copies are refused: lane by lane, from the place of the first.
// CHECK-LABEL: func.func private @inside.may_alias(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[Y:[a-z0-9]+]]: memref<?xf32>,
// CHECK:         %[[L0:.*]] = vector.extract %[[V:.*]][0] : f32 from vector<4xf32>
// CHECK:         memref.atomic_rmw addf %[[L0]], %[[Y]][%[[FIRST:.*]]]
// CHECK:         %[[L1:.*]] = vector.extract %[[V]][1] : f32 from vector<4xf32>
// CHECK:         %[[NEXT:.*]] = arith.addi %[[FIRST]], %c1 overflow<nsw> : index
// CHECK:         memref.atomic_rmw addf %[[L1]], %[[Y]][%[[NEXT]]]
// CHECK-COUNT-2: memref.atomic_rmw addf
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         return
chi.task @inside(%x: !A, %y: !V, %i: i32, %j: i32, %d: i32) (%p: i32) {
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %less = arith.constant -1 : i32
  %r = arith.addi %i, %two : i32
  %c = arith.addi %j, %less : i32
  %a = chi.load %x[%r, %c : i32, i32] inbounds {contiguous} : !A -> vector<4xf32>
  %k = arith.addi %i, %one : i32
  chi.accum add %a, %y[%k, %less : i32, i32] dynamic(%d : i32) component 1 inbounds strategy(privatized) {contiguous} : vector<4xf32>, !V
  chi.next
}

// What may be outside may have wrapped: the index as it is. So may numbers of
// 8 bits anywhere, unless they say that they do not.
// CHECK-LABEL: func.func private @outside.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[B:[a-z0-9]+]]: memref<?xi8> {llvm.noalias}, %[[I:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i8,
// CHECK:         %[[R:.*]] = arith.addi %[[I]], %c2_i32 : i32
// CHECK:         %[[RR:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK:         vector.maskedload %[[X]]
// CHECK:         %[[S:.*]] = arith.addi %[[K]], %c2_i8 : i8
// CHECK:         %[[SS:.*]] = arith.index_cast %[[S]] : i8 to index
// CHECK:         vector.maskedload %[[B]][%[[SS]]]
// CHECK:         %[[KK:.*]] = arith.index_cast %[[K]] : i8 to index
// CHECK:         %[[T:.*]] = arith.addi %[[KK]], %c3 overflow<nsw> : index
// CHECK:         vector.maskedstore %[[B]][%[[T]]]
chi.task @outside(%x: !A, %b: !B, %i: i32, %k: i8) (%p: i32) {
  %two = arith.constant 2 : i32
  %c2 = arith.constant 2 : i8
  %c3 = arith.constant 3 : i8
  %z = arith.constant 0 : i32
  %r = arith.addi %i, %two : i32
  %a = chi.load %x[%r, %z : i32, i32] {contiguous} : !A -> vector<4xf32>
  %s = arith.addi %k, %c2 : i8
  %v = chi.load %b[%s : i8] inbounds {contiguous} : !B -> vector<4xi8>
  %t = arith.addi %k, %c3 overflow<nsw> : i8
  chi.accum add %v, %b[%t : i8] inbounds strategy(privatized) {contiguous} : vector<4xi8>, !B
  chi.accum add %a, %x[%i, %z : i32, i32] inbounds strategy(privatized) {contiguous} : vector<4xf32>, !A
  chi.next
}

// A constant mask says which lanes there are; of the atomics too.
// CHECK-LABEL: func.func private @masked.body(
// CHECK:         %[[MASK:.*]] = arith.constant dense<[true, false, true, true]> : vector<4xi1>
// CHECK:         vector.maskedload %{{.*}}, %[[MASK]], %{{.*}}
// CHECK:         vector.maskedstore %{{.*}}, %[[MASK]], %{{.*}}
// CHECK-LABEL: func.func private @masked.may_alias(
// CHECK:         vector.extract %{{.*}}[0]
// CHECK:         memref.atomic_rmw
// CHECK-NOT:     vector.extract %{{.*}}[1]
// CHECK:         vector.extract %{{.*}}[2]
// CHECK:         memref.atomic_rmw
// CHECK:         vector.extract %{{.*}}[3]
// CHECK:         memref.atomic_rmw
chi.task @masked(%x: !A, %v: vector<4xf32>, %i: i32) (%p: i32) {
  %some = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  chi.accum add %v, %x[%i, %i : i32, i32] inbounds strategy(privatized) mask(%some : vector<4xi1>) {contiguous} : vector<4xf32>, !A
  chi.next
}
