// Several iterations at once, in a nest that has atomics only: lanes that are
// neighbours, that are apart, that are dead, and that meet.
// RUN: chi-opt %s --chi-test-lower-iteration | FileCheck %s

!F = !chi.field<?xf32>
!B = !chi.field<?xi1>

// Rows of neighbours: one masked access. Without a mask all lanes live.
// CHECK-LABEL: func.func private @rows.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[M:[a-z0-9]+]]: vector<4xi1>,
// CHECK:         %[[ALL:.*]] = arith.constant dense<true> : vector<4xi1>
// CHECK:         %[[V:.*]] = vector.maskedload %[[X]][%{{.*}}], %[[ALL]],
// CHECK:         vector.maskedstore %[[X]][%{{.*}}], %[[M]], %[[V]]
chi.task @rows(%x: !F, %m: vector<4xi1>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds {contiguous} : !F -> vector<4xf32>
  %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %all = vector.broadcast %i : i32 to vector<4xi32>
  %is = arith.addi %all, %steps : vector<4xi32>
  chi.store %v, %x[%is : vector<4xi32>] inbounds mask(%m : vector<4xi1>) {unit_axis = 0 : i64} : vector<4xf32>, !F
  chi.next
}

// Lanes that have indices of their own: a gather and a scatter from the start
// of the field. Truth values are bytes in memory.
// CHECK-LABEL: func.func private @apart.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xi8>, %{{[a-z0-9]+}}: index, %[[K:[a-z0-9]+]]: vector<4xi32>,
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[K]] : vector<4xi32> to vector<4xi64>
// CHECK:         %[[BYTES:.*]] = vector.gather %[[X]][%{{.*}}] [%[[WIDE]]]
// CHECK:         %[[BITS:.*]] = arith.trunci %[[BYTES]] : vector<4xi8> to vector<4xi1>
// CHECK:         %[[BACK:.*]] = arith.extui %[[BITS]] : vector<4xi1> to vector<4xi8>
// CHECK:         vector.scatter %[[X]][%{{.*}}] [%{{.*}}], %{{.*}}, %[[BACK]]
chi.task @apart(%x: !B, %k: vector<4xi32>) over 0 (%i: i32) {
  %v = chi.load %x[%k : vector<4xi32>] inbounds : !B -> vector<4xi1>
  chi.store %v, %x[%k : vector<4xi32>] inbounds : vector<4xi1>, !B
  chi.next
}

// A row that other threads add to as well: lane by lane, and none that is known
// to be dead.
// CHECK-LABEL: func.func private @met.grid(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>, %{{[a-z0-9]+}}: index, %[[V:[a-z0-9]+]]: vector<4xf32>,
// CHECK:         %[[FIRST:.*]] = vector.extract %[[V]][0]
// CHECK:         memref.atomic_rmw addf %[[FIRST]], %[[X]][
// CHECK:         %[[THIRD:.*]] = vector.extract %[[V]][2]
// CHECK:         memref.atomic_rmw addf %[[THIRD]], %[[X]][
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         return
chi.task @met(%x: !F, %v: vector<4xf32>, %k: i32) over 0 (%i: i32) {
  %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  chi.accum add %v, %x[%k : i32] inbounds strategy(atomic) mask(%m : vector<4xi1>) {contiguous} : vector<4xf32>, !F
  chi.next
}

// Lanes of a plain accumulation touch different elements: loaded, added, stored.
// CHECK-LABEL: func.func private @plain.grid(
// CHECK:         %[[OLD:.*]] = vector.maskedload
// CHECK:         %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<4xf32>
// CHECK:         vector.maskedstore %{{.*}}, %[[SUM]]
chi.task @plain(%x: !F, %v: vector<4xf32>) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) {contiguous} : vector<4xf32>, !F
  chi.next
}

// A check of lanes reports the first that fails and lives, with its own values.
// Its iteration is as many further on.
// CHECK-LABEL: func.func private @check.grid(
// CHECK-SAME:    %[[OK:[a-z0-9]+]]: vector<4xi1>, %[[M:[a-z0-9]+]]: vector<4xi1>, %[[V:[a-z0-9]+]]: vector<4xi64>,
// CHECK:         %[[BAD:.*]] = arith.xori %[[OK]],
// CHECK:         %[[LIVE:.*]] = arith.select %[[M]], %[[BAD]],
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[LIVE]]
// CHECK:         scf.if %[[ANY]]
// CHECK:           %[[BITS:.*]] = vector.bitcast %[[LIVE]] : vector<4xi1> to vector<1xi4>
// CHECK:           %[[WORD:.*]] = vector.extract %[[BITS]][0]
// CHECK:           %[[COUNT:.*]] = math.cttz %[[WORD]] : i4
// CHECK:           %[[LANE:.*]] = arith.index_castui %[[COUNT]] : i4 to index
// CHECK-DAG:       %[[ITS:.*]] = vector.extract %[[OK]][%[[LANE]]]
// CHECK-DAG:       %[[VALUE:.*]] = vector.extract %[[V]][%[[LANE]]]
// CHECK:           %[[FURTHER:.*]] = arith.index_cast %[[LANE]] : index to i32
// CHECK:           %[[I:.*]] = arith.addi %{{.*}}, %[[FURTHER]] : i32
// CHECK:           %[[NUMBER:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:           chi.check assert %[[ITS]] (%[[VALUE]], %[[NUMBER]] : i64, i64) {iteration = 1 : i64
// CHECK-NOT:     chi.check
// CHECK:         return
chi.task @check(%ok: vector<4xi1>, %m: vector<4xi1>, %v: vector<4xi64>) (%i: i32) {
  chi.check assert %ok lanes(4) (%v : vector<4xi64>) mask(%m : vector<4xi1>)
  chi.next
}
