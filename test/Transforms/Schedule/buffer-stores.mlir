// RUN: chi-opt %s --chi-launch-facts --chi-buffer-stores | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-attach-device=cache-bytes=100000000000 --chi-buffer-stores | FileCheck %s --check-prefix=SMALL

// Fields that not all caches hold are written past them, if the launch says so;
// those that much smaller caches than this machine's hold never are.
// CHECK-LABEL: chi.task @triad.t0
// CHECK-SAME:    schedule = #chi.schedule<mayAlias = [0, 2, 1, 2], buffers = [#chi<buffer streaming>], chunk = 1024>
// CHECK:         chi.store {{.*}} {buffer = 0 : i64}
// SMALL-LABEL: chi.task @triad.t0
// SMALL-NOT:     buffer
!L = !chi.field<16777216xf32>
chi.task @triad.t0(%x: !L, %y: !L, %z: !L, %a: f32) over 0 (%i: i32)
    attributes {cost = 12 : i64} {
  %v = chi.load %x[%i : i32] inbounds : !L -> f32
  %w = chi.load %y[%i : i32] inbounds : !L -> f32
  %p = arith.mulf %a, %v : f32
  %s = arith.addf %p, %w : f32
  chi.store %s, %z[%i : i32] inbounds : f32, !L
  chi.next
}

// What is read again is kept.
// CHECK-LABEL: chi.task @saxpy.t0
// CHECK-NOT:     buffer
chi.task @saxpy.t0(%x: !L, %y: !L, %a: f32) over 0 (%i: i32)
    attributes {cost = 12 : i64} {
  %v = chi.load %x[%i : i32] inbounds : !L -> f32
  %w = chi.load %y[%i : i32] inbounds : !L -> f32
  %p = arith.mulf %a, %v : f32
  %s = arith.addf %p, %w : f32
  chi.store %s, %y[%i : i32] inbounds : f32, !L
  chi.next
}

// So is a store that some iterations leave out, or that does not walk along
// memory, and a task that computes for long.
// CHECK-LABEL: chi.task @sometimes.t0
// CHECK-NOT:     buffer
// CHECK-LABEL: chi.task @apart.t0
// CHECK-NOT:     buffer
// CHECK-LABEL: chi.task @dear.t0
// CHECK-NOT:     buffer
chi.task @sometimes.t0(%x: !L, %b: i1) over 0 (%i: i32)
    attributes {cost = 12 : i64} {
  %v = arith.sitofp %i : i32 to f32
  scf.if %b {
    chi.store %v, %x[%i : i32] inbounds : f32, !L
  }
  chi.next
}
chi.task @apart.t0(%x: !L) (%i: i32) attributes {cost = 12 : i64} {
  %v = arith.sitofp %i : i32 to f32
  %two = arith.constant 2 : i32
  %k = arith.muli %i, %two overflow<nsw> : i32
  chi.store %v, %x[%k : i32] inbounds : f32, !L
  chi.next
}
chi.task @dear.t0(%x: !L) over 0 (%i: i32) attributes {cost = 10000 : i64} {
  %v = arith.sitofp %i : i32 to f32
  chi.store %v, %x[%i : i32] inbounds : f32, !L
  chi.next
}

// All components of an element, or none.
// CHECK-LABEL: chi.task @both.t0
// CHECK-SAME:    schedule = #chi.schedule<buffers = [#chi<buffer streaming>], chunk = 1024>
// CHECK-COUNT-2: chi.store {{.*}} {buffer = 0 : i64}
// CHECK-LABEL: chi.task @second.t0
// CHECK-NOT:     buffer
!V = !chi.field<16777216x!chi.vec<2xf32>>
chi.task @both.t0(%x: !V, %v: f32) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  chi.store %v, %x[%i : i32] inbounds : f32, !V
  chi.store %v, %x[%i : i32] component 1 inbounds : f32, !V
  chi.next
}
chi.task @second.t0(%x: !V, %v: f32) over 0 (%i: i32)
    attributes {cost = 8 : i64} {
  chi.store %v, %x[%i : i32] component 1 inbounds : f32, !V
  chi.next
}

// Rows that repeat: 32 is a period of j mod 32, written as Python would.
// CHECK-LABEL: chi.task @repeats.t0
// CHECK-SAME:    chunk = 256, period = 32>
// CHECK:         chi.store {{.*}} {buffer = 0 : i64}
// Rows that repeat are computed once in a smaller field too.
// SMALL-LABEL: chi.task @repeats.t0
// SMALL-SAME:    buffers = [#chi<buffer plain>], chunk = 256, period = 32>
// Not if the sum that is divided may overflow.
// CHECK-LABEL: chi.task @wraps.t0
// CHECK-SAME:    chunk = 1024>
// CHECK:         chi.store {{.*}} {buffer = 0 : i64}
!G = !chi.field<4096x8192xf32>
!T = !chi.field<32xf32>
chi.task @repeats.t0(%x: !G, %t: !T) over 0 (%i: i32, %j: i32)
    attributes {cost = 16 : i64} {
  %n = arith.constant 32 : i32
  %k = arith.subi %j, %i overflow<nsw> : i32
  %q = chi.floordiv %k, %n : i32
  %p = arith.muli %q, %n overflow<nsw> : i32
  %r = arith.subi %k, %p overflow<nsw> : i32
  %v = chi.load %t[%r : i32] inbounds : !T -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
chi.task @wraps.t0(%x: !G, %t: !T) over 0 (%i: i32, %j: i32)
    attributes {cost = 16 : i64} {
  %n = arith.constant 32 : i32
  %k = arith.subi %j, %i : i32
  %r = chi.floormod %k, %n : i32
  %v = chi.load %t[%r : i32] inbounds : !T -> f32
  chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}

// Loads along one axis, stores along another: tiles, of small fields too.
// CHECK-LABEL: chi.task @transpose.t0
// CHECK-SAME:    schedule = #chi.schedule<unit = slices, align = 64, mayAlias = [0, 1], tile = <outer = 0, inner = 1, edge = 64>, buffers = [#chi<buffer streaming>]>
// CHECK:         chi.load {{.*}} {prefetch}
// CHECK:         chi.store {{.*}} {buffer = 0 : i64}
// SMALL-LABEL: chi.task @transpose.t0
// SMALL-SAME:    tile = <outer = 0, inner = 1, edge = 64>, buffers = [#chi<buffer plain>]>
// SMALL:         chi.store {{.*}} {buffer = 0 : i64}
// The other way round the inner axis of the tile is the first one.
// CHECK-LABEL: chi.task @gathers.t0
// CHECK-SAME:    tile = <outer = 1, inner = 0, edge = 64>
!S = !chi.field<8192x8192xf32>
!T8 = !chi.field<8192xf32>
chi.task @transpose.t0(%a: !S, %b: !S) over 0 (%i: i32, %j: i32)
    attributes {cost = 8 : i64} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !S -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !S
  chi.next
}
chi.task @gathers.t0(%a: !S, %b: !S) over 0 (%i: i32, %j: i32)
    attributes {cost = 8 : i64} {
  %v = chi.load %a[%j, %i : i32, i32] inbounds : !S -> f32
  chi.store %v, %b[%i, %j : i32, i32] inbounds : f32, !S
  chi.next
}

// A table that is the same all along a row is no reason for tiles.
// CHECK-LABEL: chi.task @adds.t0
// CHECK-NOT:     tile
// CHECK:         chi.store {{.*}} {buffer = 0 : i64}
chi.task @adds.t0(%a: !S, %t: !T8) over 0 (%i: i32, %j: i32)
    attributes {cost = 8 : i64} {
  %v = chi.load %t[%i : i32] inbounds : !T8 -> f32
  chi.store %v, %a[%i, %j : i32, i32] inbounds : f32, !S
  chi.next
}

// With a check, iterations keep their order: no tiles.
// CHECK-LABEL: chi.task @checked.t0
// CHECK-NOT:     tile
// CHECK-NOT:     buffer
chi.task @checked.t0(%a: !S, %b: !S, %n: i32) over 0 (%i: i32, %j: i32)
    attributes {cost = 8 : i64} {
  %ok = arith.cmpi slt, %j, %n : i32
  chi.check assert %ok {what = "j < n"}
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !S -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !S
  chi.next
}
func.func @all(%x: !L, %y: !L, %z: !L, %v: !V, %g: !G, %t: !T, %a: !S, %b: !S, %t8: !T8,
               %s: f32, %c: i1, %k: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = arith.constant 16777216 : i32
  %half = arith.constant 8388608 : i32
  %r = arith.constant 4096 : i32
  %m = arith.constant 8192 : i32
  chi.launch @triad.t0(%x, %y, %z, %s : !L, !L, !L, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @saxpy.t0(%x, %y, %s : !L, !L, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @sometimes.t0(%x, %c : !L, i1) from (%c0 : i32) to (%n : i32)
  chi.launch @apart.t0(%x : !L) from (%c0 : i32) to (%half : i32)
  chi.launch @dear.t0(%x : !L) from (%c0 : i32) to (%n : i32)
  chi.launch @both.t0(%v, %s : !V, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @second.t0(%v, %s : !V, f32) from (%c0 : i32) to (%n : i32)
  chi.launch @repeats.t0(%g, %t : !G, !T) from (%c0, %c0 : i32, i32) to (%r, %m : i32, i32)
  chi.launch @wraps.t0(%g, %t : !G, !T) from (%c0, %c0 : i32, i32) to (%r, %m : i32, i32)
  chi.launch @transpose.t0(%a, %b : !S, !S) from (%c0, %c0 : i32, i32) to (%m, %m : i32, i32)
  chi.launch @gathers.t0(%a, %b : !S, !S) from (%c0, %c0 : i32, i32) to (%m, %m : i32, i32)
  chi.launch @adds.t0(%a, %t8 : !S, !T8) from (%c0, %c0 : i32, i32) to (%m, %m : i32, i32)
  chi.launch @checked.t0(%a, %b, %k : !S, !S, i32) from (%c0, %c0 : i32, i32) to (%m, %m : i32, i32)
  return
}
