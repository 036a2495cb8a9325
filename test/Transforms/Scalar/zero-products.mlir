// RUN: chi-opt %s --chi-zero-products | FileCheck %s

// What is 0 or NaN goes to the constants: once for both sums, and through the
// square, which holds it already.
// CHECK-LABEL: chi.task @directions
// CHECK: %[[A:.*]] = chi.load %arg0
// CHECK: %[[B:.*]] = chi.load %arg1
// CHECK: %[[Z:.*]] = arith.mulf %[[B]], %{{.*}}
// CHECK-NEXT: %[[ONE:.*]] = arith.addf %cst{{.*}}, %[[Z]]
// CHECK-NEXT: %[[L:.*]] = arith.addf %[[A]], %[[ONE]]
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[LS:.*]] = arith.addf %[[L]], %[[S]]
// CHECK-NEXT: chi.store %[[LS]], %arg0
// CHECK-NEXT: %[[F:.*]] = arith.negf %[[A]]
// CHECK-NEXT: %[[M:.*]] = arith.addf %[[ONE]], %[[F]]
// CHECK-NEXT: chi.store %[[M]], %arg1
// CHECK-NEXT: chi.next
chi.task @directions(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %b = chi.load %y[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %z = arith.mulf %b, %zero fastmath<nsz,contract> : f32
  %e = arith.addf %a, %z fastmath<nsz,contract> : f32
  %l = arith.addf %e, %one fastmath<nsz,contract> : f32
  %s = arith.mulf %e, %e fastmath<nsz,contract> : f32
  %ls = arith.addf %l, %s fastmath<nsz,contract> : f32
  chi.store %ls, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  %f = arith.subf %z, %a fastmath<nsz,contract> : f32
  %m = arith.addf %one, %f fastmath<nsz,contract> : f32
  chi.store %m, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// An integer is never infinite: nothing is left of its product.
// CHECK-LABEL: chi.task @finite
// CHECK: %[[A:.*]] = chi.load
// CHECK-NEXT: chi.store %[[A]]
chi.task @finite(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %n = arith.sitofp %i : i32 to f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %z = arith.mulf %n, %zero fastmath<nsz,contract> : f32
  %e = arith.addf %a, %z fastmath<nsz,contract> : f32
  chi.store %e, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// Signs of zeros count where floats are strict; and where nothing is saved, as
// with a product that is stored, all stays as it is.
// CHECK-LABEL: chi.task @strict
// CHECK: %[[Z:.*]] = arith.mulf
// CHECK: arith.addf %{{.*}}, %[[Z]] : f32
// CHECK-LABEL: chi.task @stored
// CHECK: %[[Z:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<nsz,contract>
// CHECK-NEXT: chi.store %[[Z]]
chi.task @strict(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %n = arith.sitofp %i : i32 to f32
  %z = arith.mulf %n, %zero : f32
  %e = arith.addf %a, %z : f32
  chi.store %e, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
chi.task @stored(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f32
  %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
  %z = arith.mulf %a, %zero fastmath<nsz,contract> : f32
  chi.store %z, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}

// All terms of a sum are zeros: the constant that they are added to precedes
// the sum.
// CHECK-LABEL: chi.task @nothing
// CHECK:       %[[N:.*]] = arith.sitofp
// CHECK:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// CHECK:       %[[Z:.*]] = arith.mulf %[[N]], %{{.*}} fastmath<nsz,contract> : f16
// CHECK-NEXT:  %[[SUM:.*]] = arith.addf %[[ZERO]], %[[Z]] fastmath<nsz,contract> : f16
// CHECK-NEXT:  arith.extf %[[SUM]]
chi.task @nothing(%x: !chi.field<?xf32>) over 0 (%i: i32) {
  %zero = arith.constant 0.0 : f16
  %n = arith.sitofp %i : i32 to f16
  %a = arith.mulf %zero, %n fastmath<nsz,contract> : f16
  %b = arith.mulf %a, %zero fastmath<nsz,contract> : f16
  %c = arith.addf %a, %b fastmath<nsz,contract> : f16
  %d = arith.addf %c, %b fastmath<nsz,contract> : f16
  %e = arith.extf %d : f16 to f32
  chi.store %e, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.next
}
