// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --canonicalize --cse | FileCheck %s
// RUN: chi-opt %s --chi-schedule="without=distributed-sums" --convert-chi-to-loops --canonicalize --cse | FileCheck %s --check-prefix=WITHOUT

!F = !chi.field<4x100xf32>

// Two values, three accumulations: a piece of the row computes the values,
// then each accumulation has a loop, in which nothing else is left.
// CHECK-LABEL: func.func private @stencil.body(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: memref<?xf32>{{[^,]*}}, %[[P:[a-z0-9]*]]: memref<?xf32>
// CHECK-COUNT-2: memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK-NOT:   memref.alloca
// CHECK:       scf.for {{.*}} : i32 {
// CHECK:         memref.load %[[Q]]
// CHECK-COUNT-2: memref.store %{{.*}} : memref<1024xf32>
// CHECK-NOT:     memref.load
// CHECK:       scf.for {{.*}} : i32 {
// CHECK-NOT:     memref.load %[[Q]]
// CHECK:         %[[A:.*]] = memref.load %{{.*}} : memref<1024xf32>
// CHECK:         %[[OLD:.*]] = memref.load %[[P]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[OLD]], %[[A]]
// CHECK:         memref.store %[[SUM]], %[[P]]
// CHECK:       scf.for {{.*}} : i32 {
// CHECK:         memref.load %{{.*}} : memref<1024xf32>
// CHECK:         memref.store %{{.*}}, %[[P]]
// CHECK:       scf.for {{.*}} : i32 {
// CHECK:         memref.load %{{.*}} : memref<1024xf32>
// CHECK:         memref.store %{{.*}}, %[[P]]
// CHECK-NOT:   memref.store
// CHECK:       return
// WITHOUT-LABEL: @stencil.body(
// WITHOUT-NOT:   memref.alloca
// WITHOUT:       return
chi.task @stencil(%q: !F, %p: !F) over 0 (%i: i32, %j: i32)
    attributes {facts = #chi.facts<from = [= 0, = 1], to = [= 4, = 99], inputs = [?, ?], noalias = [0, 1]>} {
  %one = arith.constant 1 : i32
  %g = chi.load %q[%i, %j : i32, i32] inbounds : !F -> f32
  %h = arith.mulf %g, %g : f32
  %left = arith.subi %j, %one : i32
  %right = arith.addi %j, %one : i32
  chi.accum add %g, %p[%i, %left : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.accum add %h, %p[%i, %j : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.accum add %g, %p[%i, %right : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.next
}

// One accumulation waits for nothing; strict sums have an order; what goes
// where the data say does not walk along the row.
// CHECK-LABEL: @one.body(
// CHECK-NOT:   memref.alloca
// CHECK-LABEL: @ordered.body(
// CHECK-NOT:   memref.alloca
// CHECK-LABEL: @scattered.body(
// CHECK-NOT:   memref.alloca
chi.task @one(%q: !F, %p: !F) over 0 (%i: i32, %j: i32)
    attributes {facts = #chi.facts<from = [= 0, = 1], to = [= 4, = 99], inputs = [?, ?], noalias = [0, 1]>} {
  %g = chi.load %q[%i, %j : i32, i32] inbounds : !F -> f32
  chi.accum add %g, %p[%i, %j : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.next
}
chi.task @ordered(%q: !F, %p: !F) over 0 (%i: i32, %j: i32)
    attributes {strict, facts = #chi.facts<from = [= 0, = 1], to = [= 4, = 99], inputs = [?, ?], noalias = [0, 1]>} {
  %one = arith.constant 1 : i32
  %g = chi.load %q[%i, %j : i32, i32] inbounds : !F -> f32
  %right = arith.addi %j, %one : i32
  chi.accum add %g, %p[%i, %j : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.accum add %g, %p[%i, %right : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.next
}
chi.task @scattered(%q: !F, %p: !F, %k: !chi.field<4x100xi32>) over 0 (%i: i32, %j: i32)
    attributes {facts = #chi.facts<from = [= 0, = 1], to = [= 4, = 99], inputs = [?, ?, ?], noalias = [0, 1, 2]>} {
  %g = chi.load %q[%i, %j : i32, i32] inbounds : !F -> f32
  %to = chi.load %k[%i, %j : i32, i32] inbounds : !chi.field<4x100xi32> -> i32
  chi.accum add %g, %p[%i, %to : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.accum add %g, %p[%i, %j : i32, i32] inbounds strategy(privatized) : f32, !F
  chi.next
}
