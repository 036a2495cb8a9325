// Components that stay scalars. Each task differs in one respect from the first,
// whose three components become vectors.
// RUN: chi-opt %s --chi-pack-components | FileCheck %s --implicit-check-not="vector<"

!T = !chi.field<62xf32>

// CHECK-LABEL: chi.task @packed(
// CHECK:         chi.load %arg0[%arg3 : i32] inbounds {contiguous} : {{.*}} -> vector<3xf32>
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<3xf32>
// CHECK:         chi.to_int %{{.*}} inrange : vector<3xf32> -> vector<3xi32>
// CHECK-COUNT-3: vector.extract {{.*}} from vector<3xi32>
chi.task @packed(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// A task that is no loop.
// CHECK-LABEL: chi.task @serial(
chi.task @serial(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) () {
  %x0 = chi.load %x[%k : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%k : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%k : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// Its indices do not depend on data: chi-lanes takes more of it at once.
// CHECK-LABEL: chi.task @own(
chi.task @own(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%k : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// Elements of two components are too short.
// CHECK-LABEL: chi.task @two(
chi.task @two(%x: !chi.field<?x!chi.vec<2xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<2xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<2xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<2xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// Those of five are too long.
// CHECK-LABEL: chi.task @five(
chi.task @five(%x: !chi.field<?x!chi.vec<5xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<5xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<5xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<5xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// Components of f64 fill registers by themselves.
// CHECK-LABEL: chi.task @double(
chi.task @double(%x: !chi.field<?x!chi.vec<3xf64>>, %to: !chi.field<62xf64>, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf64>> -> f64
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf64>> -> f64
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf64>> -> f64
  %a0 = arith.mulf %x0, %x0 : f64
  %a1 = arith.mulf %x1, %x1 : f64
  %a2 = arith.mulf %x2, %x2 : f64
  %i0 = chi.to_int %a0 inrange : f64 -> i32
  %i1 = chi.to_int %a1 inrange : f64 -> i32
  %i2 = chi.to_int %a2 inrange : f64 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f64
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f64, !chi.field<62xf64>
  chi.next
}

// Components that lie apart.
// CHECK-LABEL: chi.task @planes(
chi.task @planes(%x: !chi.field<?x!chi.vec<3xf32>, soa>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>, soa> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// A load that may be outside.
// CHECK-LABEL: chi.task @unchecked(
chi.task @unchecked(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// Components of different elements.
// CHECK-LABEL: chi.task @elements(
chi.task @elements(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%k : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}

// A store between the loads.
// CHECK-LABEL: chi.task @stored(
chi.task @stored(%x: !chi.field<?x!chi.vec<3xf32>>, %to: !T, %k: i32) over 0 (%p: i32) {
  %x0 = chi.load %x[%p : i32] inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  chi.store %x0, %to[%k : i32] inbounds : f32, !T
  %x1 = chi.load %x[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %x2 = chi.load %x[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<3xf32>> -> f32
  %a0 = arith.mulf %x0, %x0 : f32
  %a1 = arith.mulf %x1, %x1 : f32
  %a2 = arith.mulf %x2, %x2 : f32
  %i0 = chi.to_int %a0 inrange : f32 -> i32
  %i1 = chi.to_int %a1 inrange : f32 -> i32
  %i2 = chi.to_int %a2 inrange : f32 -> i32
  %u = arith.addi %i0, %i1 : i32
  %w = arith.addi %u, %i2 : i32
  %one = arith.constant 1.0 : f32
  chi.accum add %one, %to[%w : i32] inbounds strategy(privatized) : f32, !T
  chi.next
}
