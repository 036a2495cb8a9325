// RUN: chi-opt %s --chi-launch-facts --chi-insert-checks --chi-remove-checks --split-input-file | FileCheck %s

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
