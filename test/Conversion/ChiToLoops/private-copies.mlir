// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// Additions that meet often go to a copy of the field for each worker. The run
// time makes them; a refusal of any leads to atomics. Worker 0 has the field
// itself, so one part alone needs no copies at all.
!H = !chi.field<256x!chi.vec<2xi32>>
!G = !chi.field<?x3xf32>
// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: memref<?xi32> {llvm.noalias}, %[[G:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[V:[a-z0-9]+]]: i32,
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         %[[OLD:.*]] = memref.load %[[H]]
// CHECK-NEXT:    arith.addi %[[OLD]], %[[V]] : i32
// CHECK:         memref.load %[[G]]
// CHECK-NEXT:    arith.maxnumf
// CHECK-LABEL: func.func private @k.t0.chunk(
// CHECK-SAME:    %[[ARGS:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %[[WORKER:[a-z0-9]+]]: i32)
// Behind the arguments, of each such field: where its copies are, and how far
// apart.
// CHECK:         %[[P0:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 0] : {{.*}}, !llvm.struct<(ptr, ptr, i64, i32, i64, ptr, i64, ptr, i64)>
// CHECK-NEXT:    %[[OWN:.*]] = llvm.load %[[P0]]
// CHECK:         %[[P5:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 5]
// CHECK-NEXT:    %[[COPIES:.*]] = llvm.load %[[P5]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[P6:.*]] = llvm.getelementptr inbounds %[[ARGS]][0, 6]
// CHECK-NEXT:    %[[BYTES:.*]] = llvm.load %[[P6]] : !llvm.ptr -> i64
// CHECK:         %[[NUMBER:.*]] = arith.extsi %[[WORKER]] : i32 to i64
// CHECK:         %[[LESS:.*]] = arith.subi %[[NUMBER]], %c1_i64 : i64
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[LESS]], %[[BYTES]] : i64
// CHECK:         %[[COPY:.*]] = llvm.getelementptr inbounds|nuw %[[COPIES]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq, %[[WORKER]], %c0_i32 : i32
// CHECK:         %[[DATA:.*]] = arith.select %[[ISFIRST]], %[[OWN]], %[[COPY]] : !llvm.ptr
// CHECK:         %[[BASE:.*]] = builtin.unrealized_conversion_cast %[[DATA]] : !llvm.ptr to memref<?xi32>
// CHECK:         call @k.t0.body(%[[BASE]],
// The other body is for atomics; it is no rare one, and promises nothing.
// CHECK-LABEL: func.func private @k.t0.may_alias(
// CHECK-NOT:     llvm.noalias
// CHECK-NOT:     chi.cold
// CHECK:         memref.atomic_rmw addi
// CHECK:         memref.generic_atomic_rmw
// CHECK:           arith.maxnumf
// CHECK-LABEL: func.func private @k.t0.may_alias.chunk(
// CHECK:         !llvm.struct<(ptr, ptr, i64, i32, i64)>
// CHECK-NOT:     arith.select
chi.task @k.t0(%h: !H, %g: !G, %v: i32) (%i: i32)
    attributes {kernel = "k", axes = ["i"], cost = 70 : i64} {
  %z = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant 0.5 : f32
  chi.accum add %v, %h[%v : i32] component 1 inbounds strategy(privatized) : i32, !H
  // Three times in a loop of an iteration, beside once: four.
  scf.for %t = %z to %c3 step %one : i32 {
    chi.accum max %f, %g[%v, %t : i32, i32] inbounds strategy(privatized) : f32, !G
  }
  chi.accum max %f, %g[%z, %z : i32, i32] inbounds strategy(privatized) : f32, !G
  chi.next
}

// CHECK-LABEL: func.func @k(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: !chi.field<256x!chi.vec<2xi32>>, %[[G:[a-z0-9]+]]: !chi.field<?x3xf32>,
// CHECK:         %[[HH:.*]] = builtin.unrealized_conversion_cast %[[H]]
// CHECK:         %[[HDATA:.*]] = llvm.load %[[HH]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[GG:.*]] = builtin.unrealized_conversion_cast %[[G]]
// CHECK:         %[[GDATA:.*]] = llvm.load %[[GG]] : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[COUNT:.*]] = arith.select
// CHECK:         %[[PARTS:.*]] = llvm.call @chirt_num_chunks(%[[COUNT]], %c16_i64, %c14_i64)
// CHECK:         %[[ALONE:.*]] = arith.cmpi sle, %[[PARTS]], %c1_i32 : i32
// CHECK:         scf.if %[[ALONE]] {
// CHECK:           call @k.t0.body(
// CHECK-NOT:       chirt_private_begin
// CHECK:         } else {
// 512 scalars, i32, add, as many additions as iterations.
// CHECK:           %[[C0:.*]] = llvm.call @chirt_private_begin(%c512_i64, %[[I32:[^,]*]], %[[ADD:[^,]*]], %[[COUNT]], %[[PARTS]])
// CHECK:           %[[M0:.*]] = llvm.icmp "ne" %[[C0]], %{{.*}} : !llvm.ptr
// Three scalars a row of the other, f32, max, and four additions each.
// CHECK:           %[[ROWS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:           %[[SCALARS:.*]] = arith.muli %[[ROWS]], %c3_i64 : i64
// CHECK:           %[[FOURS:.*]] = arith.muli %[[COUNT]], %c4_i64 : i64
// CHECK:           %[[C1:.*]] = llvm.call @chirt_private_begin(%[[SCALARS]], %[[F32:[^,]*]], %[[MAX:[^,]*]], %[[FOURS]], %[[PARTS]])
// CHECK:           %[[M1:.*]] = llvm.icmp "ne" %[[C1]], %{{.*}} : !llvm.ptr
// CHECK:           %[[ALL:.*]] = arith.andi %{{.*}}, %[[M1]] : i1
// CHECK:           scf.if %[[ALL]] {
// Copies begin at lines of the cache.
// CHECK:             %[[SIZE:.*]] = arith.muli %[[SCALARS]], %c4_i64 : i64
// CHECK:             %[[UP:.*]] = arith.addi %[[SIZE]], %c63_i64 : i64
// CHECK:             %[[LINE:.*]] = arith.andi %[[UP]], %c-64_i64 : i64
// CHECK:             %[[A5:.*]] = llvm.getelementptr inbounds %[[PACK:.*]][0, 5]
// CHECK-NEXT:        llvm.store %[[C0]], %[[A5]]
// CHECK:             %[[A7:.*]] = llvm.getelementptr inbounds %[[PACK]][0, 7]
// CHECK-NEXT:        llvm.store %[[C1]], %[[A7]]
// CHECK-NEXT:        %[[A8:.*]] = llvm.getelementptr inbounds %[[PACK]][0, 8]
// CHECK-NEXT:        llvm.store %[[LINE]], %[[A8]]
// CHECK:             constant @k.t0.chunk
// CHECK:             llvm.call @chirt_parallel
// CHECK:           } else {
// CHECK:             constant @k.t0.may_alias.chunk
// CHECK:             llvm.call @chirt_parallel
// CHECK:           }
// What was made is given back, also if the other was not.
// CHECK:           scf.if %[[M0]] {
// CHECK-NEXT:        llvm.call @chirt_private_end(%[[C0]], %[[HDATA]], %c512_i64, %[[I32]], %[[ADD]], %[[PARTS]])
// CHECK:           scf.if %[[M1]] {
// CHECK-NEXT:        llvm.call @chirt_private_end(%[[C1]], %[[GDATA]], %[[SCALARS]], %[[F32]], %[[MAX]], %[[PARTS]])
func.func @k(%h: !H, %g: !G, %v: i32, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  chi.launch @k.t0(%h, %g, %v : !H, !G, i32) from (%c0 : i32) to (%n : i32)
  return
}
