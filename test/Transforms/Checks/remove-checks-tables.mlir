// RUN: chi-opt %s --chi-remove-checks | FileCheck %s

// What an array of constants holds is one of them, or the zero that it begins with.
// CHECK-LABEL: chi.task @table(
// CHECK:         chi.get
// CHECK-NOT:     chi.check
// CHECK-LABEL: chi.task @beyond(
// CHECK:         chi.check bounds
// CHECK-LABEL: chi.task @changes(
// CHECK:         chi.check bounds
!T = !chi.local<2xi32>
chi.task @table(%x: !chi.field<6xf32>, %n: i32) (%i: i32)
    attributes {kernel = "k", facts = #chi.facts<from = [= 0], to = [= 2], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %zero = arith.constant 0.0 : f32
  %0 = chi.local "" : !T
  chi.set %c3, %0[%c0 : i32] : i32, !T
  chi.set %c5, %0[%c1 : i32] : i32, !T
  %k = chi.get %0[%i : i32] : !T -> i32
  %is = arith.cmpi ult, %k, %c6 : i32
  chi.check bounds %is (%k, %c6 : i32, i32) {what = "x"}
  chi.store %zero, %x[%k : i32] inbounds {field_name = "x"} : f32, !chi.field<6xf32>
  chi.next
}
chi.task @beyond(%x: !chi.field<6xf32>, %n: i32) (%i: i32)
    attributes {kernel = "k", facts = #chi.facts<from = [= 0], to = [= 2], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %zero = arith.constant 0.0 : f32
  %0 = chi.local "" : !T
  chi.set %c3, %0[%c0 : i32] : i32, !T
  chi.set %c6, %0[%c1 : i32] : i32, !T
  %k = chi.get %0[%i : i32] : !T -> i32
  %is = arith.cmpi ult, %k, %c6 : i32
  chi.check bounds %is (%k, %c6 : i32, i32) {what = "x"}
  chi.store %zero, %x[%k : i32] inbounds {field_name = "x"} : f32, !chi.field<6xf32>
  chi.next
}
chi.task @changes(%x: !chi.field<6xf32>, %n: i32) (%i: i32)
    attributes {kernel = "k", facts = #chi.facts<from = [= 0], to = [= 2], inputs = [?, ?]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %zero = arith.constant 0.0 : f32
  %0 = chi.local "" : !T
  chi.set %c3, %0[%c0 : i32] : i32, !T
  chi.set %n, %0[%c1 : i32] : i32, !T
  %k = chi.get %0[%i : i32] : !T -> i32
  %is = arith.cmpi ult, %k, %c6 : i32
  chi.check bounds %is (%k, %c6 : i32, i32) {what = "x"}
  chi.store %zero, %x[%k : i32] inbounds {field_name = "x"} : f32, !chi.field<6xf32>
  chi.next
}
