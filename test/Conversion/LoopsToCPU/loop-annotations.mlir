// RUN: chi-opt %s --chi-lower-checks --convert-loops-to-cpu | FileCheck %s

// The annotation of a loop (not unrolled before the vectoriser, or left
// unchanged) is attached to its back edge, where LLVM looks for it; other
// branches have none.
// CHECK-DAG: #[[NO_UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[GROUP:.*]] = #llvm.loop_annotation<unroll = #[[NO_UNROLL]]>
// CHECK-DAG: #[[PLAIN:.*]] = #llvm.loop_annotation<disableNonforced = true>
#no_unroll = #llvm.loop_unroll<disable = true>
#group = #llvm.loop_annotation<unroll = #no_unroll>
#plain = #llvm.loop_annotation<disableNonforced = true>

// CHECK-LABEL: llvm.func internal @loops(
// The entry edge has no annotation, the back edge has one.
// CHECK:         llvm.br ^[[GROUPS:[a-z0-9]+]](%{{.*}} : i32){{$}}
// CHECK:       ^[[GROUPS]](%{{.*}}: i32):
// CHECK:         llvm.br ^[[GROUPS]](%{{.*}} : i32) {loop_annotation = #[[GROUP]]}
// CHECK:         llvm.br ^[[REST:[a-z0-9]+]](%{{.*}} : i32){{$}}
// CHECK:       ^[[REST]](%{{.*}}: i32):
// CHECK:         llvm.br ^[[REST]](%{{.*}} : i32) {loop_annotation = #[[PLAIN]]}
// CHECK-NOT:     "llvm.loop_annotation"
func.func private @loops(%x: memref<?xi32>, %at: index, %m: i32) attributes {chi.body} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  cf.br ^groups(%c0 : i32)
^groups(%i: i32):
  %more = arith.cmpi slt, %i, %c16 : i32
  cf.cond_br %more, ^group, ^between
^group:
  memref.store %i, %x[%at] : memref<?xi32>
  %next = arith.addi %i, %c1 : i32
  cf.br ^groups(%next : i32) {llvm.loop_annotation = #group}
^between:
  cf.br ^rest(%c16 : i32)
^rest(%j: i32):
  %left = arith.cmpi slt, %j, %m : i32
  cf.cond_br %left, ^one, ^end
^one:
  memref.store %j, %x[%at] : memref<?xi32>
  %then = arith.addi %j, %c1 : i32
  cf.br ^rest(%then : i32) {llvm.loop_annotation = #plain}
^end:
  return
}

// A check in the loop splits its blocks; the back edge keeps the annotation. So
// does that around an exchange loop, whose own back edge has none.
// CHECK-LABEL: llvm.func internal @split(
// CHECK:         llvm.br ^[[HEAD:[a-z0-9]+]](%{{.*}} : i32){{$}}
// CHECK:       ^[[HEAD]](%{{.*}}: i32):
// CHECK:         llvm.cond_br %{{.*}} weights([1048576, 1])
// CHECK:         llvm.br ^{{.*}}(%{{.*}} : i32){{$}}
// CHECK:         llvm.cmpxchg
// CHECK:         llvm.cond_br %{{.*}}, ^{{[^{]*$}}
// CHECK:         llvm.br ^[[HEAD]](%{{.*}} : i32) {loop_annotation = #[[PLAIN]]}
// CHECK:         llvm.call @chirt_fail
func.func private @split(%x: memref<?xi32>, %at: index, %m: i32) attributes {chi.body} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %m : i32
  cf.cond_br %more, ^body, ^end
^body:
  %ok = arith.cmpi ne, %i, %m : i32
  chi.check assert %ok
  %old = memref.generic_atomic_rmw %x[%at] : memref<?xi32> {
  ^bb0(%o: i32):
    %p = arith.muli %o, %i : i32
    memref.atomic_yield %p : i32
  }
  %next = arith.addi %i, %c1 : i32
  cf.br ^head(%next : i32) {llvm.loop_annotation = #plain}
^end:
  return
}
