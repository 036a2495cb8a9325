// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// Which local arrays are constants of the module: those of numbers whose sets
// all store constants at constant places, in the array's own block, before the
// first read. Content is row-major, what no set stores is zero, the last of two
// sets of one place counts, and arrays of equal content are one constant,
// whatever their shapes.
// CHECK-DAG: memref.global "private" constant @[[GRID:chi.table.[0-9a-f]+]] : memref<6xi32> = dense<[0, 0, 9, 0, 7, 0]>
// CHECK-DAG: memref.global "private" constant @[[HALF:chi.table.[0-9a-f]+]] : memref<2xf32> = dense<[5.000000e-01, 0.000000e+00]>
// CHECK-DAG: memref.global "private" constant @[[NONE:chi.table.[0-9a-f]+]] : memref<3xi64> = dense<0>

// Row 0, column 2 is place 2; row 1, column 1 is place 1 * 3 + 1 = 4.
// CHECK-LABEL: func.func @grid(
// CHECK:         %[[T:.*]] = memref.get_global @[[GRID]] : memref<6xi32>
// CHECK-NOT:     memref.store
// CHECK:         memref.load %[[T]][
func.func @grid(%i: i32, %j: i32) -> i32 attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c9 = arith.constant 9 : i32
  %a = chi.local "a" : !chi.local<2x3xi32>
  chi.set %c8, %a[%c0, %c2 : i32, i32] : i32, !chi.local<2x3xi32>
  chi.set %c7, %a[%c1, %c1 : i32, i32] : i32, !chi.local<2x3xi32>
  chi.set %c9, %a[%c0, %c2 : i32, i32] : i32, !chi.local<2x3xi32>
  %v = chi.get %a[%i, %j : i32, i32] : !chi.local<2x3xi32> -> i32
  return %v : i32
}
// CHECK-LABEL: func.func @flat(
// CHECK:         memref.get_global @[[GRID]] : memref<6xi32>
func.func @flat(%i: i64) -> i32 attributes {chi.host} {
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %a = chi.local "a" : !chi.local<6xi32>
  chi.set %c9, %a[%c2 : i64] : i32, !chi.local<6xi32>
  chi.set %c7, %a[%c4 : i64] : i32, !chi.local<6xi32>
  %v = chi.get %a[%i : i64] : !chi.local<6xi32> -> i32
  return %v : i32
}

// Floats, an array without sets, and reads in the regions of later operations.
// CHECK-LABEL: func.func @others(
// CHECK-DAG:     %[[H:.*]] = memref.get_global @[[HALF]]
// CHECK-DAG:     %[[N:.*]] = memref.get_global @[[NONE]]
// CHECK-NOT:     memref.store
// CHECK:         scf.if
// CHECK:           memref.load %[[H]][
// CHECK:         memref.load %[[N]][
func.func @others(%c: i1, %i: i32) -> (f32, i64) attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0.0 : f32
  %h = chi.local "h" : !chi.local<2xf32>
  %n = chi.local "n" : !chi.local<3xi64>
  chi.set %half, %h[%c0 : i32] : f32, !chi.local<2xf32>
  %v = scf.if %c -> f32 {
    %w = chi.get %h[%i : i32] : !chi.local<2xf32> -> f32
    scf.yield %w : f32
  } else {
    scf.yield %none : f32
  }
  %r = chi.get %n[%i : i32] : !chi.local<3xi64> -> i64
  return %v, %r : f32, i64
}

// Memory of the function stays: an unknown place; a place outside of the array,
// which no set reaches in a program that runs; a value that is no constant.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     memref.get_global
// CHECK-COUNT-3: memref.alloca() {{.*}} : memref<2xi32>
// CHECK-NOT:     memref.get_global
// CHECK:         return
func.func @unknown(%i: i32) -> (i32, i32, i32) attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %a = chi.local "a" : !chi.local<2xi32>
  chi.set %c2, %a[%i : i32] : i32, !chi.local<2xi32>
  %b = chi.local "b" : !chi.local<2xi32>
  chi.set %c2, %b[%c2 : i32] : i32, !chi.local<2xi32>
  %c = chi.local "c" : !chi.local<2xi32>
  chi.set %i, %c[%c0 : i32] : i32, !chi.local<2xi32>
  %u = chi.get %a[%i : i32] : !chi.local<2xi32> -> i32
  %v = chi.get %b[%i : i32] : !chi.local<2xi32> -> i32
  %w = chi.get %c[%i : i32] : !chi.local<2xi32> -> i32
  return %u, %v, %w : i32, i32, i32
}

// So do a variable, an array of bools, which are bytes in memory, and an array
// that a call of the run time may fill.
// CHECK-LABEL: func.func @kinds(
// CHECK-NOT:     memref.get_global
// CHECK-DAG:     memref.alloca() {{.*}} : memref<1xi32>
// CHECK-DAG:     memref.alloca() {{.*}} : memref<2xi8>
// CHECK-DAG:     memref.alloca() {{.*}} : memref<2xf64>
// CHECK-NOT:     memref.get_global
// CHECK:         return
func.func @kinds(%i: i32, %f: !chi.field<?xf64>) -> (i32, i1, f64) attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %true = arith.constant true
  %x = chi.local "x" : !chi.local<i32>
  chi.set %c0, %x : i32, !chi.local<i32>
  %b = chi.local "b" : !chi.local<2xi1>
  chi.set %true, %b[%c0 : i32] : i1, !chi.local<2xi1>
  %s = chi.local "s" : !chi.local<2xf64>
  chi.rt "chirt_field_sum"(%f, %s) : (!chi.field<?xf64>, !chi.local<2xf64>) -> ()
  %u = chi.get %x : !chi.local<i32> -> i32
  %v = chi.get %b[%i : i32] : !chi.local<2xi1> -> i1
  %w = chi.get %s[%i : i32] : !chi.local<2xf64> -> f64
  return %u, %v, %w : i32, i1, f64
}
