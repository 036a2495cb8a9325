// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// What the arena of a kernel holds, and what a thread that finds too little of
// it repeats. Scratches of one type share the view of it; bools are bytes, and
// numbers of 32 bits lie in the words of the header. Each first room is for 64
// scalars: 2 * 512 bytes of f64, 64 of bools, 256 of i32. A kernel with memory
// counts in 64 bits and has one form.
// CHECK-LABEL: gpu.func @types(
// CHECK-SAME:    memref<?xi32>, %{{[a-z0-9]+}}: memref<?xf64>, %{{[a-z0-9]+}}: memref<?xi8>, %{{[a-z0-9]+}}: memref<?xi64>, %{{[a-z0-9]+}}: i64) kernel
// CHECK-SAME:    arena, arena, arena, resume, restarted], arenaBytes = 1344>
// CHECK-NOT:   @types.large
// CHECK-LABEL: gpu.func @inside(
!X = !chi.field<?xf64>
!S = !chi.local<?xf64>
chi.task @types(%x: !X) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %a = chi.scratch : !S
  %b = chi.scratch : !chi.local<?xi1>
  %c = chi.scratch : !chi.local<?xi32>
  %d = chi.scratch : !S
  chi.reserve %a, %n : i64, !S
  chi.reserve %b, %n : i64, !chi.local<?xi1>
  chi.reserve %c, %n : i64, !chi.local<?xi32>
  chi.reserve %d, %n : i64, !S
  chi.next
}

// A loop that reserves and stores has stored when it reserves again; so has one
// inside of whose inner loop the store is.
// CHECK-SAME:    restartsAll = true>
// CHECK-LABEL: gpu.func @nested(
// CHECK-SAME:    restartsAll = true>
chi.task @inside(%x: !X, %v: f64) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %most = arith.constant 9 : index
  %s = chi.scratch : !S
  scf.for %k = %z to %most step %one {
    chi.reserve %s, %n : i64, !S
    chi.store %v, %x[%i : i32] inbounds : f64, !X
  }
  chi.next
}
chi.task @nested(%x: !X, %v: f64) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %most = arith.constant 9 : index
  %s = chi.scratch : !S
  scf.for %k = %z to %most step %one {
    chi.reserve %s, %n : i64, !S
    scf.for %l = %z to %most step %one {
      chi.store %v, %x[%i : i32] inbounds : f64, !X
    }
  }
  chi.next
}

// What is stored behind the loop is stored once. Output is an effect, too.
// CHECK-LABEL: gpu.func @behind(
// CHECK-NOT:     restartsAll
// CHECK-SAME:    known_block_size
// CHECK-LABEL: gpu.func @printed(
// CHECK-SAME:    restartsAll = true
chi.task @behind(%x: !X, %v: f64) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %most = arith.constant 9 : index
  %s = chi.scratch : !S
  scf.for %k = %z to %most step %one {
    chi.reserve %s, %n : i64, !S
  }
  chi.store %v, %x[%i : i32] inbounds : f64, !X
  chi.next
}
chi.task @printed(%x: !X) over 0 (%i: i32) {
  %n = arith.constant 5 : i64
  %s = chi.scratch : !S
  chi.print [{shape = array<i64>, type = "i32"}](%i : i32)
  chi.reserve %s, %n : i64, !S
  chi.next
}

// Local arrays of 64 KiB together stay in the thread's own memory; of more, those
// of more than 16 KiB are moved: 15000 numbers of i32, but not 4096. They take
// 938 units of 64 bytes, of which a quarter is asked for.
// CHECK-LABEL: gpu.func @fits(
// CHECK-NOT:     arena
// CHECK:         memref.alloca() {{.*}} : memref<16384xi32>
// CHECK-LABEL: gpu.func @moved(
// CHECK-SAME:    arenaBytes = 15008
// CHECK-NOT:     memref<15000xi32>
// CHECK:         memref.alloca() {{.*}} : memref<4096xi32>
// CHECK-NOT:     memref<15000xi32>
// CHECK:         gpu.return
!I = !chi.field<8xi32>
!B = !chi.local<16384xi32>
!L = !chi.local<15000xi32>
!M = !chi.local<4096xi32>
chi.task @fits(%x: !I) over 0 (%i: i32) {
  %a = chi.local "a" : !B
  chi.set %i, %a[%i : i32] : i32, !B
  %v = chi.get %a[%i : i32] : !B -> i32
  chi.store %v, %x[%i : i32] inbounds : i32, !I
  chi.next
}
chi.task @moved(%x: !I) over 0 (%i: i32) {
  %a = chi.local "a" : !L
  %b = chi.local "b" : !M
  chi.set %i, %a[%i : i32] : i32, !L
  chi.set %i, %b[%i : i32] : i32, !M
  %v = chi.get %a[%i : i32] : !L -> i32
  %w = chi.get %b[%i : i32] : !M -> i32
  %s = arith.addi %v, %w : i32
  chi.store %s, %x[%i : i32] inbounds : i32, !I
  chi.next
}
