// Which fields have a copy in the memory of a block, what it begins with, and
// how many iterations a thread executes for it.
// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

!K = !chi.field<?xi32>

// All copies of a kernel take 8 KiB at most: the first two do, the third does
// not fit. A copy of 1024 scalars wants 8 iterations of each thread.
// CHECK-LABEL: gpu.func @three
// CHECK-SAME:    perThread = 8
// CHECK-DAG:     memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.alloc() : memref<1024xi32, #gpu.address_space<workgroup>>
// CHECK-NOT:     memref.alloc()
// CHECK:         gpu.barrier
chi.task @three(%k: !chi.field<?xi64>, %a: !chi.field<1024xf32>, %b: !chi.field<1024xi32>, %c: !chi.field<2xf32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %x = arith.constant 0.5 : f32
  %bin = chi.load %k[%i : i32] inbounds : !chi.field<?xi64> -> i64
  chi.accum add %x, %a[%bin : i64] inbounds strategy(privatized) : f32, !chi.field<1024xf32>
  chi.accum add %one, %b[%bin : i64] inbounds strategy(privatized) : i32, !chi.field<1024xi32>
  chi.accum add %x, %c[%bin : i64] inbounds strategy(privatized) : f32, !chi.field<2xf32>
  chi.next
}

// A field that may be the one that says where to add has none: what an iteration
// loads would not be what others have added.
// CHECK-LABEL: gpu.func @overlap
// CHECK-NOT:     memref.alloc()
// CHECK:         memref.atomic_rmw addi
// CHECK:         gpu.return
chi.task @overlap(%k: !K, %h: !chi.field<8xi32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  %bin = chi.load %k[%i : i32] inbounds : !K -> i32
  chi.accum add %one, %h[%bin : i32] inbounds strategy(privatized) : i32, !chi.field<8xi32>
  chi.next
}

// A small one is worth it for a single iteration of each thread. Its minimum
// begins with the greatest number, and needs no bits to compare.
// CHECK-LABEL: gpu.func @least
// CHECK-NOT:     perThread
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<8xi32, #gpu.address_space<workgroup>>
// CHECK:         scf.for %[[AT:.*]] = %thread_id_x to %c8
// CHECK:           %[[MOST:.*]] = arith.constant 2147483647 : i32
// CHECK:           memref.store %[[MOST]], %[[COPY]][%[[AT]]]
// CHECK:         gpu.barrier
// CHECK:         memref.atomic_rmw mins %{{.*}}, %[[COPY]][
// CHECK:         gpu.barrier {chi.exit_barrier}
// CHECK:         %[[V:.*]] = memref.load %[[COPY]]
// CHECK-NOT:     arith.bitcast
// CHECK:         arith.cmpi ne, %[[V]],
// CHECK:         memref.atomic_rmw mins %[[V]], %{{.*}} : (i32, memref<?xi32>)
// CHECK:         gpu.return
chi.task @least(%k: !chi.field<?xi64>, %h: !chi.field<8xi32>) over 0 (%i: i32) {
  %c7 = arith.constant 7 : i32
  %bin = arith.andi %i, %c7 : i32
  %w = chi.load %k[%i : i32] inbounds : !chi.field<?xi64> -> i64
  %v = arith.trunci %w : i64 to i32
  %at = arith.xori %bin, %v : i32
  %in = arith.andi %at, %c7 : i32
  chi.accum min %v, %h[%in : i32] inbounds strategy(privatized) : i32, !chi.field<8xi32>
  chi.next
}

// A task that is no loop adds to the field: one thread executes it.
// CHECK-LABEL: gpu.func @alone
// CHECK-NOT:     memref.alloc()
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
chi.task @alone(%h: !chi.field<8xi32>, %k: i32) () {
  %one = arith.constant 1 : i32
  chi.accum add %one, %h[%k : i32] inbounds strategy(privatized) : i32, !chi.field<8xi32>
  chi.next
}

// A field without elements has nothing to copy.
// CHECK-LABEL: gpu.func @empty
// CHECK-NOT:     memref.alloc()
// CHECK:         gpu.return
chi.task @empty(%k: !K, %h: !chi.field<0xf32>) over 0 (%i: i32) {
  %x = arith.constant 0.5 : f32
  %bin = chi.load %k[%i : i32] inbounds : !K -> i32
  chi.accum add %x, %h[%bin : i32] inbounds strategy(privatized) : f32, !chi.field<0xf32>
  chi.next
}
