// Choices among values that were branches up to stage `grad` are choices again.
// RUN: chi-opt %s --chi-speculate-loads | FileCheck %s

// CHECK-LABEL: chi.task @quotient
// CHECK-NOT:     scf.if
// CHECK:         %[[Q:.*]] = arith.divf
// CHECK:         arith.select %{{.*}}, %[[Q]]
chi.task @quotient(%x: !chi.field<8xf32>, %c: i1, %a: f32, %b: f32) over 0 (%i: i32) {
  %r = scf.if %c -> (f32) {
    %q = arith.divf %a, %b : f32
    scf.yield %q : f32
  } else {
    %p = arith.mulf %a, %b : f32
    scf.yield %p : f32
  }
  chi.store %r, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// Not what takes long: many quotients, functions; nor what stops or stores.
// CHECK-LABEL: chi.task @long
// CHECK-COUNT-3: scf.if
// CHECK:         chi.next
chi.task @long(%x: !chi.field<8xf32>, %c: i1, %a: f32, %b: f32) over 0 (%i: i32) {
  %r = scf.if %c -> (f32) {
    %e = math.exp %a : f32
    scf.yield %e : f32
  } else {
    scf.yield %b : f32
  }
  %s = scf.if %c -> (f32) {
    %q = arith.divf %a, %r : f32
    %q1 = arith.divf %q, %r : f32
    %q2 = arith.divf %q1, %b : f32
    %q3 = arith.divf %q2, %r : f32
    %q4 = arith.divf %q3, %b : f32
    scf.yield %q4 : f32
  } else {
    scf.yield %b : f32
  }
  %t = scf.if %c -> (f32) {
    chi.check assert %c
    scf.yield %s : f32
  } else {
    scf.yield %b : f32
  }
  chi.store %t, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
