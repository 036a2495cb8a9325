// RUN: chi-opt %s --chi-inline --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: not chi-opt %s --chi-inline=invalid 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: invalid

// Both are gone: nothing calls them any more.
// CHECK-NOT: @square
// CHECK-NOT: @quartic
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32 loc("a.chi":1:2)
  return %y : f32
}
func.func private @quartic(%x: f32) -> f32 {
  %a = func.call @square(%x) : (f32) -> f32 loc("a.chi":3:4)
  %b = func.call @square(%a) : (f32) -> f32 loc("a.chi":4:4)
  return %b : f32
}

// One that the host calls stays.
// CHECK: func.func private @twice
func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: chi.kernel @k
chi.kernel @k(%x: !chi.field<?xf32>) {
  // CHECK: chi.parallel
  chi.parallel (%i : i32) over %x : !chi.field<?xf32> {
    // CHECK: %[[V:.*]] = chi.load
    %v = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
    // CHECK: %[[A:.*]] = arith.mulf %[[V]], %[[V]] : f32 loc(callsite(callsite("a.chi":1:2 at "a.chi":3:4) at "a.chi":9:9))
    // CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[A]] : f32 loc(callsite(callsite("a.chi":1:2 at "a.chi":4:4) at "a.chi":9:9))
    %q = func.call @quartic(%v) : (f32) -> f32 loc("a.chi":9:9)
    // CHECK: %[[C:.*]] = arith.addf %[[B]], %[[B]]
    %t = func.call @twice(%q) : (f32) -> f32
    // CHECK: chi.store %[[C]]
    chi.store %t, %x[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}

func.func @chi.script(%x: f32) attributes {chi.host} {
  // CHECK: call @twice
  %y = func.call @twice(%x) : (f32) -> f32
  return
}

// A call with an adjoint of its own stays for derivatives; what both functions
// call does not.
// CHECK-LABEL: func.func private @own
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func private @own(%x: f32) -> f32 {
  %y = call @twice(%x) : (f32) -> f32
  return %y : f32
}
// CHECK-LABEL: func.func private @own_bar
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func private @own_bar(%x: f32, %r: f32, %d: f32) -> f32 {
  %y = call @twice(%d) : (f32) -> f32
  return %y : f32
}
// CHECK-LABEL: chi.kernel @uses
chi.kernel @uses(%x: !chi.field<?xf32>) {
  chi.parallel (%i : i32) over %x : !chi.field<?xf32> {
    %v = chi.load %x[%i : i32] : !chi.field<?xf32> -> f32
    // CHECK: func.call @own(%{{.*}}) {custom_adjoint = @own_bar}
    %t = func.call @own(%v) {custom_adjoint = @own_bar} : (f32) -> f32
    chi.store %t, %x[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}
