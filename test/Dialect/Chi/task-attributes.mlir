// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// What is known of launches, and what is decided of a task.

// CHECK-LABEL: chi.task @facts
// CHECK-SAME:    facts = #chi.facts<from = [= 0, ?], to = [= -1 + dim(0, 1) + 2 * arg(1), 3 to 9], inputs = [?, 0 to 9 = arg(2), -5 to 5, ?, ?], noalias = [0, 3], cells = [4]>
!F = !chi.field<?x?xf32>
chi.task @facts(%x: !F, %n: i32, %m: i32, %y: !F, %s: !chi.field<f32>) (%i: i32, %j: i32)
    attributes {facts = #chi.facts<from = [= 0, ?], to = [= dim(0, 1) + 2 * arg(1) + -1, 3 to 9],
                                   inputs = [?, 0 to 9 = arg(2), -5 to 5, ?, ?],
                                   noalias = [0, 3], cells = [4]>} {
  chi.next
}

// A task of rank 0 has no bounds.
// CHECK-LABEL: chi.task @serial
// CHECK-SAME:    facts = #chi.facts<inputs = [= 7]>
chi.task @serial(%n: i32) () attributes {facts = #chi.facts<inputs = [= 7]>} {
  chi.next
}

// What is empty is left out.
// CHECK-LABEL: chi.task @effects
// CHECK-SAME:    effects = #chi.effects<reads = [0, 1], writes = [1], overwrites = [1]>
chi.task @effects(%x: !F, %y: !F) over 0 (%i: i32, %j: i32)
    attributes {effects = #chi.effects<writes = [1], overwrites = [1], reads = [0, 1]>} {
  chi.next
}

// CHECK-LABEL: chi.task @none
// CHECK-SAME:    effects = #chi.effects<>
chi.task @none(%n: i32) () attributes {effects = #chi.effects<reads = []>} {
  chi.next
}

// CHECK-LABEL: chi.task @plain
// CHECK-SAME:    schedule = #chi.schedule<>
chi.task @plain(%x: !F) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<unit = iterations, align = 16, direct = false>} {
  chi.next
}

// CHECK-LABEL: chi.task @tiles
// CHECK-SAME:    schedule = #chi.schedule<unit = slices, align = 8, direct = true, unordered = true, noalias = true, mayAlias = [0, 1], tile = <outer = 1, inner = 0, edge = 8>, buffers = [#chi<buffer streaming>, #chi<buffer plain>], line = 128>
chi.task @tiles(%x: !F, %y: !F, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<
      unit = slices, align = 8, direct = true, unordered = true, noalias = true,
      mayAlias = [0, 1], tile = <outer = 1, inner = 0, edge = 8>,
      buffers = [#chi<buffer streaming>, #chi<buffer plain>], line = 128>} {
  chi.store %v, %x[%j, %i : i32, i32] inbounds {buffer = 0 : i64} : f32, !F
  chi.store %v, %y[%j, %i : i32, i32] inbounds {buffer = 1 : i64} : f32, !F
  chi.next
}

// CHECK-LABEL: chi.task @sums
// CHECK-SAME:    schedule = #chi.schedule<align = 2048, peel = <low = 1, high = 63>, reductions = [#chi.reduction<operations = 2, buffered = true>, #chi.reduction<operations = 1>], privatized = [#chi.privatized<argument = 1, count = 9>]>
chi.task @sums(%s: !chi.field<f32>, %h: !chi.field<64xf32>, %v: f32) over 1 (%i: i32)
    attributes {schedule = #chi.schedule<
      align = 2048, peel = <low = 1, high = 63>,
      reductions = [#chi.reduction<operations = 2, buffered = true>, #chi.reduction<operations = 1>],
      privatized = [#chi.privatized<argument = 1, count = 9>]>} {
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 1>} : f32, !chi.field<f32>
  chi.accum max %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 1, 0>} : f32, !chi.field<f32>
  chi.accum add %v, %h[%i : i32] inbounds strategy(privatized) : f32, !chi.field<64xf32>
  chi.next
}
