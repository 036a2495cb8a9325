// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s
// RUN: chi-opt %s --chi-schedule="without=grouped-sums" --convert-chi-to-loops --cse | FileCheck %s --check-prefix=BUFFERED

// An iteration of a few plain operations adds to the 16 sums directly, in groups
// whose loop is left for the vectoriser; anything that takes longer, or that
// LLVM would not make one vector operation, goes through a buffer.
!F = !chi.field<?xf32>
!C = !chi.field<f32>

// Loads that lie side by side, arithmetic, comparisons.
// CHECK-LABEL: func.func private @short.body(
// CHECK-NOT:     memref<1024xf32>
// CHECK:         scf.for %{{.*}} = %c0_i32 to %c16_i32
// CHECK:         } {llvm.loop_annotation
// BUFFERED-LABEL: func.func private @short.body(
// BUFFERED:         memref.alloca() {{.*}} : memref<1024xf32>
// BUFFERED-NOT:     scf.for %{{.*}} = %c0_i32 to %c16_i32
// BUFFERED-LABEL: func.func private @short.chunk(
chi.task @short(%x: !F, %y: !chi.field<?x!chi.vec<2xf32>, soa>, %s: !C) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %b = chi.load %y[%i : i32] component 1 inbounds : !chi.field<?x!chi.vec<2xf32>, soa> -> f32
  %m = arith.mulf %a, %b : f32
  %z = arith.constant 0.0 : f32
  %p = arith.cmpf ogt, %m, %z : f32
  %r = arith.select %p, %m, %z : f32
  chi.accum add %r, %s[] strategy(deterministic) : f32, !C
  chi.next
}

// Elements of several scalars lie apart.
// CHECK-LABEL: func.func private @apart.body(
// CHECK:         memref<1024xf32>
chi.task @apart(%y: !chi.field<?x!chi.vec<2xf32>>, %s: !C) (%i: i32) {
  %b = chi.load %y[%i : i32] component 1 inbounds : !chi.field<?x!chi.vec<2xf32>> -> f32
  chi.accum add %b, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// Division, roots, elementary functions, calls, checks, conditions.
// CHECK-LABEL: func.func private @divides.body(
// CHECK:         memref<1024xf32>
chi.task @divides(%x: !F, %v: f32, %s: !C) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %d = arith.divf %a, %v : f32
  chi.accum add %d, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// CHECK-LABEL: func.func private @roots.body(
// CHECK:         memref<1024xf32>
chi.task @roots(%x: !F, %s: !C) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %d = chi.root %a : f32
  chi.accum add %d, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// CHECK-LABEL: func.func private @calls.body(
// CHECK:         memref<1024xf32>
func.func private @f(%a: f32) -> f32
chi.task @calls(%x: !F, %s: !C) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  %d = func.call @f(%a) : (f32) -> f32
  chi.accum add %d, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// CHECK-LABEL: func.func private @checks.body(
// CHECK:         memref<1024xf32>
chi.task @checks(%x: !F, %n: i32, %s: !C) (%i: i32) {
  %ok = arith.cmpi ult, %i, %n : i32
  chi.check bounds %ok (%i, %n : i32, i32) {what = "x"}
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  chi.accum add %a, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// CHECK-LABEL: func.func private @chooses.body(
// CHECK:         memref<1024xf32>
chi.task @chooses(%x: !F, %c: i1, %s: !C) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f32
  scf.if %c {
    chi.store %a, %x[%i : i32] inbounds : f32, !F
  }
  chi.accum add %a, %s[] strategy(deterministic) : f32, !C
  chi.next
}
// More than 24 operations.
// CHECK-LABEL: func.func private @long.body(
// CHECK:         memref<1024xi32>
chi.task @long(%n: i32, %s: !chi.field<i32>) (%i: i32) {
  %0 = arith.muli %i, %n : i32
  %1 = arith.muli %0, %i : i32
  %2 = arith.muli %1, %0 : i32
  %3 = arith.muli %2, %1 : i32
  %4 = arith.muli %3, %2 : i32
  %5 = arith.muli %4, %3 : i32
  %6 = arith.muli %5, %4 : i32
  %7 = arith.muli %6, %5 : i32
  %8 = arith.muli %7, %6 : i32
  %9 = arith.muli %8, %7 : i32
  %10 = arith.muli %9, %8 : i32
  %11 = arith.muli %10, %9 : i32
  %12 = arith.muli %11, %10 : i32
  %13 = arith.muli %12, %11 : i32
  %14 = arith.muli %13, %12 : i32
  %15 = arith.muli %14, %13 : i32
  %16 = arith.muli %15, %14 : i32
  %17 = arith.muli %16, %15 : i32
  %18 = arith.muli %17, %16 : i32
  %19 = arith.muli %18, %17 : i32
  %20 = arith.muli %19, %18 : i32
  %21 = arith.muli %20, %19 : i32
  %22 = arith.muli %21, %20 : i32
  chi.accum add %22, %s[] strategy(deterministic) : i32, !chi.field<i32>
  chi.next
}

// Of two axes, rows of an unknown length may end within a group.
// CHECK-LABEL: func.func private @rows.body(
// CHECK:         memref<1024xf32>
chi.task @rows(%x: !chi.field<?x?xf32>, %s: !C) over 0 (%i: i32, %j: i32) {
  %a = chi.load %x[%i, %j : i32, i32] inbounds : !chi.field<?x?xf32> -> f32
  chi.accum add %a, %s[] strategy(deterministic) : f32, !C
  chi.next
}
