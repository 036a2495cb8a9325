// RUN: chi-opt %s --chi-recursion | FileCheck %s

// The value behind a call lies in the frame, and so does the variable; the
// condition and the sum are read by one state only.
// CHECK-NOT: func.func private @sum(
// CHECK-LABEL: func.func private @sum.stack(
// CHECK-SAME: %[[X:.*]]: !chi.field<?xi32>, %[[N:.*]]: i32) -> i32
// CHECK-DAG: %[[STACK:.*]] = chi.scratch : <?xi32>
// CHECK-NOT: chi.scratch
// CHECK: %[[SIZE:.*]] = arith.constant 4 : i64
// CHECK: chi.reserve %[[STACK]]
// CHECK: scf.while
// CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i32
// The first state: the branch.
// CHECK: arith.cmpi eq, %{{.*}} : i32
// CHECK: scf.if
// CHECK: %[[LAST:.*]] = arith.cmpi eq
// CHECK-NEXT: scf.if %[[LAST]]
// The call: a frame behind this one.
// CHECK: arith.subi %{{.*}} : i32
// CHECK: chi.reserve %[[STACK]]
// Behind it: the frame is gone.
// CHECK: arith.subi %{{.*}} : i64
// CHECK: chi.load %[[X]]
func.func private @sum(%x: !chi.field<?xi32>, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %s = chi.local "s" : <i32>
  chi.set %c0, %s : i32, <i32>
  %last = arith.cmpi eq, %n, %c0 : i32
  scf.if %last {
  } else {
    %m = arith.subi %n, %c1 : i32
    %r = func.call @sum(%x, %m) : (!chi.field<?xi32>, i32) -> i32
    %v = chi.load %x[%n : i32] : <?xi32> -> i32
    %t = arith.addi %r, %v : i32
    chi.set %t, %s : i32, <i32>
  }
  %result = chi.get %s : <i32> -> i32
  return %result : i32
}
// CHECK-LABEL: chi.kernel @k
// CHECK: func.call @sum.stack(
chi.kernel @k(%x: !chi.field<?xi32>, %n: i32) -> i32 {
  %r = func.call @sum(%x, %n) : (!chi.field<?xi32>, i32) -> i32
  chi.return %r : i32
}

// Two functions, of which others call both; an array is zeroed by each call.
// CHECK-DAG: func.func private @even.stack(
// CHECK-DAG: func.func private @odd.stack(
// CHECK-NOT: func.func private @even(
func.func private @even(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %a = chi.local "a" : <2x3xi32>
  %r = func.call @odd(%n) : (i32) -> i32
  chi.set %r, %a[%c0, %c0 : i32, i32] : i32, <2x3xi32>
  %v = chi.get %a[%c0, %c0 : i32, i32] : <2x3xi32> -> i32
  return %v : i32
}
func.func private @odd(%n: i32) -> i32 {
  %r = func.call @even(%n) : (i32) -> i32
  return %r : i32
}
chi.kernel @both(%n: i32) -> i32 {
  %r = func.call @even(%n) : (i32) -> i32
  %s = func.call @odd(%n) : (i32) -> i32
  %t = arith.addi %r, %s : i32
  chi.return %t : i32
}

// A field that is not passed on stays, and so does host code.
// CHECK-DAG: func.func private @swap(
func.func private @swap(%x: !chi.field<?xi32>, %y: !chi.field<?xi32>) {
  func.call @swap(%y, %x) : (!chi.field<?xi32>, !chi.field<?xi32>) -> ()
  return
}
chi.kernel @swapped(%x: !chi.field<?xi32>, %y: !chi.field<?xi32>) {
  func.call @swap(%x, %y) : (!chi.field<?xi32>, !chi.field<?xi32>) -> ()
  chi.return
}
// CHECK-DAG: func.func @host(
func.func @host(%n: i32) attributes {chi.host} {
  func.call @host(%n) : (i32) -> ()
  return
}
