// RUN: chi-opt %s --chi-fast-math | FileCheck %s

// Every operation on floats that may say so, of numbers and of lanes, nested
// however deep; integers say nothing. What said something else before says this
// now, and a strict task keeps what it says.
// CHECK-LABEL: chi.task @k
chi.task @k(%x: !chi.field<?xf32>, %a: f32, %d: f64, %n: i32, %v: vector<8xf32>, %c: i1) (%i: i32) attributes {lanes = 8 : i64} {
  // CHECK: arith.addf %{{.*}} fastmath<[[FAST:reassoc,nsz,arcp,contract,afn]]> : f32
  %0 = arith.addf %a, %a fastmath<nnan,ninf> : f32
  // CHECK: arith.negf %{{.*}} fastmath<[[FAST]]> : f64
  %1 = arith.negf %d : f64
  // CHECK: arith.cmpf olt, %{{.*}} fastmath<[[FAST]]> : f32
  %2 = arith.cmpf olt, %a, %0 : f32
  // CHECK: arith.minnumf %{{.*}} fastmath<[[FAST]]> : f32
  %3 = arith.minnumf %a, %0 : f32
  // An explicit fma rounds once.
  // CHECK: math.fma %{{.*}} fastmath<nsz> : f32
  %4 = math.fma %a, %a, %3 : f32
  // CHECK: chi.root %{{.*}} : f32
  %5 = chi.root %4 : f32
  // CHECK: arith.addi %{{.*}} : i32
  %6 = arith.addi %n, %n : i32
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  %7 = arith.sitofp %6 : i32 to f32
  // CHECK: scf.if
  scf.if %c {
    // CHECK: arith.mulf %{{.*}} fastmath<[[FAST]]> : f32
    %8 = arith.mulf %7, %5 : f32
    chi.store %8, %x[%i : i32] : f32, !chi.field<?xf32>
  }
  chi.next
  // CHECK: wide
} wide {
^bb0(%x: !chi.field<?xf32>, %a: f32, %d: f64, %n: i32, %v: vector<8xf32>, %c: i1, %i: i32):
  // CHECK: arith.divf %{{.*}} fastmath<[[FAST]]> : vector<8xf32>
  %0 = arith.divf %v, %v : vector<8xf32>
  // CHECK: math.exp %{{.*}} fastmath<[[FAST]]> : vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  chi.next
}

// CHECK-LABEL: chi.task @strict
// CHECK:         arith.addf %{{.*}} fastmath<contract> : f32
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
chi.task @strict(%x: !chi.field<f32>, %a: f32) () attributes {strict} {
  %0 = arith.addf %a, %a fastmath<contract> : f32
  %1 = arith.mulf %0, %a : f32
  chi.store %1, %x[] : f32, !chi.field<f32>
  chi.next
}

// Functions are not tasks, whatever calls them: host code, and rare sides of
// the library.
// CHECK-LABEL: func.func private @chi.cold.sin.f32(
// CHECK-NOT:     fastmath
// CHECK-LABEL: func.func @control(
// CHECK-NOT:     fastmath
func.func private @chi.cold.sin.f32(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
func.func @control(%x: f64) -> f64 attributes {chi.control} {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
