// RUN: chi-opt %s --chi-launch-facts --convert-chi-to-loops --canonicalize --cse | FileCheck %s

// What a schedule says is done, and nothing else: also what no pass chooses.
!M = !chi.field<?x?xf32>
!L = !chi.field<1000xf32>
!I = !chi.field<64xi32>

// Tiles of 3 by 3, in rows of parts of 5, whatever there is to gain.
// CHECK-LABEL: func.func private @tiles.body(
// CHECK-NOT:     llvm.noalias
// CHECK:         arith.divui %{{.*}}, %c3 : index
// CHECK:         scf.for
// CHECK:           arith.muli %{{.*}}, %c3 overflow<nsw> : index
// CHECK:           scf.for
// CHECK:             arith.muli %{{.*}}, %c3 overflow<nsw> : index
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 memref.store
chi.task @tiles(%x: !M, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<unit = rows, align = 5, tile = <outer = 0, inner = 1, edge = 3>>} {
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !M
  chi.next
}

// A middle of one iteration. In it 8 is not below 7, nor does it wrap; the
// edges are in their order, and as they are written.
// CHECK-LABEL: func.func private @peel.body(
// CHECK-SAME:    memref<?xi32> {llvm.noalias}
// CHECK:         scf.for
// CHECK:           arith.cmpi slt, %{{.*}}, %c7
// CHECK:           arith.select
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NOT:       arith.cmpi
// CHECK:           memref.store %[[I]]
// CHECK:         scf.for
// CHECK:           arith.cmpi slt, %{{.*}}, %c7
// CHECK:           arith.select
chi.task @peel(%y: !I) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<noalias = true, peel = <low = 8, high = 9>>} {
  %c7 = arith.constant 7 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 64 : i32
  %low = arith.cmpi slt, %i, %c7 : i32
  %v = arith.select %low, %c1, %i : i32
  chi.store %v, %y[%i : i32] inbounds : i32, !I
  chi.next
}

// The same in any order: the edges are one loop behind the middle.
// CHECK-LABEL: func.func private @around.body(
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpi
// CHECK:           memref.store
// CHECK:         scf.for
// CHECK:           arith.select
// CHECK:           memref.store
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @around(%y: !I) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<unordered = true, peel = <low = 8, high = 9>>} {
  %c7 = arith.constant 7 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.cmpi slt, %i, %c7 : i32
  %v = arith.select %low, %c1, %i : i32
  chi.store %v, %y[%i : i32] inbounds : i32, !I
  chi.next
}

// A sum of short iterations by a buffer.
// CHECK-LABEL: func.func private @sum.body(
// CHECK:         memref.alloca() {{.*}} : memref<1024xf32>
chi.task @sum(%x: !L, %s: !chi.field<f32>) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<align = 2048, reductions = [#chi.reduction<operations = 1, buffered = true>]>} {
  %v = chi.load %x[%i : i32] inbounds : !L -> f32
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  chi.next
}

// Nobody has decided: one loop after the other, and what may overlap is asked
// at the launch. Adds come as they do.
// CHECK-LABEL: func.func private @undecided.body(
// CHECK-NOT:     llvm.noalias
// CHECK:         memref.alloca() {{.*}} : memref<16xf32>
// CHECK-NOT:     memref<1024xf32>
// CHECK-LABEL: func.func private @undecided.may_alias(
chi.task @undecided(%x: !L, %y: !L, %s: !chi.field<f32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !L -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !L
  chi.accum add %v, %s[] inbounds strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}

// A million iterations without the pool, if the schedule says so; eight with
// it, if it does not.
// CHECK-LABEL: func.func @launches(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !chi.field<?x?xf32>
// CHECK:         %[[PART:.*]] = arith.muli %{{.*}}, %c5_i64
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[PART]], %c1_i64
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %{{.*}}, %[[SOME]],
// CHECK:         call @direct.body(
// CHECK-NOT:     chirt_parallel
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c8_i64, %c24_i64,
// CHECK:         llvm.call @chirt_parallel(%{{.*}}, %{{.*}}, %c1000_i64, %c2048_i64,
chi.task @direct(%v: f32) (%i: i32) attributes {schedule = #chi.schedule<direct = true>} {
  chi.next
}
chi.task @pool(%v: f32) (%i: i32) attributes {schedule = #chi.schedule<align = 24>} {
  chi.next
}
func.func @launches(%x: !M, %y: !L, %s: !chi.field<f32>, %v: f32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 1000000 : i32
  %few = arith.constant 8 : i32
  %c1000 = arith.constant 1000 : i32
  %h = chi.dim %x, 0 : !M -> i32
  %w = chi.dim %x, 1 : !M -> i32
  chi.launch @tiles(%x, %v : !M, f32) from (%c0, %c0 : i32, i32) to (%h, %w : i32, i32)
  chi.launch @direct(%v : f32) from (%c0 : i32) to (%n : i32)
  chi.launch @pool(%v : f32) from (%c0 : i32) to (%few : i32)
  chi.launch @sum(%y, %s : !L, !chi.field<f32>) from (%c0 : i32) to (%c1000 : i32)
  return
}
