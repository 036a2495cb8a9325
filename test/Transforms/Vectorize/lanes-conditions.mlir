// RUN: chi-opt %s --chi-lanes --canonicalize --cse | FileCheck %s

// All others but oneself, whose element is loaded behind the condition: what is loaded of them is the same for all lanes, and the condition is a mask.
// CHECK-LABEL: chi.task @others(
// CHECK:         wide {
// CHECK:           scf.for {{.*}} iter_args({{.*}}) -> (vector<[[N:[0-9]+]]xf32>)
// CHECK:             chi.load %arg0[%{{.*}} : i32] inbounds : {{.*}} -> f32
// CHECK:             arith.cmpi ne, {{.*}} : vector<[[N]]xi32>
// CHECK:             math.sqrt {{.*}} : vector<[[N]]xf32>
// CHECK:             arith.select {{.*}} : vector<[[N]]xi1>, vector<[[N]]xf32>
chi.task @others(%x: !chi.field<512x!chi.vec<2xf32>>, %y: !chi.field<512xf32>) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 512 : i32
  %zero = arith.constant 0.0 : f32
  %s = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 : i32 {
    %other = chi.load %x[%j : i32] inbounds : !chi.field<512x!chi.vec<2xf32>> -> f32
    %c = arith.cmpi ne, %i, %j : i32
    %r = scf.if %c -> f32 {
      %own = chi.load %x[%i : i32] inbounds : !chi.field<512x!chi.vec<2xf32>> -> f32
      %d = arith.subf %own, %other : f32
      %q = arith.mulf %d, %d : f32
      %root = math.sqrt %q : f32
      %next = arith.addf %sum, %root : f32
      scf.yield %next : f32
    } else {
      scf.yield %sum : f32
    }
    scf.yield %r : f32
  }
  chi.store %s, %y[%i : i32] inbounds : f32, !chi.field<512xf32>
  chi.next
}
