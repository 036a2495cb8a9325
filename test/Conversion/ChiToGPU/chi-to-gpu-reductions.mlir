// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// What all iterations add to one element is summed in trees of the processor's
// shape: a thread is one of the 16 lanes of a block of 1024 iterations, and
// leaves the sum of every 16th of them. Two operations on one element are one
// tree, and each tree has its own place in the memory of the partial sums.
// CHECK-LABEL: gpu.func @sums
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<?xf64>, %[[Q:[a-z0-9]+]]: memref<?xi8>) kernel
// CHECK-SAME:    partials(0), partials(128)], perThread = 64, partialBytes = 144, hasLarge = true,
// CHECK-DAG:     %[[A:.*]] = memref.alloca() {{.*}} : memref<1xf64>
// CHECK-DAG:     %[[B:.*]] = memref.alloca() {{.*}} : memref<1xi8>
// CHECK-DAG:     %[[THREAD:.*]] = arith.addi %{{.*}}, %thread_id_x
// CHECK-DAG:     %[[THREADS:.*]] = arith.muli %grid_dim_x
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.divui %{{.*}}, %c1024
// CHECK:         %[[LANES:.*]] = arith.muli %[[BLOCKS]], %c16
// CHECK:         scf.for %[[PLACE:.*]] = %[[THREAD]] to %[[LANES]] step %[[THREADS]] {
// CHECK:           %[[BLOCK:.*]] = arith.divui %[[PLACE]], %[[C16:.*]] : index
// CHECK:           %[[START:.*]] = arith.muli %[[BLOCK]], %c1024
// CHECK:           %[[LANE:.*]] = arith.remui %[[PLACE]], %[[C16]]
// CHECK:           %[[OWN:.*]] = arith.addi %[[START]], %[[LANE]]
// CHECK:           %[[ZERO:.*]] = arith.constant -0.000000e+00 : f64
// CHECK:           memref.store %[[ZERO]], %[[A]]
// CHECK:           memref.store %c0_i8, %[[B]]
// CHECK:           %[[END:.*]] = arith.minsi
// CHECK:           scf.for %{{.*}} = %[[OWN]] to %[[END]] step %[[C16]] {
// CHECK-COUNT-2:     arith.addf {{.*}} : f64
// CHECK:             arith.extui %{{.*}} : i1 to i8
// CHECK:             arith.ori {{.*}} : i8
// CHECK:           }
// CHECK:           memref.store %{{.*}}, %[[P]][%[[PLACE]]]
// CHECK:           memref.store %{{.*}}, %[[Q]][%[[PLACE]]]
// CHECK:         gpu.return

// They are joined pairwise, 4096 by a block of threads, 16 by each thread first;
// what is not there changes nothing. The last block adds to the element.
// CHECK-LABEL: gpu.func @sums.finish
// CHECK-SAME:    %[[P:[a-z0-9]+]]: memref<?xf64>, %[[Q:[a-z0-9]+]]: memref<?xi8>, %[[PARTS:[a-z0-9]+]]: index, %[[STRIDE:[a-z0-9]+]]: index) kernel
// CHECK-SAME:    partials(0), partials(128), numPartials, stride]
// CHECK-DAG:     memref.alloc() : memref<256xf64, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.alloc() : memref<256xi32, #gpu.address_space<workgroup>>
// CHECK:         %[[FIRST:.*]] = arith.muli %block_id_x, %c4096
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %grid_dim_x, %c1
// CHECK:         %[[THERE:.*]] = arith.cmpi slt, %[[OWN:.*]], %[[PARTS]]
// CHECK:         %[[SAFE:.*]] = arith.select %[[THERE]], %[[OWN]], %[[FIRST]]
// CHECK:         %[[PLACE:.*]] = arith.muli %[[SAFE]], %[[STRIDE]]
// CHECK:         %[[VALUE:.*]] = memref.load %[[P]][%[[PLACE]]]
// CHECK:         arith.select %[[THERE]], %[[VALUE]],
// CHECK-COUNT-15: arith.addf
// CHECK:         memref.store %{{.*}}, %[[SHARED:.*]][%thread_id_x]
// CHECK:         gpu.barrier
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c8
// CHECK:           scf.if
// CHECK:             arith.addf
// CHECK:           }
// CHECK:           gpu.barrier
// CHECK:         }
// CHECK:         scf.if
// CHECK:           scf.if %[[LAST]] {
// CHECK:             arith.addf
// CHECK:           } else {
// CHECK:             memref.store %{{.*}}, %[[P]][
// CHECK:         gpu.return
!X = !chi.field<?xf64>
!B = !chi.field<2xi1>
chi.task @sums(%x: !X, %s: !chi.field<f64>, %b: !B, %v: f64) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %y = chi.load %x[%i : i32] inbounds : !X -> f64
  chi.accum add %y, %s[] inbounds strategy(deterministic) : f64, !chi.field<f64>
  chi.accum add %v, %s[] inbounds strategy(deterministic) : f64, !chi.field<f64>
  %large = arith.cmpf ogt, %y, %v : f64
  chi.accum or %large, %b[%c1 : i32] inbounds strategy(deterministic) : i1, !B
  chi.next
}
