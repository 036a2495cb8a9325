// RUN: chi-opt %s --chi-insert-checks --chi-remove-checks --split-input-file | FileCheck %s

// A row that starts somewhere is checked before the loop, at both ends.
// CHECK-LABEL: chi.task @row
// CHECK:       chi.check bounds
// CHECK-NOT:   chi.check
// CHECK:       scf.for
// CHECK-NOT:   chi.check
// CHECK:         %[[I:.*]] = arith.addi {{.*}} overflow<nsw> : i64
// CHECK:         chi.load %{{.*}}[%[[I]] : i64] inbounds
// CHECK:       chi.next
chi.task @row (%x: !chi.field<1000xf32>, %start: i32, %n: i32) (%p: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) : i32 {
    %i = arith.addi %start, %k : i32
    %v = chi.load %x[%i : i32] {field_name = "x"} : !chi.field<1000xf32> -> f32
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  chi.next
}

// -----

// Not out of a branch of the loop, and not over a print.
// CHECK-LABEL: chi.task @stays
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK:           chi.check bounds
// CHECK:       scf.for
// CHECK:         chi.print
// CHECK:         chi.check bounds
chi.task @stays (%x: !chi.field<1000xf32>, %start: i32, %n: i32, %b: i1) (%p: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %i = arith.addi %start, %k : i32
    scf.if %b {
      %v = chi.load %x[%i : i32] : !chi.field<1000xf32> -> f32
    }
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %i = arith.addi %start, %k : i32
    chi.print ["go"]
    %v = chi.load %x[%i : i32] : !chi.field<1000xf32> -> f32
  }
  chi.next
}
