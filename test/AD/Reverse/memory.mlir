// Adjoints of fields and of arrays: their types, and what each access does.
// RUN: chi-opt %s --chi-differentiate=all | FileCheck %s

!F = !chi.field<?xf32>

// A field of halves has adjoints in f32; layout and order are its own.
// CHECK-LABEL: chi.task @halves.adj(
// CHECK-SAME:    %arg2: !chi.field<8xf32>, %arg3: !chi.field<?x!chi.vec<2xf32>, soa>)
// CHECK:         %[[G:.*]] = chi.load %arg3[%[[I:.*]] : i32] component 1 inbounds : {{.*}} -> f32
// CHECK-NEXT:    chi.store %cst{{.*}}, %arg3[%[[I]] : i32] component 1
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         arith.mulf %[[G]], %[[A]] : f32
// CHECK:         chi.accum add %{{.*}}, %arg2[%[[I]] : i32] inbounds : f32
chi.task @halves(%x: !chi.field<8xf16>, %y: !chi.field<?x!chi.vec<2xf16>, soa>) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !chi.field<8xf16> -> f16
  %b = arith.mulf %a, %a : f16
  chi.store %b, %y[%i : i32] component 1 inbounds : f16, !chi.field<?x!chi.vec<2xf16>, soa>
  chi.next
}

// A field in another type: so is its adjoint.
// CHECK-LABEL: chi.task @cast.adj(
// CHECK:         %[[ADJ:.*]] = chi.cast_field %arg2 : <?xf32> to <8xf32>
// CHECK:         %[[G:.*]] = chi.load %arg3[
// CHECK:         chi.accum add %[[G]], %[[ADJ]][
chi.task @cast(%x: !F, %y: !F) over 0 (%i: i32) {
  %same = chi.cast_field %x : !F to !chi.field<8xf32>
  %a = chi.load %same[%i : i32] inbounds : !chi.field<8xf32> -> f32
  chi.accum add %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// The name of a field, and axes without a sign, are those of the access: both
// are for errors and for the width of an index.
// CHECK-LABEL: chi.task @named.adj(
// CHECK:         chi.load %arg3[{{.*}}field_name = "y"
// CHECK:         chi.accum add %{{.*}}, %arg2[{{.*}}field_name = "x", unsigned_axes = 1 : i64
chi.task @named(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds {field_name = "x", unsigned_axes = 1 : i64} : !F -> f32
  chi.accum add %a, %y[%i : i32] inbounds {field_name = "y"} : f32, !F
  chi.next
}

// A local array has an array of adjoints: a read adds, a write takes the
// adjoint away. It is made where the array is.
// CHECK-LABEL: chi.task @array.adj(
// CHECK:         chi.local "l" : <4xf32>
// CHECK:         %[[ADJ:.*]] = chi.local "l" : <4xf32>
// CHECK:         %[[G:.*]] = chi.load %arg4[
// CHECK:         %[[OLD:.*]] = chi.get %[[ADJ]][%arg2 : i32]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[OLD]], %[[G]]
// CHECK-NEXT:    chi.set %[[SUM]], %[[ADJ]][%arg2 : i32]
// CHECK-NEXT:    %[[A:.*]] = chi.get %[[ADJ]][%c0_i32 : i32]
// CHECK-NEXT:    chi.set %cst, %[[ADJ]][%c0_i32 : i32]
// CHECK-NEXT:    chi.accum add %[[A]], %arg3[
chi.task @array(%x: !F, %y: !F, %k: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %l = chi.local "l" : <4xf32>
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.set %a, %l[%c0 : i32] : f32, !chi.local<4xf32>
  %b = chi.get %l[%k : i32] : !chi.local<4xf32> -> f32
  chi.accum add %b, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// An array of each iteration of a loop, too.
// CHECK-LABEL: chi.task @inner.adj(
// CHECK:         scf.for
// CHECK:           chi.local "l" : <4xf16>
// CHECK:         scf.for
// CHECK:           %[[ADJ:.*]] = chi.local "l" : <4xf32>
// CHECK:           chi.set %{{.*}}, %[[ADJ]]
// CHECK:         chi.next
chi.task @inner(%x: !chi.field<8xf16>, %y: !chi.field<8xf16>, %n: i32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %j = %c0 to %n step %c1 : i32 {
    %l = chi.local "l" : <4xf16>
    %a = chi.load %x[%j : i32] inbounds : !chi.field<8xf16> -> f16
    chi.set %a, %l[%c0 : i32] : f16, !chi.local<4xf16>
    %b = chi.get %l[%c1 : i32] : !chi.local<4xf16> -> f16
    %c = arith.mulf %b, %b : f16
    chi.accum add %c, %y[%j : i32] inbounds : f16, !chi.field<8xf16>
  }
  chi.next
}

// Adjoints are apart from all where their fields are: by noalias, or as the
// cells of a run-time check.
// CHECK-LABEL: chi.task @facts.adj(
// CHECK-SAME:    facts = #chi.facts<from = [?], to = [?], inputs = [?, 0 to 9, ?, ?, ?, ?, ?], noalias = [0, 4, 6], cells = [3]>
chi.task @facts(%x: !F, %n: i32, %y: !F, %z: !F) over 0 (%i: i32)
    attributes {facts = #chi.facts<from = [?], to = [?], inputs = [?, 0 to 9, ?, ?], noalias = [0], cells = [3]>} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %y[%n : i32] inbounds : f32, !F
  chi.store %a, %z[%i : i32] inbounds : f32, !F
  chi.next
}

// Known effects of a task are not those of its adjoint.
// CHECK-LABEL: chi.task @effects(
// CHECK-SAME:    effects =
// CHECK-LABEL: chi.task @effects.adj(
// CHECK-NOT:     effects =
// CHECK:         chi.next
chi.task @effects(%x: !F, %y: !F) over 0 (%i: i32) attributes {effects = #chi.effects<reads = [0], writes = [1], overwrites = [1]>} {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %a, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A task that writes no float has no adjoint.
// CHECK-LABEL: chi.task @reads(
// CHECK-NOT:     adjoint
// CHECK-NOT:   @reads.adj
chi.task @reads(%x: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.print [{shape = array<i64>, type = "f32"}] (%a : f32)
  chi.next
}
