// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s

// Sums of lanes into a private copy go to buffers, the scalars of an element side by side, and indices that differ by a
// constant share one. A loop over the lanes adds the values, one iteration after the other, in their order.
// CHECK-LABEL: func.func private @scatter.body
// CHECK-DAG:  %[[PAIRS:.+]] = memref.alloca() {alignment = 64 : i64} : memref<8xf32>
// CHECK-DAG:  %[[ONES:.+]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK-DAG:  %[[INDEX:.+]] = memref.alloca() {alignment = 64 : i64} : memref<4xi32>
// CHECK:      %[[PAIR:.+]] = vector.shuffle %{{.+}}, %{{.+}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK:      vector.store %[[PAIR]], %[[PAIRS]]
// CHECK:      vector.store %{{.+}}, %[[INDEX]]
// CHECK:      vector.store %{{.+}}, %[[ONES]]
// CHECK-NOT:  vector.store
// CHECK:      scf.for %[[LANE:.+]] = %{{.+}} to %{{.+}} step
// CHECK:      memref.load %[[INDEX]][%[[LANE]]]
// CHECK:      %[[TWO:.+]] = vector.load %[[PAIRS]][%{{.+}}] : memref<8xf32>, vector<2xf32>
// CHECK:      %[[OLD:.+]] = vector.load %[[GRID:.+]][%[[AT:.+]]] : memref<?xf32>, vector<2xf32>
// CHECK:      %[[SUM:.+]] = arith.addf %[[OLD]], %[[TWO]]
// CHECK:      vector.store %[[SUM]], %[[GRID]][%[[AT]]]
// CHECK:      memref.load %[[INDEX]][%[[LANE]]]
// CHECK:      %[[ONE:.+]] = memref.load %[[ONES]][%[[LANE]]]
// CHECK:      memref.load %[[MASS:.+]][%[[THERE:.+]]] : memref<?xf32>
// CHECK:      memref.store %{{.+}}, %[[MASS]][%[[THERE]]] : memref<?xf32>
// CHECK-NOT:  vector.scatter
// CHECK-LABEL: func.func
!G = !chi.field<64x!chi.vec<2xf32>>
!M = !chi.field<64xf32>
!K = !chi.field<1024xi32>
chi.task @scatter(%grid: !G, %mass: !M, %keys: !K) over 2 (%i: i32)
    attributes {lanes = 4 : i64, effects = #chi.effects<reads = [0, 1, 2], writes = [0, 1]>} {
  %one = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  %w = arith.constant 2.0 : f32
  %at = chi.load %keys[%i : i32] inbounds : !K -> i32
  %next = arith.addi %at, %one : i32
  chi.accum add %v, %grid[%at : i32] component 1 inbounds strategy(privatized) : f32, !G
  chi.accum add %w, %grid[%at : i32] inbounds strategy(privatized) : f32, !G
  chi.accum add %v, %mass[%next : i32] inbounds strategy(privatized) : f32, !M
  chi.next
} wide {
^bb0(%grid: !G, %mass: !M, %keys: !K, %i: i32):
  %one = arith.constant dense<1> : vector<4xi32>
  %v = arith.constant dense<1.0> : vector<4xf32>
  %w = arith.constant dense<2.0> : vector<4xf32>
  %at = chi.load %keys[%i : i32] inbounds {contiguous} : !K -> vector<4xi32>
  %next = arith.addi %at, %one : vector<4xi32>
  chi.accum add %v, %grid[%at : vector<4xi32>] component 1 inbounds strategy(privatized) : vector<4xf32>, !G
  chi.accum add %w, %grid[%at : vector<4xi32>] inbounds strategy(privatized) : vector<4xf32>, !G
  chi.accum add %v, %mass[%next : vector<4xi32>] inbounds strategy(privatized) : vector<4xf32>, !M
  chi.next
}
