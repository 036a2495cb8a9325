// How much a branch may compute to become a choice: with a load 12 operations, 4
// of them loads; without one 24, 4 of them quotients.
// RUN: chi-opt %s --chi-speculate-loads | FileCheck %s
// RUN: chi-opt %s --chi-speculate-loads=without=flat-branches | FileCheck %s --check-prefix=OFF

!F = !chi.field<64xf32>

// OFF-COUNT-6: scf.if

// Twenty-four values.
// CHECK-LABEL: chi.task @values(
// CHECK-NOT:     scf.if
// CHECK:         arith.select
// CHECK-NOT:     scf.if
// CHECK:         chi.next
chi.task @values(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %v0 = arith.addf %a, %a : f32
    %v1 = arith.addf %v0, %a : f32
    %v2 = arith.addf %v1, %a : f32
    %v3 = arith.addf %v2, %a : f32
    %v4 = arith.addf %v3, %a : f32
    %v5 = arith.addf %v4, %a : f32
    %v6 = arith.addf %v5, %a : f32
    %v7 = arith.addf %v6, %a : f32
    %v8 = arith.addf %v7, %a : f32
    %v9 = arith.addf %v8, %a : f32
    %v10 = arith.addf %v9, %a : f32
    %v11 = arith.addf %v10, %a : f32
    %v12 = arith.addf %v11, %a : f32
    %v13 = arith.addf %v12, %a : f32
    %v14 = arith.addf %v13, %a : f32
    %v15 = arith.addf %v14, %a : f32
    %v16 = arith.addf %v15, %a : f32
    %v17 = arith.addf %v16, %a : f32
    %v18 = arith.addf %v17, %a : f32
    %v19 = arith.addf %v18, %a : f32
    %v20 = arith.addf %v19, %a : f32
    %v21 = arith.addf %v20, %a : f32
    %v22 = arith.addf %v21, %a : f32
    %v23 = arith.addf %v22, %a : f32
    scf.yield %v23 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Twenty-five.
// CHECK-LABEL: chi.task @many(
// CHECK:         scf.if
chi.task @many(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %v0 = arith.addf %a, %a : f32
    %v1 = arith.addf %v0, %a : f32
    %v2 = arith.addf %v1, %a : f32
    %v3 = arith.addf %v2, %a : f32
    %v4 = arith.addf %v3, %a : f32
    %v5 = arith.addf %v4, %a : f32
    %v6 = arith.addf %v5, %a : f32
    %v7 = arith.addf %v6, %a : f32
    %v8 = arith.addf %v7, %a : f32
    %v9 = arith.addf %v8, %a : f32
    %v10 = arith.addf %v9, %a : f32
    %v11 = arith.addf %v10, %a : f32
    %v12 = arith.addf %v11, %a : f32
    %v13 = arith.addf %v12, %a : f32
    %v14 = arith.addf %v13, %a : f32
    %v15 = arith.addf %v14, %a : f32
    %v16 = arith.addf %v15, %a : f32
    %v17 = arith.addf %v16, %a : f32
    %v18 = arith.addf %v17, %a : f32
    %v19 = arith.addf %v18, %a : f32
    %v20 = arith.addf %v19, %a : f32
    %v21 = arith.addf %v20, %a : f32
    %v22 = arith.addf %v21, %a : f32
    %v23 = arith.addf %v22, %a : f32
    %v24 = arith.addf %v23, %a : f32
    scf.yield %v24 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Four quotients.
// CHECK-LABEL: chi.task @quotients(
// CHECK-NOT:     scf.if
// CHECK:         arith.select
// CHECK-NOT:     scf.if
// CHECK:         chi.next
chi.task @quotients(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %v0 = arith.divf %a, %a : f32
    %v1 = arith.divf %v0, %a : f32
    %v2 = arith.divf %v1, %a : f32
    %v3 = arith.divf %v2, %a : f32
    scf.yield %v3 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// Five.
// CHECK-LABEL: chi.task @divides(
// CHECK:         scf.if
chi.task @divides(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %v0 = arith.divf %a, %a : f32
    %v1 = arith.divf %v0, %a : f32
    %v2 = arith.divf %v1, %a : f32
    %v3 = arith.divf %v2, %a : f32
    %v4 = arith.divf %v3, %a : f32
    scf.yield %v4 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A load and eleven more.
// CHECK-LABEL: chi.task @load(
// CHECK-NOT:     scf.if
// CHECK:         arith.select
// CHECK-NOT:     scf.if
// CHECK:         chi.next
chi.task @load(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %l = chi.load %x[%i : i32] inbounds : !F -> f32
    %v0 = arith.addf %l, %a : f32
    %v1 = arith.addf %v0, %a : f32
    %v2 = arith.addf %v1, %a : f32
    %v3 = arith.addf %v2, %a : f32
    %v4 = arith.addf %v3, %a : f32
    %v5 = arith.addf %v4, %a : f32
    %v6 = arith.addf %v5, %a : f32
    %v7 = arith.addf %v6, %a : f32
    %v8 = arith.addf %v7, %a : f32
    %v9 = arith.addf %v8, %a : f32
    %v10 = arith.addf %v9, %a : f32
    scf.yield %v10 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}

// A load and twelve more.
// CHECK-LABEL: chi.task @long(
// CHECK:         scf.if
chi.task @long(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %a, %zero : f32
  %r = scf.if %c -> (f32) {
    %l = chi.load %x[%i : i32] inbounds : !F -> f32
    %v0 = arith.addf %l, %a : f32
    %v1 = arith.addf %v0, %a : f32
    %v2 = arith.addf %v1, %a : f32
    %v3 = arith.addf %v2, %a : f32
    %v4 = arith.addf %v3, %a : f32
    %v5 = arith.addf %v4, %a : f32
    %v6 = arith.addf %v5, %a : f32
    %v7 = arith.addf %v6, %a : f32
    %v8 = arith.addf %v7, %a : f32
    %v9 = arith.addf %v8, %a : f32
    %v10 = arith.addf %v9, %a : f32
    %v11 = arith.addf %v10, %a : f32
    scf.yield %v11 : f32
  } else {
    scf.yield %zero : f32
  }
  chi.store %r, %y[%i : i32] inbounds : f32, !F
  chi.next
}
