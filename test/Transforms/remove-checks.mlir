// RUN: chi-opt %s --chi-insert-checks --chi-remove-checks --split-input-file | FileCheck %s

// The five points of a stencil, inside of the border.
// CHECK-LABEL: chi.task @stencil.t0
// CHECK-NOT:   chi.check
// CHECK:       arith.subi %{{.*}} overflow<nsw>
// CHECK-NOT:   chi.check
// CHECK:       chi.next
func.func @stencil(%x: !chi.field<64x64xf32>, %y: !chi.field<64x64xf32>) attributes {chi.control} {
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  chi.launch @stencil.t0(%x, %y : !chi.field<64x64xf32>, !chi.field<64x64xf32>) from (%c1, %c1 : i32, i32) to (%c63, %c63 : i32, i32)
  return
}
chi.task @stencil.t0 (%x: !chi.field<64x64xf32>, %y: !chi.field<64x64xf32>) (%i: i32, %j: i32) {
  %c1 = arith.constant 1 : i32
  %im = arith.subi %i, %c1 : i32
  %ip = arith.addi %i, %c1 : i32
  %jm = arith.subi %j, %c1 : i32
  %jp = arith.addi %j, %c1 : i32
  %a = chi.load %x[%im, %j : i32, i32] : !chi.field<64x64xf32> -> f32
  %b = chi.load %x[%ip, %j : i32, i32] : !chi.field<64x64xf32> -> f32
  %c = chi.load %x[%i, %jm : i32, i32] : !chi.field<64x64xf32> -> f32
  %d = chi.load %x[%i, %jp : i32, i32] : !chi.field<64x64xf32> -> f32
  %ab = arith.addf %a, %b : f32
  %cd = arith.addf %c, %d : f32
  %s = arith.addf %ab, %cd : f32
  chi.store %s, %y[%i, %j : i32, i32] : f32, !chi.field<64x64xf32>
  chi.next
}

// -----

// Only one step less of border: the check of that side stays, no other.
// CHECK-LABEL: chi.task @border.t0
// CHECK-COUNT-1: chi.check
// CHECK-NOT:   chi.check
// CHECK:       chi.next
func.func @border(%x: !chi.field<64xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c63 = arith.constant 63 : i32
  chi.launch @border.t0(%x : !chi.field<64xf32>) from (%c0 : i32) to (%c63 : i32)
  return
}
chi.task @border.t0 (%x: !chi.field<64xf32>) (%i: i32) {
  %c1 = arith.constant 1 : i32
  %im = arith.subi %i, %c1 : i32
  %ip = arith.addi %i, %c1 : i32
  %a = chi.load %x[%ip : i32] : !chi.field<64xf32> -> f32
  %b = chi.load %x[%im : i32] : !chi.field<64xf32> -> f32
  chi.next
}

// -----

// A causal convolution: w[c, T - 1 - (t - u)] for u below t + 1.
// CHECK-LABEL: chi.task @conv.t0
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @conv.t0 (%w: !chi.field<768x768xf32>, %k: !chi.field<32x768x768xf32>, %out: !chi.field<32x768x768xf32>) over 2 (%b: i32, %c: i32, %t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c767 = arith.constant 767 : i32
  %zero = arith.constant 0.0 : f32
  %t1 = arith.addi %t, %c1 : i32
  %s = scf.for %u = %c0 to %t1 step %c1 iter_args(%a = %zero) -> (f32) : i32 {
    %d = arith.subi %t, %u : i32
    %e = arith.subi %c767, %d : i32
    %x = chi.load %w[%c, %e : i32, i32] : !chi.field<768x768xf32> -> f32
    %y = chi.load %k[%b, %c, %u : i32, i32, i32] : !chi.field<32x768x768xf32> -> f32
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %a, %p : f32
    scf.yield %n : f32
  }
  chi.store %s, %out[%b, %c, %t : i32, i32, i32] : f32, !chi.field<32x768x768xf32>
  chi.next
}

// -----

// The same with extents of run time: proved by the extents of the domain.
// CHECK-LABEL: chi.task @conv_dynamic.t0
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @conv_dynamic.t0 (%w: !chi.field<?xf32>, %n: i32) over 0 (%t: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %T = chi.dim %w, 0 : !chi.field<?xf32> -> i32
  %last = arith.subi %T, %c1 : i32
  %t1 = arith.addi %t, %c1 : i32
  scf.for %u = %c0 to %t1 step %c1 : i32 {
    %d = arith.subi %t, %u : i32
    %e = arith.subi %last, %d : i32
    %x = chi.load %w[%e : i32] : !chi.field<?xf32> -> f32
    %y = chi.load %w[%u : i32] : !chi.field<?xf32> -> f32
  }
  chi.next
}

// -----

// Clamped indices, by min and max and by comparisons.
// CHECK-LABEL: chi.task @clamped
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @clamped (%q: !chi.field<512x512xf32>, %k: i32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  %c511 = arith.constant 511 : i32
  %p = arith.addi %i, %k : i32
  %low = arith.maxsi %p, %c0 : i32
  %in = arith.minsi %low, %c511 : i32
  %a = chi.load %q[%in, %j : i32, i32] : !chi.field<512x512xf32> -> f32
  %isLow = arith.cmpi slt, %p, %c0 : i32
  %r = arith.select %isLow, %c0, %p : i32
  %isHigh = arith.cmpi sgt, %r, %c511 : i32
  %s = arith.select %isHigh, %c511, %r : i32
  %b = chi.load %q[%i, %s : i32, i32] : !chi.field<512x512xf32> -> f32
  chi.next
}

// -----

// Floor division and modulo by constants: the brick pattern.
// CHECK-LABEL: chi.task @bricks
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @bricks (%out: !chi.field<4144x8224xf32>, %tile: !chi.field<48x32xf32>) over 0 (%row: i32, %col: i32) {
  %c10 = arith.constant 10 : i32
  %c32 = arith.constant 32 : i32
  %c47 = arith.constant 47 : i32
  %c48 = arith.constant 48 : i32
  %c4096 = arith.constant 4096 : i32
  %c6191 = arith.constant 6191 : i32
  %x1 = arith.subi %col, %c4096 : i32
  %y1 = arith.subi %c6191, %row : i32
  %v = chi.floordiv %y1, %c48 : i32
  %v10 = arith.muli %v, %c10 : i32
  %xs = arith.subi %x1, %v10 : i32
  %u = chi.floordiv %xs, %c32 : i32
  %u32 = arith.muli %u, %c32 : i32
  %x2a = arith.subi %x1, %u32 : i32
  %x2 = arith.subi %x2a, %v10 : i32
  %v48 = arith.muli %v, %c48 : i32
  %y2 = arith.subi %y1, %v48 : i32
  %r = arith.subi %c47, %y2 : i32
  %e = chi.load %tile[%r, %x2 : i32, i32] : !chi.field<48x32xf32> -> f32
  chi.store %e, %out[%row, %col : i32, i32] : f32, !chi.field<4144x8224xf32>
  chi.next
}

// -----

// Guards: nested, joined, of a short-circuit and.
// CHECK-LABEL: chi.task @guarded
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @guarded (%x: !chi.field<?x?xf32>, %p: i32, %q: i32) (%k: i32) {
  %c0 = arith.constant 0 : i32
  %false = arith.constant false
  %gx = chi.dim %x, 0 : !chi.field<?x?xf32> -> i32
  %gy = chi.dim %x, 1 : !chi.field<?x?xf32> -> i32
  %d = arith.addi %p, %k : i32
  %a = arith.cmpi sle, %c0, %d : i32
  %b = arith.cmpi slt, %d, %gx : i32
  %ab = arith.andi %a, %b : i1
  %both = scf.if %ab -> (i1) {
    %c = arith.cmpi sge, %q, %c0 : i32
    %more = scf.if %c -> (i1) {
      %e = arith.cmpi slt, %q, %gy : i32
      scf.yield %e : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %more : i1
  } else {
    scf.yield %false : i1
  }
  scf.if %both {
    %v = chi.load %x[%d, %q : i32, i32] : !chi.field<?x?xf32> -> f32
  }
  chi.next
}

// -----

// What is left of a guard by its other branch does not hold in it.
// CHECK-LABEL: chi.task @wrong_guard
// CHECK:       scf.if
// CHECK:         chi.check
// CHECK:       else
// CHECK-NOT:     chi.check
// CHECK:       chi.next
chi.task @wrong_guard (%x: !chi.field<8xf32>, %p: i32) (%k: i32) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %a = arith.cmpi slt, %p, %c0 : i32
  %b = arith.cmpi sge, %p, %c8 : i32
  %ab = arith.ori %a, %b : i1
  scf.if %ab {
    %v = chi.load %x[%p : i32] : !chi.field<8xf32> -> f32
  } else {
    %v = chi.load %x[%p : i32] : !chi.field<8xf32> -> f32
  }
  chi.next
}

// -----

// Sums of 32 bits wrap: i + 2000000000 - 2000000000 is not known to be i, but
// i + k - k for a k that keeps it small is.
// CHECK-LABEL: chi.task @wrap
// CHECK:       chi.check
// CHECK:       chi.load
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @wrap (%x: !chi.field<1000000000xi8>, %y: !chi.field<8xi8>) over 0 (%i: i32) {
  %big = arith.constant 2000000000 : i32
  %a = arith.addi %i, %big : i32
  %c1 = arith.constant 1 : i32
  %b = arith.shrsi %a, %c1 : i32
  %v = chi.load %x[%b : i32] : !chi.field<1000000000xi8> -> i8
  %small = arith.constant 5 : i32
  %p = arith.addi %i, %small : i32
  %q = arith.subi %p, %small : i32
  %w = chi.load %x[%q : i32] : !chi.field<1000000000xi8> -> i8
  chi.next
}

// -----

// Bytes index a table of 256.
// CHECK-LABEL: chi.task @histogram
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @histogram (%data: !chi.field<?xi8>, %h: !chi.field<256xi32>, %one: i32) over 0 (%i: i32) {
  %b = chi.load %data[%i : i32] : !chi.field<?xi8> -> i8
  %k = arith.extui %b : i8 to i32
  chi.accum add %one, %h[%k : i32] : i32, !chi.field<256xi32>
  chi.next
}

// -----

// A counter that a loop carries under a guard, and a while loop.
// CHECK-LABEL: chi.task @counter
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @counter (%nb: !chi.field<16x100xi32>, %x: !chi.field<?xf32>, %m: i32) over 0 (%p: i32, %r: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %n = scf.for %s = %c0 to %m step %c1 iter_args(%count = %c0) -> (i32) : i32 {
    %fits = arith.cmpi slt, %count, %c100 : i32
    %next = scf.if %fits -> (i32) {
      chi.store %s, %nb[%p, %count : i32, i32] : i32, !chi.field<16x100xi32>
      %more = arith.addi %count, %c1 : i32
      scf.yield %more : i32
    } else {
      scf.yield %count : i32
    }
    scf.yield %next : i32
  }
  %extent = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  %end = scf.while (%k = %c0) : (i32) -> (i32) {
    %go = arith.cmpi slt, %k, %extent : i32
    scf.condition(%go) %k : i32
  } do {
  ^bb0(%k: i32):
    %v = chi.load %x[%k : i32] : !chi.field<?xf32> -> f32
    %k1 = arith.addi %k, %c1 : i32
    scf.yield %k1 : i32
  }
  chi.next
}

// -----

// Nodes round a place that is computed from data, in an unrolled loop: one
// check. Two places of the source keep theirs (below).
// CHECK-LABEL: chi.task @nodes
// CHECK:       %[[BASE:.*]] = arith.fptosi
// CHECK:       arith.cmpi ult, %[[BASE]], %c126_i32
// CHECK:       chi.check bounds
// CHECK-NOT:   chi.check
// CHECK:       arith.addi %[[BASE]], {{.*}} overflow<nsw>
// CHECK-NOT:   chi.check
// CHECK:       chi.next
chi.task @nodes (%x: !chi.field<8192xf32>, %g: !chi.field<128xf32>) over 0 (%p: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %v = chi.load %x[%p : i32] : !chi.field<8192xf32> -> f32
  %base = arith.fptosi %v : f32 to i32
  chi.accum add %v, %g[%base : i32] : f32, !chi.field<128xf32> loc(#access)
  %b1 = arith.addi %base, %c1 : i32
  chi.accum add %v, %g[%b1 : i32] : f32, !chi.field<128xf32> loc(#access)
  %b2 = arith.addi %base, %c2 : i32
  chi.accum add %v, %g[%b2 : i32] : f32, !chi.field<128xf32> loc(#access)
  chi.next
}
#access = loc("nodes.chi":5:9 to :30)

// -----

// An assertion between them keeps them apart.
// CHECK-LABEL: chi.task @asserted
// CHECK:       chi.check bounds
// CHECK:       chi.check assert
// CHECK:       chi.check bounds
chi.task @asserted (%g: !chi.field<128xf32>, %base: i32, %v: f32, %ok: i1) () {
  %c1 = arith.constant 1 : i32
  chi.store %v, %g[%base : i32] : f32, !chi.field<128xf32>
  chi.check assert %ok {what = "ok"}
  %b1 = arith.addi %base, %c1 : i32
  chi.store %v, %g[%b1 : i32] : f32, !chi.field<128xf32>
  chi.next
}

// -----

// A row that starts somewhere is checked before the loop, at both ends.
// CHECK-LABEL: chi.task @row
// CHECK:       chi.check bounds
// CHECK-NOT:   chi.check
// CHECK:       scf.for
// CHECK-NOT:   chi.check
// CHECK:         %[[I:.*]] = arith.addi {{.*}} overflow<nsw> : i64
// CHECK:         chi.load %{{.*}}[%[[I]] : i64] inbounds
// CHECK:       chi.next
chi.task @row (%x: !chi.field<1000xf32>, %start: i32, %n: i32) (%p: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) : i32 {
    %i = arith.addi %start, %k : i32
    %v = chi.load %x[%i : i32] {chi.name = "x"} : !chi.field<1000xf32> -> f32
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  chi.next
}

// -----

// Not out of a branch of the loop, and not over a print.
// CHECK-LABEL: chi.task @stays
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK:           chi.check bounds
// CHECK:       scf.for
// CHECK:         chi.print
// CHECK:         chi.check bounds
chi.task @stays (%x: !chi.field<1000xf32>, %start: i32, %n: i32, %b: i1) (%p: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %i = arith.addi %start, %k : i32
    scf.if %b {
      %v = chi.load %x[%i : i32] : !chi.field<1000xf32> -> f32
    }
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %i = arith.addi %start, %k : i32
    chi.print ["go"]
    %v = chi.load %x[%i : i32] : !chi.field<1000xf32> -> f32
  }
  chi.next
}

// -----

// A captured number that every launch takes from the extent of the field.
// CHECK-LABEL: chi.task @captured.t0
// CHECK-NOT:   chi.check
// CHECK:       chi.next
func.func @captured(%x: !chi.field<?xf32>, %m: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %n = chi.dim %x, 0 : !chi.field<?xf32> -> i32
  chi.launch @captured.t0(%x, %n : !chi.field<?xf32>, i32) from (%c0 : i32) to (%m : i32)
  return
}
chi.task @captured.t0 (%x: !chi.field<?xf32>, %n: i32) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %v = chi.load %x[%j : i32] : !chi.field<?xf32> -> f32
  }
  chi.next
}

// -----

// A lattice with a periodic axis.
// CHECK-LABEL: chi.task @lattice.t0
// CHECK-NOT:   chi.check
// CHECK:       chi.next
func.func @lattice(%f: !chi.field<801x201x!chi.vec<9xf32>, soa>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c800 = arith.constant 800 : i32
  %c201 = arith.constant 201 : i32
  chi.launch @lattice.t0(%f : !chi.field<801x201x!chi.vec<9xf32>, soa>) from (%c1, %c0 : i32, i32) to (%c800, %c201 : i32, i32)
  return
}
chi.task @lattice.t0 (%f: !chi.field<801x201x!chi.vec<9xf32>, soa>) (%i: i32, %j: i32) {
  %m1 = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c201 = arith.constant 201 : i32
  %s = arith.subi %i, %m1 : i32
  %jj = arith.subi %j, %c1 : i32
  %t = chi.floormod %jj, %c201 : i32
  %v = chi.load %f[%s, %t : i32, i32] component 4 : !chi.field<801x201x!chi.vec<9xf32>, soa> -> f32
  chi.next
}

// -----

// In host code the checks of overflow go where the numbers are small.
// CHECK-LABEL: func.func @host
// CHECK-NOT:   chi.check
// CHECK:       return
func.func @host() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %true = arith.constant true
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    %over = chi.overflow mul %k, %k : i32
    %ok = arith.xori %over, %true : i1
    chi.check overflow %ok (%k, %k : i32, i32)
  }
  return
}

// -----

// CHECK-LABEL: chi.task @places
// CHECK-COUNT-2: chi.check bounds
// CHECK:       chi.next
chi.task @places (%g: !chi.field<128xf32>, %base: i32, %v: f32) () {
  %c1 = arith.constant 1 : i32
  chi.store %v, %g[%base : i32] : f32, !chi.field<128xf32>
  %b1 = arith.addi %base, %c1 : i32
  chi.store %v, %g[%b1 : i32] : f32, !chi.field<128xf32>
  chi.next
}
