// RUN: chi-opt %s --chi-lanes | FileCheck %s
// RUN: chi-opt %s --chi-lanes | chi-opt | FileCheck %s
// RUN: chi-opt %s --chi-lanes="without=element-rows" | FileCheck %s --check-prefix=APART

// APART-NOT: contiguous

// What lanes do with all scalars of neighbouring elements is one load and one store; in between they are values, and what is added twice is added
// to a value twice.
// CHECK-LABEL: chi.task @whole
// CHECK:      wide {
// CHECK-NOT:  unit_axis
// CHECK:      %[[ROW:.+]] = chi.load %[[P:arg0]][%{{.+}} : i32] inbounds {contiguous, field_name = "p"} : <1024x!chi.vec<2xf32>> -> vector<[[ALL:[0-9]+]]xf32>
// CHECK:      %[[EVEN:.+]] = vector.shuffle %[[ROW]], %[[ROW]] [0, 2, 4, {{.*}}] : vector<[[ALL]]xf32>
// CHECK:      %[[ODD:.+]] = vector.shuffle %[[ROW]], %[[ROW]] [1, 3, 5, {{.*}}] : vector<[[ALL]]xf32>
// CHECK:      scf.while
// CHECK:      %[[X:.+]] = arith.addf %[[EVEN]], %[[V:.+]] fastmath<reassoc>
// CHECK:      %[[Y:.+]] = arith.addf %[[ODD]], %[[V]] fastmath<reassoc>
// CHECK:      %[[X2:.+]] = arith.addf %[[X]], %[[V]] fastmath<reassoc>
// CHECK:      %[[OUT:.+]] = vector.shuffle %[[X2]], %[[Y]] [0, {{[0-9]+}}, 1, {{.*}}]
// CHECK-NEXT: chi.store %[[OUT]], %[[P]][%{{.+}} : i32] inbounds {contiguous, field_name = "p"} : vector<[[ALL]]xf32>, <1024x!chi.vec<2xf32>>
// CHECK-NEXT: chi.next
!P = !chi.field<1024x!chi.vec<2xf32>>
chi.task @whole(%p: !P) over 0 (%i: i32) {
  %0 = arith.constant 0.0 : f32
  %1 = arith.constant 1.0 : f32
  %x = chi.load %p[%i : i32] inbounds {field_name = "p"} : !P -> f32
  %y = chi.load %p[%i : i32] component 1 inbounds {field_name = "p"} : !P -> f32
  %s = arith.addf %x, %y : f32
  %v = scf.while (%a = %s) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %1 : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    %n = arith.addf %a, %1 : f32
    scf.yield %n : f32
  }
  %w = arith.mulf %v, %x fastmath<reassoc> : f32
  chi.accum add %w, %p[%i : i32] inbounds strategy(plain) {field_name = "p"} : f32, !P
  chi.accum add %w, %p[%i : i32] component 1 inbounds strategy(plain) {field_name = "p"} : f32, !P
  chi.accum add %w, %p[%i : i32] inbounds strategy(plain) {field_name = "p"} : f32, !P
  chi.next
}

// The other scalar of an element may be somebody else's: what is stored in part stays as it is.
// CHECK-LABEL: chi.task @part
// CHECK:      wide {
// CHECK:      chi.load {{.*}} {contiguous, field_name = "p"}
// CHECK-NOT:  contiguous
// CHECK:      chi.store {{.*}} component 1 inbounds {field_name = "p", unit_axis = 0 : i64}
chi.task @part(%p: !P) over 0 (%i: i32) {
  %1 = arith.constant 1.0 : f32
  %x = chi.load %p[%i : i32] inbounds {field_name = "p"} : !P -> f32
  %v = scf.while (%a = %x) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %1 : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    %n = arith.addf %a, %1 : f32
    scf.yield %n : f32
  }
  chi.store %v, %p[%i : i32] component 1 inbounds {field_name = "p"} : f32, !P
  chi.next
}

// What was stored is there before a check, and before another element of the field is looked at; it is loaded again behind that.
// CHECK-LABEL: chi.task @between
// CHECK:      wide {
// CHECK:      chi.store {{.*}} {contiguous, field_name = "p"}
// CHECK-NEXT: chi.check
// CHECK:      chi.load {{.*}} {contiguous, field_name = "p"}
// CHECK:      chi.load {{.*}} {contiguous, field_name = "q"}
// CHECK:      scf.while
// CHECK:      chi.store {{.*}} {contiguous, field_name = "p"}
// CHECK:      chi.load {{.*}} {contiguous, field_name = "p"}
// CHECK:      chi.store {{.*}} {contiguous, field_name = "q"}
chi.task @between(%p: !P, %q: !P) over 0 (%i: i32) {
  %1 = arith.constant 1.0 : f32
  %one = arith.constant 1 : i32
  %limit = arith.constant 1000 : i32
  chi.store %1, %p[%i : i32] inbounds {field_name = "p"} : f32, !P
  chi.store %1, %p[%i : i32] component 1 inbounds {field_name = "p"} : f32, !P
  %ok = arith.cmpi ult, %i, %limit : i32
  chi.check bounds %ok (%i, %limit : i32, i32) {what = "p"}
  %x = chi.load %p[%i : i32] inbounds {field_name = "p"} : !P -> f32
  %y = chi.load %q[%i : i32] inbounds {field_name = "q"} : !P -> f32
  %s = arith.addf %x, %y : f32
  %v = scf.while (%a = %s) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %1 : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    %n = arith.addf %a, %1 : f32
    scf.yield %n : f32
  }
  chi.store %v, %p[%i : i32] inbounds {field_name = "p"} : f32, !P
  chi.store %v, %p[%i : i32] component 1 inbounds {field_name = "p"} : f32, !P
  %j = arith.addi %i, %one : i32
  %z = chi.load %p[%j : i32] inbounds {field_name = "p"} : !P -> f32
  chi.store %z, %q[%i : i32] inbounds {field_name = "q"} : f32, !P
  chi.store %z, %q[%i : i32] component 1 inbounds {field_name = "q"} : f32, !P
  chi.next
}

// Scalars that lie apart, or lanes along another axis than that of memory, are what they were.
// CHECK-LABEL: chi.task @apart
// CHECK:      wide {
// CHECK-NOT:  contiguous
// CHECK:      chi.next
!S = !chi.field<64x64x!chi.vec<2xf32>, soa, order = [0, 1]>
!T = !chi.field<64x64x!chi.vec<2xf32>, order = [1, 0]>
chi.task @apart(%p: !S, %q: !T) over 0 (%h: i32, %i: i32) {
  %1 = arith.constant 1.0 : f32
  %x = chi.load %p[%h, %i : i32, i32] inbounds : !S -> f32
  %y = chi.load %q[%h, %i : i32, i32] component 1 inbounds : !T -> f32
  %s = arith.addf %x, %y : f32
  %v = scf.while (%a = %s) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %1 : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%a: f32):
    %n = arith.addf %a, %1 : f32
    scf.yield %n : f32
  }
  chi.store %v, %p[%h, %i : i32, i32] component 1 inbounds : f32, !S
  chi.next
}
