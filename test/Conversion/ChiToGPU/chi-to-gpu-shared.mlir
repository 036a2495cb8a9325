// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// A small field that iterations meet on has a copy in the memory of each block
// of threads. The block fills it with what changes nothing, adds to it, meets
// there, also a thread whose iteration failed, and adds it to the field. One of
// 1024 scalars is worth it for 8 iterations a thread or more.
// CHECK-LABEL: gpu.func @bins
// CHECK-SAME:    (%{{[a-z0-9]+}}: memref<?xi32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[H:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}
// CHECK-SAME:    perThread = 8, hasLarge = true,
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK:         scf.for %[[PLACE:.*]] = %thread_id_x to %c1024 step %c256 {
// CHECK:           memref.store %{{.*}}, %[[COPY]][%[[PLACE]]]
// CHECK:         }
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK:           memref.atomic_rmw addf %{{.*}}, %[[COPY]][
// CHECK:         gpu.barrier {chi.exit_barrier}
// CHECK:         scf.for %[[PLACE:.*]] = %thread_id_x{{.*}} to %c1024{{.*}} {
// CHECK:           %[[SUM:.*]] = memref.load %[[COPY]][%[[PLACE]]]
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK:           %[[SOME:.*]] = arith.cmpi ne, %[[BITS]],
// CHECK:           scf.if %[[SOME]] {
// CHECK:             memref.atomic_rmw addf %[[SUM]], %[[H]][%[[PLACE]]]
// CHECK:         gpu.return
!K = !chi.field<?xi32>
chi.task @bins(%k: !K, %h: !chi.field<512x!chi.vec<2xf32>>) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f32
  %bin = chi.load %k[%i : i32] inbounds : !K -> i32
  chi.accum add %one, %h[%bin : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<512x!chi.vec<2xf32>>
  chi.next
}

// Not one of 64 bits, which some devices have no atomics of there, nor one that
// takes too much, nor one of unknown extent.
// CHECK-LABEL: gpu.func @others
// CHECK-NOT:     memref.alloc()
// CHECK-COUNT-3: memref.atomic_rmw
// CHECK:         gpu.return
chi.task @others(%k: !K, %a: !chi.field<8xf64>, %b: !chi.field<2049xi32>, %c: !chi.field<?xi16>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %short = arith.constant 1 : i16
  %x = arith.constant 0.5 : f64
  %bin = chi.load %k[%i : i32] inbounds : !K -> i32
  chi.accum add %x, %a[%bin : i32] inbounds strategy(privatized) : f64, !chi.field<8xf64>
  chi.accum add %one, %b[%bin : i32] inbounds strategy(privatized) : i32, !chi.field<2049xi32>
  chi.accum add %short, %c[%bin : i32] inbounds strategy(privatized) : i16, !chi.field<?xi16>
  chi.next
}
