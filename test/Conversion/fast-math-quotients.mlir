// RUN: chi-opt %s --chi-fast-math | FileCheck %s

// A quotient by the same divisor twice keeps its order in an adjoint, and so do
// the factors between the two, products of which it is a factor, and sums of two
// of them: the square of the divisor may overflow or vanish.
// CHECK-LABEL: chi.task @k.adj
chi.task @k.adj(%x: !chi.field<?xf32>, %a: f32, %b: f32, %r: f32, %g: f32, %c: i1) (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST:reassoc,nsz,arcp,contract,afn]]>
  %0 = arith.divf %a, %r : f32
  // CHECK: arith.mulf %{{.*}} fastmath<[[ORDERED:nsz,arcp,contract,afn]]>
  %1 = arith.mulf %g, %0 : f32
  // CHECK: arith.divf %{{.*}} fastmath<[[ORDERED]]>
  %2 = arith.divf %1, %r : f32
  %3 = arith.divf %b, %r : f32
  %4 = arith.negf %3 : f32
  // CHECK: arith.negf %{{.*}} fastmath<[[ORDERED]]>
  // CHECK: arith.divf %{{.*}} fastmath<[[ORDERED]]>
  %5 = arith.divf %4, %r : f32
  %6 = arith.select %c, %2, %a : f32
  // CHECK: arith.negf %{{.*}} fastmath<[[ORDERED]]>
  %7 = arith.negf %6 : f32
  // CHECK: arith.mulf %{{.*}} fastmath<[[ORDERED]]>
  %8 = arith.mulf %7, %b : f32
  // CHECK: arith.addf %{{.*}} fastmath<[[ORDERED]]>
  %9 = arith.addf %8, %5 : f32
  // A sum with another term may be reassociated.
  // CHECK: arith.addf %{{.*}} fastmath<[[FAST]]>
  %10 = arith.addf %5, %a : f32
  // And a quotient by another divisor.
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]>
  %11 = arith.divf %0, %b : f32
  %12 = arith.addf %9, %10 : f32
  %13 = arith.addf %12, %11 : f32
  chi.store %13, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}

// Two quotients by the same divisor may be factors of one product: the adjoint of
// a / r by r.
// CHECK-LABEL: chi.task @quotient.adj
chi.task @quotient.adj(%x: !chi.field<?xf32>, %a: f32, %r: f32, %g: f32) (%i: i32) attributes {adjoint = #chi.adjoint<numPrimal = 1>} {
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]>
  %0 = arith.divf %a, %r : f32
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]>
  %1 = arith.divf %g, %r : f32
  // CHECK: arith.mulf %{{.*}} fastmath<[[ORDERED]]>
  %2 = arith.mulf %a, %1 : f32
  // CHECK: arith.mulf %{{.*}} fastmath<[[ORDERED]]>
  %3 = arith.mulf %2, %0 : f32
  // CHECK: arith.mulf %{{.*}} fastmath<[[ORDERED]]>
  %4 = arith.mulf %0, %0 : f32
  // A product with one of them may be reassociated.
  // CHECK: arith.mulf %{{.*}} fastmath<[[FAST]]>
  %5 = arith.mulf %a, %0 : f32
  %6 = arith.addf %3, %4 : f32
  %7 = arith.addf %6, %5 : f32
  chi.store %7, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}

// Where a program divides twice, its products may be reassociated.
// CHECK-LABEL: chi.task @k
chi.task @k(%x: !chi.field<?xf32>, %a: f32, %r: f32) (%i: i32) {
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]>
  %0 = arith.divf %a, %r : f32
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]>
  %1 = arith.divf %0, %r : f32
  chi.store %1, %x[%i : i32] : f32, !chi.field<?xf32>
  chi.next
}
