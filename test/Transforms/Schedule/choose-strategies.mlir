// RUN: chi-opt %s --chi-launch-facts --chi-choose-strategies | FileCheck %s
// RUN: chi-opt %s --chi-launch-facts --chi-order-sums --chi-choose-strategies=without=fast-math | FileCheck %s --check-prefix=STRICT

func.func @k(%x: !chi.field<8192xf32>, %h: !chi.field<256xf32>, %s: !chi.field<f32>, %g: !chi.field<64x64x!chi.vec<2xf32>>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  chi.launch @flat(%x : !chi.field<8192xf32>) from (%c0, %c0 : i32, i32) to (%c16, %c16 : i32, i32)
  return
}

// One's own element.
// CHECK-LABEL: chi.task @own
// CHECK:       chi.accum add {{.*}} strategy(plain)
// CHECK:       chi.accum mul {{.*}} strategy(plain)
chi.task @own (%x: !chi.field<?xf32>, %v: f32) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.accum mul %v, %x[%i : i32] : f32, !chi.field<?xf32>
  %a = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
  chi.next
}

// Numbers of a row-major order are one's own if the rows do not overlap.
// CHECK-LABEL: chi.task @flat
// CHECK:       chi.accum add {{.*}} strategy(plain)
// CHECK-LABEL: chi.task @narrow
// CHECK:       chi.accum add {{.*}} strategy(privatized)
chi.task @flat (%x: !chi.field<8192xf32>) (%i: i32, %j: i32) {
  %c16 = arith.constant 16 : i32
  %v = arith.constant 1.0 : f32
  %r = arith.muli %i, %c16 : i32
  %p = arith.addi %r, %j : i32
  chi.accum add %v, %x[%p : i32] : f32, !chi.field<8192xf32>
  chi.next
}
chi.task @narrow (%x: !chi.field<8192xf32>, %d: !chi.field<16x16xf32>) over 1 (%i: i32, %j: i32) {
  %c15 = arith.constant 15 : i32
  %v = arith.constant 1.0 : f32
  %r = arith.muli %i, %c15 : i32
  %p = arith.addi %r, %j : i32
  chi.accum add %v, %x[%p : i32] : f32, !chi.field<8192xf32>
  chi.next
}

// A scalar is summed in a tree; if it is read, one by one.
// CHECK-LABEL: chi.task @scalar
// CHECK:       chi.accum add {{.*}} strategy(deterministic)
// CHECK:       chi.accum max {{.*}} strategy(deterministic)
// CHECK:       chi.accum add {{.*}} strategy(atomic)
chi.task @scalar (%x: !chi.field<8xf32>, %s: !chi.field<f32>, %m: !chi.field<f32>, %r: !chi.field<f32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.accum max %v, %m[] : f32, !chi.field<f32>
  chi.accum add %v, %r[] : f32, !chi.field<f32>
  %old = chi.load %r[] : !chi.field<f32> -> f32
  chi.next
}

// A histogram, and the nodes round a particle: private copies. Where the task
// also reads, or updates in two ways: atomic.
// CHECK-LABEL: chi.task @scatter
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK:       chi.accum add {{.*}} strategy(atomic)
// CHECK:       chi.accum min {{.*}} strategy(atomic)
chi.task @scatter (%k: !chi.field<8xi32>, %h: !chi.field<256xf32>, %g: !chi.field<?xf32>) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  %j = chi.load %k[%i : i32] : !chi.field<8xi32> -> i32
  %j1 = arith.addi %j, %c1 : i32
  chi.accum add %v, %h[%j : i32] : f32, !chi.field<256xf32>
  chi.accum add %v, %h[%j1 : i32] : f32, !chi.field<256xf32>
  chi.accum add %v, %g[%j : i32] : f32, !chi.field<?xf32>
  chi.accum min %v, %g[%j1 : i32] : f32, !chi.field<?xf32>
  chi.next
}

// The neighbour's element is not one's own, though each alone is injective.
// Components are apart.
// CHECK-LABEL: chi.task @shifted
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK-LABEL: chi.task @components
// CHECK:       chi.accum add {{.*}} strategy(plain)
// CHECK:       chi.accum min {{.*}} strategy(plain)
chi.task @shifted (%x: !chi.field<?xf32>, %v: f32) over 0 (%i: i32) {
  %c1 = arith.constant 1 : i32
  %p = arith.addi %i, %c1 overflow<nsw> : i32
  chi.accum add %v, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.accum add %v, %x[%p : i32] : f32, !chi.field<?xf32>
  chi.next
}
chi.task @components (%x: !chi.field<?x!chi.vec<2xf32>>, %v: f32) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] component 0 : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.accum min %v, %x[%i : i32] component 1 : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}

// One axis of the two is missing.
// CHECK-LABEL: chi.task @rows
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK-LABEL: chi.task @inner
// CHECK:       chi.accum add {{.*}} strategy(plain)
// CHECK:       chi.accum add {{.*}} strategy(privatized)
chi.task @rows (%d: !chi.field<8x8xf32>, %x: !chi.field<8xf32>, %v: f32) over 0 (%i: i32, %j: i32) {
  chi.accum add %v, %x[%j : i32] : f32, !chi.field<8xf32>
  chi.next
}
chi.task @inner (%d: !chi.field<8x8xf32>, %x: !chi.field<8xf32>, %v: f32, %n: i32) over 1 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    chi.accum add %v, %d[%i, %k : i32, i32] : f32, !chi.field<8x8xf32>
    %p = arith.addi %i, %k : i32
    chi.accum add %v, %x[%p : i32] : f32, !chi.field<8xf32>
  }
  chi.next
}

// One iteration at a time.
// CHECK-LABEL: chi.task @serial
// CHECK:       chi.accum add {{.*}} strategy(plain)
chi.task @serial (%s: !chi.field<f32>, %v: f32) () {
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.next
}

// A component that each iteration finds for itself is not one place; one that
// the task captures is.
// CHECK-LABEL: chi.task @component
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// CHECK:       chi.accum add {{.*}} dynamic({{.*}} strategy(deterministic)
// CHECK:       chi.accum add {{.*}} component 2 strategy(deterministic)
chi.task @component (%x: !chi.field<8xf32>, %r: !chi.field<!chi.vec<3xf32>>, %s: !chi.field<!chi.vec<3xf32>>, %t: !chi.field<!chi.vec<3xf32>>, %k: i32) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] : !chi.field<8xf32> -> f32
  %three = arith.constant 3 : i32
  %own = arith.remui %i, %three : i32
  chi.accum add %v, %r[] dynamic(%own : i32) : f32, !chi.field<!chi.vec<3xf32>>
  chi.accum add %v, %s[] dynamic(%k : i32) : f32, !chi.field<!chi.vec<3xf32>>
  chi.accum add %v, %t[] component 2 : f32, !chi.field<!chi.vec<3xf32>>
  chi.next
}

// A strict task adds floats to shared elements in the order of its iterations,
// which one worker takes. Integers, and what is least, need no order.
// CHECK-LABEL: chi.task @shared
// CHECK:       chi.accum add {{.*}} strategy(privatized)
// STRICT-LABEL: chi.task @own
// STRICT-NOT:   chi.ordered
// STRICT-LABEL: chi.task @flat
// STRICT-LABEL: chi.task @shared
// STRICT-SAME:  chi.ordered
// STRICT:       chi.accum add {{.*}} strategy(plain)
// STRICT:       chi.accum add {{.*}} strategy(deterministic)
// STRICT-LABEL: chi.task @needless
// STRICT-NOT:   chi.ordered
// STRICT:       chi.accum add {{.*}} strategy(privatized)
// STRICT:       chi.accum min {{.*}} strategy(privatized)
chi.task @shared (%y: !chi.field<?xf32>, %key: !chi.field<?xi32>, %s: !chi.field<f32>, %v: f32) over 1 (%i: i32) {
  %k = chi.load %key[%i : i32] : !chi.field<?xi32> -> i32
  chi.accum add %v, %y[%k : i32] : f32, !chi.field<?xf32>
  chi.accum add %v, %s[] : f32, !chi.field<f32>
  chi.next
}
chi.task @needless (%y: !chi.field<?xi32>, %key: !chi.field<?xi32>, %m: !chi.field<?xf32>, %v: f32) over 1 (%i: i32) {
  %k = chi.load %key[%i : i32] : !chi.field<?xi32> -> i32
  chi.accum add %k, %y[%k : i32] : i32, !chi.field<?xi32>
  chi.accum min %v, %m[%k : i32] : f32, !chi.field<?xf32>
  chi.next
}
