// Accumulations that stay apart. Each task differs in one respect from the first,
// whose four become one of a vector.
// RUN: chi-opt %s --chi-slp | FileCheck %s --implicit-check-not="vector<"

!N = !chi.field<?xi32>
!V = !chi.field<?x!chi.vec<4xf32>>

// CHECK-LABEL: chi.task @packed(
// CHECK:         chi.load %arg1[%arg3 : i32] inbounds {contiguous} : {{.*}} -> vector<4xf32>
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:         chi.accum add %{{.*}} {contiguous} : vector<4xf32>
chi.task @packed(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : f32, !V
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !V
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !V
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : f32, !V
  chi.next
}

// Atomics are of one scalar each.
// CHECK-LABEL: chi.task @atomic(
chi.task @atomic(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(atomic) : f32, !V
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(atomic) : f32, !V
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(atomic) : f32, !V
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(atomic) : f32, !V
  chi.next
}

// Their place is no data: chi-lanes does several iterations at once.
// CHECK-LABEL: chi.task @own(
chi.task @own(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%p : i32] inbounds strategy(privatized) : f32, !V
  chi.accum add %y1, %to[%p : i32] component 1 inbounds strategy(privatized) : f32, !V
  chi.accum add %y2, %to[%p : i32] component 2 inbounds strategy(privatized) : f32, !V
  chi.accum add %y3, %to[%p : i32] component 3 inbounds strategy(privatized) : f32, !V
  chi.next
}

// Integers.
// CHECK-LABEL: chi.task @integers(
chi.task @integers(%at: !N, %v: !chi.field<?x!chi.vec<4xi32>>, %to: !chi.field<?x!chi.vec<4xi32>>) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<4xi32>> -> i32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xi32>> -> i32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xi32>> -> i32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xi32>> -> i32
  %y0 = arith.muli %x0, %x0 : i32
  %y1 = arith.muli %x1, %x1 : i32
  %y2 = arith.muli %x2, %x2 : i32
  %y3 = arith.muli %x3, %x3 : i32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : i32, !chi.field<?x!chi.vec<4xi32>>
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : i32, !chi.field<?x!chi.vec<4xi32>>
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : i32, !chi.field<?x!chi.vec<4xi32>>
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : i32, !chi.field<?x!chi.vec<4xi32>>
  chi.next
}

// Two are sums, two are extremes.
// CHECK-LABEL: chi.task @kinds(
chi.task @kinds(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : f32, !V
  chi.accum max %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !V
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !V
  chi.accum max %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : f32, !V
  chi.next
}

// Accesses that a check of races records one by one.
// CHECK-LABEL: chi.task @marked(
chi.task @marked(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) {race_kind = 3 : i32, field_name = "to"} : f32, !V
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) {race_kind = 3 : i32, field_name = "to"} : f32, !V
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) {race_kind = 3 : i32, field_name = "to"} : f32, !V
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) {race_kind = 3 : i32, field_name = "to"} : f32, !V
  chi.next
}

// A field of unknown order: its scalars may lie apart.
// CHECK-LABEL: chi.task @strided(
chi.task @strided(%at: !N, %v: !chi.field<?x!chi.vec<4xf32>, order = ?>, %to: !chi.field<?x!chi.vec<4xf32>, order = ?>) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<4xf32>, order = ?> -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xf32>, order = ?> -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xf32>, order = ?> -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xf32>, order = ?> -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, order = ?>
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, order = ?>
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, order = ?>
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, order = ?>
  chi.next
}

// Components in planes of their own.
// CHECK-LABEL: chi.task @planes(
chi.task @planes(%at: !N, %v: !chi.field<?x!chi.vec<4xf32>, soa>, %to: !chi.field<?x!chi.vec<4xf32>, soa>) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !chi.field<?x!chi.vec<4xf32>, soa> -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !chi.field<?x!chi.vec<4xf32>, soa> -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !chi.field<?x!chi.vec<4xf32>, soa> -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !chi.field<?x!chi.vec<4xf32>, soa> -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, soa>
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, soa>
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, soa>
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : f32, !chi.field<?x!chi.vec<4xf32>, soa>
  chi.next
}

// A print between them may come after two of them only.
// CHECK-LABEL: chi.task @printed(
chi.task @printed(%at: !N, %v: !V, %to: !V) over 1 (%p: i32) {
  %i = chi.load %at[%p : i32] inbounds : !N -> i32
  %x0 = chi.load %v[%p : i32] inbounds : !V -> f32
  %x1 = chi.load %v[%p : i32] component 1 inbounds : !V -> f32
  %x2 = chi.load %v[%p : i32] component 2 inbounds : !V -> f32
  %x3 = chi.load %v[%p : i32] component 3 inbounds : !V -> f32
  %y0 = arith.mulf %x0, %x0 : f32
  %y1 = arith.mulf %x1, %x1 : f32
  %y2 = arith.mulf %x2, %x2 : f32
  %y3 = arith.mulf %x3, %x3 : f32
  chi.accum add %y0, %to[%i : i32] inbounds strategy(privatized) : f32, !V
  chi.accum add %y1, %to[%i : i32] component 1 inbounds strategy(privatized) : f32, !V
  chi.print ["half"]
  chi.accum add %y2, %to[%i : i32] component 2 inbounds strategy(privatized) : f32, !V
  chi.accum add %y3, %to[%i : i32] component 3 inbounds strategy(privatized) : f32, !V
  chi.next
}
