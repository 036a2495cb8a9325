// RUN: chi-opt %s --chi-fast-math | FileCheck %s

// Tasks that are not strict; never nnan, ninf.
// CHECK-LABEL: chi.task @k.t0
// CHECK:         arith.mulf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn>
// CHECK:         math.sqrt %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn>
chi.task @k.t0(%x: !chi.field<f32>, %a: f32) () attributes {kernel = "k"} {
  %m = arith.mulf %a, %a : f32
  %s = math.sqrt %m : f32
  chi.store %s, %x[] : f32, !chi.field<f32>
  chi.next
}
// CHECK-LABEL: chi.task @k.t1
// CHECK-NOT:     fastmath
chi.task @k.t1(%x: !chi.field<f32>, %a: f32) () attributes {kernel = "k", strict} {
  %m = arith.mulf %a, %a : f32
  chi.store %m, %x[] : f32, !chi.field<f32>
  chi.next
}
// A reciprocal of f16 is too coarse to divide by.
// CHECK-LABEL: chi.task @k.t2
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,contract,afn> : f16
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,contract,afn> : vector<8xf16>
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
chi.task @k.t2(%x: !chi.field<f32>, %h: f16, %v: vector<8xf16>, %a: f32) () attributes {kernel = "k"} {
  %m = arith.divf %h, %h : f16
  %n = arith.divf %v, %v : vector<8xf16>
  %d = arith.divf %a, %a : f32
  chi.next
}
// Nor is one exact enough for what is a whole number then.
// CHECK-LABEL: chi.task @k.t3
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,contract,afn> : f64
// CHECK:         math.floor
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,contract,afn> : f64
// CHECK:         chi.to_int
// CHECK:         arith.divf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f64
chi.task @k.t3(%x: !chi.field<f64>, %i: !chi.field<i32>, %a: f64, %b: f64) () attributes {kernel = "k"} {
  %q = arith.divf %a, %b : f64
  %f = math.floor %q : f64
  %r = arith.divf %b, %a : f64
  %n = chi.to_int %r : f64 -> i32
  %s = arith.divf %f, %b : f64
  chi.store %s, %x[] : f64, !chi.field<f64>
  chi.store %n, %i[] : i32, !chi.field<i32>
  chi.next
}
// CHECK-LABEL: func.func @host
// CHECK-NOT:     fastmath
func.func @host(%a: f32) -> f32 attributes {chi.host} {
  %m = arith.mulf %a, %a : f32
  return %m : f32
}
