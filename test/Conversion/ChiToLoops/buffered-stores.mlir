// RUN: chi-opt %s --chi-launch-facts --convert-chi-to-loops --canonicalize --cse | FileCheck %s

// Pieces of 1024 iterations, as the schedule says, which begin where a line of the cache does,
// fill a buffer that goes to memory past the caches.
// CHECK-LABEL: func.func private @triad.t0.body(
// CHECK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK:         %[[SKEW:.*]] = arith.remui %arg4, %c16 : index
// CHECK:         scf.for
// CHECK:           arith.subi %{{.*}}, %[[SKEW]]
// CHECK:           scf.for
// CHECK:             memref.load %arg0
// CHECK:             memref.load %arg1
// CHECK:             memref.store %{{.*}}, %[[BUFFER]]
// CHECK:           llvm.call @chirt_stream(
// CHECK:         llvm.call @chirt_stream_end()
// CHECK-NEXT:  } else {
// CHECK:         memref.store %{{.*}}, %arg2
// CHECK:         return
// Fields that overlap are written as they always were.
// CHECK-LABEL: func.func private @triad.t0.may_alias(
// CHECK-NOT:     chirt_stream
// CHECK:         memref.store %{{.*}}, %arg2
!L = !chi.field<16777216xf32>
chi.task @triad.t0(%x: !L, %y: !L, %z: !L, %a: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<noalias = true, mayAlias = [0, 2, 1, 2], buffers = [#chi<buffer streaming>], chunk = 1024>} {
  %v = chi.load %x[%i : i32] inbounds : !L -> f32
  %w = chi.load %y[%i : i32] inbounds : !L -> f32
  %p = arith.mulf %a, %v : f32
  %s = arith.addf %p, %w : f32
  chi.store %s, %z[%i : i32] inbounds {buffer = 0 : i64} : f32, !L
  chi.next
}

// Components of an element lie side by side in one buffer, planes of them in
// one each.
// CHECK-LABEL: func.func private @vectors.t0.body(
// CHECK-DAG:     memref.alloca() {{.*}} : memref<2048xf32>
// CHECK-DAG:     memref.alloca() {{.*}} : memref<1024xf32>
// CHECK-DAG:     memref.alloca() {{.*}} : memref<1024xf32>
// CHECK-COUNT-3: llvm.call @chirt_stream(
// CHECK-NOT:     llvm.call @chirt_stream(
!V = !chi.field<16777216x!chi.vec<2xf32>>
!P = !chi.field<16777216x!chi.vec<2xf32>, soa>
chi.task @vectors.t0(%x: !V, %y: !P, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<noalias = true, buffers = [#chi<buffer streaming>, #chi<buffer streaming>, #chi<buffer streaming>], chunk = 1024>} {
  chi.store %v, %x[%i : i32] inbounds {buffer = 0 : i64} : f32, !V
  chi.store %v, %x[%i : i32] component 1 inbounds {buffer = 0 : i64} : f32, !V
  chi.store %v, %y[%i : i32] inbounds {buffer = 1 : i64} : f32, !P
  chi.store %v, %y[%i : i32] component 1 inbounds {buffer = 2 : i64} : f32, !P
  chi.next
}

// A row that repeats is computed once: 192 iterations, four periods and
// 12 lines.
// CHECK-LABEL: func.func private @repeats.t0.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %c0_i32 to %c192_i32
// CHECK:             memref.load %arg1
// What lies before the first whole line is what comes a period later.
// CHECK:           scf.for
// CHECK:             memref.load %alloca
// CHECK:             memref.store %{{.*}}, %alloca
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK:             llvm.call @chirt_stream(
!G = !chi.field<4096x8192xf32>
!T = !chi.field<48xf32>
chi.task @repeats.t0(%x: !G, %t: !T) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = rows, align = 1, unordered = true, buffers = [#chi<buffer streaming>], chunk = 192, period = 48>} {
  %n = arith.constant 48 : i32
  %r = chi.floormod %j, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !T -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds {buffer = 0 : i64} : f32, !G
  chi.next
}

// Tiles: the buffer is filled by the axis of the loads, and transposed. A part
// is whole strips of them.
// CHECK-LABEL: func.func private @transpose.t0.body(
// CHECK:         %[[TILE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4096xf32>
// CHECK-COUNT-3: scf.for
// The lines of the next tile are asked for.
// CHECK-COUNT-4:   memref.prefetch %arg0[%{{.*}}], read, locality<2>, data : memref<?xf32>
// CHECK-NOT:       prefetch
// CHECK:           scf.for
// CHECK:         memref.load %arg0
// CHECK:         memref.store %{{.*}}, %[[TILE]]
// CHECK:         llvm.call @chirt_stream_tile({{.*}}, %c4_i64, %c64_i64, %c64_i64, %c64_i64, %{{.*}})
// CHECK:         llvm.call @chirt_stream_end()
// Small fields stay in the caches.
// CHECK-LABEL: func.func private @gathers.t0.body(
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<1024xf64>
// CHECK:         llvm.call @chirt_stream_tile({{.*}}, %c8_i64, %c32_i64, {{.*}}, %c0_i32)
// CHECK-NOT:     chirt_stream_end
!S = !chi.field<8192x8000xf32>
!R = !chi.field<8000x8192xf32>
chi.task @transpose.t0(%a: !S, %b: !R) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = slices, align = 64, tile = <outer = 0, inner = 1, edge = 64>, buffers = [#chi<buffer streaming>]>} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds {prefetch} : !S -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds {buffer = 0 : i64} : f32, !R
  chi.next
}
!C = !chi.field<300x500xf64>
!D = !chi.field<500x300xf64>
chi.task @gathers.t0(%a: !C, %b: !D) over 1 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<noalias = true, unit = slices, align = 32, tile = <outer = 1, inner = 0, edge = 32>, buffers = [#chi<buffer plain>]>} {
  %v = chi.load %a[%j, %i : i32, i32] inbounds : !C -> f64
  chi.store %v, %b[%i, %j : i32, i32] inbounds {buffer = 0 : i64} : f64, !D
  chi.next
}

// CHECK-LABEL: func.func @all(
// CHECK:         llvm.call @chirt_parallel({{.*}}, %c65536000_i64, %c512000_i64,
func.func @all(%x: !L, %y: !L, %z: !L, %v: !V, %w: !P, %g: !G, %t: !T, %a: !S,
               %b: !R, %c: !C, %d: !D, %s: f32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 16777216 : i32
  %r4 = arith.constant 4096 : i32
  %r8 = arith.constant 8192 : i32
  %c8 = arith.constant 8000 : i32
  %c3 = arith.constant 300 : i32
  %c5 = arith.constant 500 : i32
  chi.launch @transpose.t0(%a, %b : !S, !R) from (%c0, %c0 : i32, i32) to (%r8, %c8 : i32, i32)
  chi.launch @triad.t0(%x, %y, %z, %s : !L, !L, !L, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @vectors.t0(%v, %w, %s : !V, !P, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @repeats.t0(%g, %t : !G, !T) from (%c0, %c0 : i32, i32) to (%r4, %r8 : i32, i32)
  chi.launch @gathers.t0(%c, %d : !C, !D) from (%c0, %c0 : i32, i32) to (%c5, %c3 : i32, i32)
  return
}
