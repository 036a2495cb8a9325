// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops="recorded=true" --cse | FileCheck %s

// With --check=races the run time hears of each marked access before it
// happens: what it names, where that lies in memory, the number of the
// iteration, and the kind. It has the domain from the launch, and finds an
// iteration's indices by it.
!V = !chi.field<?x5x!chi.vec<2xf32>>
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[P:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %[[FROM1:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index,
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %[[N1]]
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             %[[JJ:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:             %[[COLUMN:.*]] = arith.subi %[[JJ]], %[[FROM1]]
// CHECK:             %[[N:.*]] = arith.addi %[[START]], %[[COLUMN]]
// CHECK:             %[[NUMBER:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:             chi.record_access %[[X]][%[[AT:.*]]] by %[[NUMBER]] kind 0 of "x" : memref<?xf32>
// CHECK:             memref.load %[[X]][%[[AT]]]
// Another kind at another place; the unmarked access says nothing.
// CHECK:             chi.record_access %[[X]][%{{.*}}] by %[[NUMBER]] kind 3 of "x"
// CHECK:             memref.atomic_rmw addf
// CHECK-NOT:         chi.record_access
// CHECK:             memref.store
chi.task @k.t0(%x: !V, %p: i32) (%i: i32, %j: i32) attributes {kernel = "k", axes = ["i", "j"]} {
  %a = chi.load %x[%p, %j : i32, i32] component 1 inbounds {race_kind = 0 : i32, field_name = "x"} : !V -> f32 loc("k.chi":7:3 to :9)
  chi.accum add %a, %x[%p, %p : i32, i32] inbounds strategy(atomic) {race_kind = 3 : i32, field_name = "x"} : f32, !V loc("k.chi":8:1 to :4)
  chi.store %a, %x[%i, %j : i32, i32] inbounds : f32, !V
  chi.next
}

// The launch passes the domain, the bounds of each axis one after the other; no
// step.
// CHECK-LABEL: func.func private @k.rec(
// CHECK-SAME:    %{{[a-z0-9]+}}: !chi.field<?x5x!chi.vec<2xf32>>, %[[A:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32)
// CHECK:         %[[DOMAIN:.*]] = llvm.alloca %c1_i64 x [[TYPE:!llvm.struct<\(array<8 x i64>, array<8 x i64>, i64, i64\)>]]
// CHECK:         %[[FROM:.*]] = arith.extsi %[[A]] : i32 to i64
// CHECK:         %[[F0:.*]] = llvm.getelementptr inbounds %[[DOMAIN]][0, 0] : (!llvm.ptr) -> !llvm.ptr, [[TYPE]]
// CHECK:         llvm.store %[[FROM]], %[[F0]] : i64, !llvm.ptr
// CHECK:         %[[TO:.*]] = arith.extsi %[[B]] : i32 to i64
// CHECK:         %[[T0:.*]] = llvm.getelementptr inbounds %[[DOMAIN]][0, 1] : (!llvm.ptr) -> !llvm.ptr, [[TYPE]]
// CHECK:         llvm.store %[[TO]], %[[T0]] : i64, !llvm.ptr
// CHECK:         %[[F1:.*]] = llvm.getelementptr inbounds|nuw %{{.*}}[%c1_i64] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK:         llvm.store %[[FROM]], %[[F1]] : i64, !llvm.ptr
// CHECK:         %[[STEP:.*]] = llvm.getelementptr inbounds %[[DOMAIN]][0, 3] : (!llvm.ptr) -> !llvm.ptr, [[TYPE]]
// CHECK:         llvm.store %c0_i64, %[[STEP]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_launch(%{{.*}}, %{{.*}}, %[[DOMAIN]])
func.func @k(%x: !V, %a: i32, %b: i32) attributes {chi.control} {
  chi.launch @k.t0(%x, %a : !V, i32) from (%a, %a : i32, i32) to (%b, %b : i32, i32)
  return
}

// A range with a step says so.
// CHECK-LABEL: func.func private @steps.rec(
// CHECK-SAME:    %{{[a-z0-9]+}}: !chi.field<8xf32>, %[[A:[a-z0-9]+]]: i32, %[[B:[a-z0-9]+]]: i32)
// CHECK:         %[[FIRST:.*]] = arith.extsi %[[A]] : i32 to i64
// CHECK:         %[[BEGIN:.*]] = llvm.getelementptr inbounds %{{.*}}[0, 2] :
// CHECK:         llvm.store %[[FIRST]], %[[BEGIN]] : i64, !llvm.ptr
// CHECK:         %[[STEP:.*]] = arith.extsi %[[B]] : i32 to i64
// CHECK:         %[[AT:.*]] = llvm.getelementptr inbounds %{{.*}}[0, 3] :
// CHECK:         llvm.store %[[STEP]], %[[AT]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_launch(
chi.task @line.t0(%x: !chi.field<8xf32>, %v: f32) over 0 (%i: i32) attributes {kernel = "k", axes = ["i"]} {
  chi.store %v, %x[%i : i32] inbounds {race_kind = 1 : i32, field_name = "x"} : f32, !chi.field<8xf32>
  chi.next
}
func.func @steps(%x: !chi.field<8xf32>, %a: i32, %b: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %v = arith.constant 1.0 : f32
  chi.launch @line.t0(%x, %v : !chi.field<8xf32>, f32) from (%c0 : i32) to (%c8 : i32) values (%a, %b : i32, i32)
  return
}

// A sum's indices are computed again in its end: nothing happens there.
// CHECK-LABEL: func.func private @sum.t0.finish(
// CHECK-NOT:     chi.record_access
// CHECK:         return
chi.task @sum.t0(%x: !V, %p: !chi.field<i32>, %v: f32) (%i: i32) attributes {kernel = "k", axes = ["i"]} {
  %q = chi.load %p[] inbounds {race_kind = 0 : i32, field_name = "p"} : !chi.field<i32> -> i32
  chi.accum add %v, %x[%q, %q : i32, i32] inbounds strategy(deterministic) : f32, !V
  chi.next
}
