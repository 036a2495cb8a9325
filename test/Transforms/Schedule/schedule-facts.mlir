// RUN: chi-opt %s --chi-schedule | FileCheck %s

// The facts of a task are as good as its launches: fields that are known to be
// two, a domain that is known.
!F = !chi.field<?xf32>

// CHECK-LABEL: chi.task @apart
// CHECK-SAME:    schedule = #chi.schedule<direct = true, unordered = true, noalias = true>
chi.task @apart(%x: !F, %y: !F) (%i: i32)
    attributes {cost = 8 : i64, facts = #chi.facts<from = [= 2], to = [= 100], inputs = [?, ?], noalias = [0, 1]>} {
  %v = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.store %v, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A cell is no other field, whatever that is; two variables may be one.
// CHECK-LABEL: chi.task @some
// CHECK-SAME:    mayAlias = [0, 1]>
chi.task @some(%x: !chi.field<f32>, %y: !chi.field<f32>, %s: !chi.field<f32>) (%i: i32)
    attributes {facts = #chi.facts<from = [?], to = [?], inputs = [?, ?, ?], noalias = [0], cells = [2]>} {
  %v = chi.load %x[] inbounds : !chi.field<f32> -> f32
  %w = chi.load %s[] inbounds : !chi.field<f32> -> f32
  %u = arith.addf %v, %w : f32
  chi.store %u, %y[] inbounds : f32, !chi.field<f32>
  chi.next
}
