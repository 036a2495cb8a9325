// RUN: chi-opt %s | chi-opt | FileCheck %s
// RUN: chi-opt %s --mlir-print-op-generic | chi-opt | FileCheck %s

// CHECK-LABEL: chi.kernel @k(%{{.*}}: f32, %{{.*}}: !chi.field<?xf32>) -> f32 attributes {lanes = 1 : i64, strict}
chi.kernel @k(%c: f32, %x: !chi.field<?xf32>) -> f32 attributes {strict, lanes = 1 : i64} {
  %a = arith.constant 0 : i32
  %b = arith.constant 8 : i32
  // CHECK: chi.cell "s" : <f32>
  %s = chi.cell "s" : !chi.field<f32>
  // CHECK: chi.parallel (%[[I:.*]], %{{.*}} : i32, i32) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) {
  chi.parallel (%i, %j : i32, i32) = (%a, %a) to (%b, %b) {
    // CHECK: chi.if
    %ok = arith.cmpi slt, %i, %j : i32
    chi.if %ok {
      // CHECK: chi.continue
      chi.continue
    } else {
      chi.next
    }
    // CHECK: chi.for %{{.*}} = %{{.*}} to %{{.*}} step %[[I]] : i32 {
    chi.for %q = %a to %b step %i : i32 {
      // CHECK: chi.break
      chi.break
    }
    // CHECK: chi.while
    chi.while {
      // CHECK: chi.condition
      chi.condition %ok
    } do {
      chi.next
    }
    chi.next
  // CHECK: {axes = ["i", "j"], block = 128 : i64}
  } {axes = ["i", "j"], block = 128 : i64}
  // CHECK: chi.parallel (%{{.*}} : i32) over %{{.*}} : !chi.field<?xf32> {
  chi.parallel (%i : i32) over %x : !chi.field<?xf32> {
    chi.next
  }
  // CHECK: chi.parallel (%{{.*}} : i64) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
  %c64 = arith.constant 64 : i64
  chi.parallel (%i : i64) = (%c64) to (%c64) step (%c64) {
    chi.next
  }
  // CHECK: chi.return %{{.*}} : f32
  chi.return %c : f32
}

// CHECK-LABEL: chi.task @k.t0(%{{.*}}: !chi.field<?xf32>, %{{.*}}: f32) over 0 (%{{.*}}: i32) attributes {axes = ["i"], kernel = "k"} {
chi.task @k.t0(%x: !chi.field<?xf32>, %a: f32) over 0 (%i: i32) attributes {kernel = "k", axes = ["i"]} {
  chi.next
}
// CHECK: chi.task @k.t1() () {
chi.task @k.t1() () {
  chi.next
}
// CHECK-LABEL: func.func @control
func.func @control(%x: !chi.field<?xf32>, %a: f32, %n: i32) attributes {chi.control} {
  // CHECK: chi.launch @k.t0(%{{.*}}, %{{.*}} : !chi.field<?xf32>, f32) from(%{{.*}} : i32) to(%{{.*}} : i32)
  chi.launch @k.t0(%x, %a : !chi.field<?xf32>, f32) from (%n : i32) to (%n : i32)
  // CHECK: chi.launch @k.t1()
  chi.launch @k.t1()
  return
}
// CHECK-LABEL: func.func @chi.script
func.func @chi.script(%x: !chi.field<?xf32>, %a: f32, %n: i32) attributes {chi.host} {
  %r = chi.call @k(%a, %x) : (f32, !chi.field<?xf32>) -> f32
  // CHECK: progress
  chi.for %i = %n to %n step %n : i32 progress {
    chi.next
  }
  chi.return
}
