// RUN: chi-opt %s --chi-launch-facts --chi-task-effects | FileCheck %s
// Which fields a task reads, writes and overwrites as a whole.

// A loop over y stores all of it, and looks at x only.
// CHECK: chi.task @copy{{.*}}effects = #chi.effects<reads = [0], writes = [1], overwrites = [1]>
chi.task @copy(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 1 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// Over x, whose extent y need not have.
// CHECK: chi.task @partly{{.*}}effects = #chi.effects<reads = [0], writes = [1]>
chi.task @partly(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// Equal extents that the types know.
// CHECK: chi.task @sized{{.*}}effects = #chi.effects<reads = [0], writes = [1], overwrites = [1]>
chi.task @sized(%x: !chi.field<8x4xf32>, %y: !chi.field<8x4xf32>) over 0 (%i: i32, %j: i32) {
  %v = chi.load %x[%i, %j : i32, i32] inbounds : !chi.field<8x4xf32> -> f32
  chi.store %v, %y[%i, %j : i32, i32] inbounds : f32, !chi.field<8x4xf32>
  chi.next
}

// A transposed store goes over a square; but not by the iteration's own indices.
// CHECK: chi.task @transposed{{.*}}effects = #chi.effects<writes = [0]>
chi.task @transposed(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32) {
  %c = arith.constant 1.0 : f32
  chi.store %c, %x[%j, %i : i32, i32] inbounds : f32, !chi.field<8x8xf32>
  chi.next
}

// One of two components, or under a condition, or beside a load: not all.
// CHECK: chi.task @component{{.*}}effects = #chi.effects<writes = [0]>
chi.task @component(%x: !chi.field<?x!chi.vec<2xf32>>) over 0 (%i: i32) {
  %c = arith.constant 1.0 : f32
  chi.store %c, %x[%i : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}

// CHECK: chi.task @components{{.*}}effects = #chi.effects<writes = [0], overwrites = [0]>
chi.task @components(%x: !chi.field<?x!chi.vec<2xf32>>) over 0 (%i: i32) {
  %c = arith.constant 1.0 : f32
  chi.store %c, %x[%i : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.store %c, %x[%i : i32] inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}

// CHECK: chi.task @guarded{{.*}}effects = #chi.effects<writes = [0]>
chi.task @guarded(%x: !chi.field<?xf32>, %ok: i1) over 0 (%i: i32) {
  %c = arith.constant 1.0 : f32
  scf.if %ok {
    chi.store %c, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  }
  chi.next
}

// CHECK: chi.task @again{{.*}}effects = #chi.effects<reads = [0], writes = [0]>
chi.task @again(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %c = arith.constant 1.0 : f32
  %v = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %w = arith.addf %v, %c : f32
  chi.store %w, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// Accumulations and atomics need what was there.
// CHECK: chi.task @updated{{.*}}effects = #chi.effects<reads = [0, 2], writes = [0, 2]>
chi.task @updated(%x: !chi.field<?xf32>, %v: f32, %n: !chi.field<i32>) over 0 (%i: i32) {
  %one = arith.constant 1 : i32
  chi.accum add %v, %x[%i : i32] inbounds strategy(plain) : f32, !chi.field<?xf32>
  %old = chi.atomic add %one, %n[] inbounds : i32, !chi.field<i32> -> i32
  chi.next
}

// By the bounds of its only launch, which are those of the type.
// CHECK: chi.task @ranged{{.*}}effects = #chi.effects<writes = [0], overwrites = [0]>
chi.task @ranged(%x: !chi.field<8xf32>) (%i: i32) {
  %c = arith.constant 1.0 : f32
  chi.store %c, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
// CHECK: chi.task @short{{.*}}effects = #chi.effects<writes = [0]>
chi.task @short(%x: !chi.field<8xf32>) (%i: i32) {
  %c = arith.constant 1.0 : f32
  chi.store %c, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
func.func @k(%x: !chi.field<8xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @ranged(%x : !chi.field<8xf32>) from (%c0 : i32) to (%c8 : i32)
  chi.launch @short(%x : !chi.field<8xf32>) from (%c1 : i32) to (%c8 : i32)
  return
}
