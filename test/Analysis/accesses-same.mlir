// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-accesses --split-input-file --verify-diagnostics

// The same in all iterations: what is captured and what is computed from it
// alone. A value of a loop differs from turn to turn, one from memory and a
// random number from iteration to iteration.
chi.task @uniform (%n: i32, %x: f32, %f: !chi.field<?xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %d = chi.dim %f, 0 : !chi.field<?xf32> -> i32
  "ask.uniform"(%n) : (i32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%x) : (f32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%f) : (!chi.field<?xf32>) -> () // expected-remark {{uniform}}
  "ask.uniform"(%c1) : (i32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%d) : (i32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%i) : (i32) -> () // expected-remark {{varies}}
  %sum = arith.addi %n, %d : i32
  %root = math.sqrt %x : f32
  %own = arith.addi %sum, %i : i32
  %none = arith.subi %i, %i : i32
  "ask.uniform"(%sum) : (i32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%root) : (f32) -> () // expected-remark {{uniform}}
  "ask.uniform"(%own) : (i32) -> () // expected-remark {{varies}}
  "ask.uniform"(%none) : (i32) -> () // expected-remark {{varies}}
  %v = chi.load %f[%c0 : i32] : !chi.field<?xf32> -> f32 // expected-remark {{load c2['0'].0, meets #0;}}
  "ask.uniform"(%v) : (f32) -> () // expected-remark {{varies}}
  %it = chi.iteration : i64
  %r = chi.random loop 0 call %c0 launch %c0 iteration %it draw %c0
  "ask.uniform"(%r) : (i64) -> () // expected-remark {{varies}}
  %p = chi.local "p" : !chi.local<4xi32>
  %g = chi.get %p[%c0 : i32] : !chi.local<4xi32> -> i32
  "ask.uniform"(%g) : (i32) -> () // expected-remark {{varies}}
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%a = %n) -> (i32) : i32 {
    "ask.uniform"(%k) : (i32) -> () // expected-remark {{varies}}
    "ask.uniform"(%a) : (i32) -> () // expected-remark {{varies}}
    // Not of the loop, though in it.
    %inner = arith.addi %n, %c1 : i32
    "ask.uniform"(%inner) : (i32) -> () // expected-remark {{uniform}}
    scf.yield %inner : i32
  }
  "ask.uniform"(%last) : (i32) -> () // expected-remark {{varies}}
  %less = arith.cmpi slt, %i, %n : i32
  %branch = scf.if %less -> (i32) {
    scf.yield %n : i32
  } else {
    scf.yield %d : i32
  }
  %pick = arith.select %less, %n, %d : i32
  "ask.uniform"(%branch) : (i32) -> () // expected-remark {{varies}}
  "ask.uniform"(%pick) : (i32) -> () // expected-remark {{varies}}
  chi.next
}

// -----

// A quotient of captured numbers is one number for all iterations, though it is
// no sum: what is shifted by it stays apart. One of the index is not.
func.func @launches(%f: !chi.field<?xf32>, %n: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c100 = arith.constant 100 : i32
  %small = arith.cmpi ult, %n, %c100 : i32
  chi.check bounds %small
  chi.launch @shift(%f, %n : !chi.field<?xf32>, i32) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @shift (%f: !chi.field<?xf32>, %n: i32) (%i: i32) attributes {axes = ["i"]} {
  %c2 = arith.constant 2 : i32
  %half = chi.floordiv %n, %c2 : i32
  %at = arith.addi %i, %half : i32
  %a = chi.load %f[%at : i32] {as = "half"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['floordiv + i'].0, meets rest mine;}}
  // 0 or 1, but the same for all.
  %rest = chi.floormod %n, %c2 : i32
  %by = arith.addi %i, %rest : i32
  %b = chi.load %f[%by : i32] {as = "rest"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['floormod + i'].0, meets half mine;}}
  %own = chi.floormod %i, %c2 : i32
  %odd = arith.addi %i, %own : i32
  %c = chi.load %f[%odd : i32] {as = "mine"} : !chi.field<?xf32> -> f32 // expected-remark {{load c0['floormod + i'].0, meets half rest mine;}}
  chi.next
}

// -----

// Accesses that are alike: the same to the same element in one block, however
// the index was computed. Not those that do another thing.
chi.task @alike (%f: !chi.field<64x!chi.vec<2xi32>>, %g: !chi.field<64x!chi.vec<2xi32>>, %n: i32, %t: i1) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.addi %i, %c1 overflow<nsw> : i32
  %b = arith.addi %c1, %i overflow<nsw> : i32
  %0 = chi.load %f[%a : i32] {as = "a"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %1 = chi.load %f[%b : i32] {as = "b"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %2 = chi.load %f[%i : i32] {as = "i"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %3 = chi.load %f[%a : i32] component 1 {as = "y"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %4 = chi.load %f[%a : i32] dynamic(%n : i32) {as = "n"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %5 = chi.load %f[%b : i32] dynamic(%n : i32) {as = "n2"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %6 = chi.load %f[%b : i32] dynamic(%i : i32) {as = "any"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  %7 = chi.load %g[%a : i32] {as = "g"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c1}}
  chi.store %0, %f[%a : i32] {as = "store"} : i32, !chi.field<64x!chi.vec<2xi32>> // expected-remark {{store c0}}
  scf.if %t {
    %8 = chi.load %f[%a : i32] {as = "inner"} : !chi.field<64x!chi.vec<2xi32>> -> i32 // expected-remark {{load c0}}
  }
  "ask.alike"() : () -> () // expected-remark {{alike: a a i y n n any g store inner;}}
  chi.next
}
chi.task @alikeUpdates (%f: !chi.field<64xi32>) (%i: i32) {
  %c1 = arith.constant 1 : i32
  chi.accum add %c1, %f[%i : i32] {as = "plus"} : i32, !chi.field<64xi32> // expected-remark {{accum c0}}
  chi.accum add %i, %f[%i : i32] {as = "more"} : i32, !chi.field<64xi32> // expected-remark {{accum c0}}
  chi.accum mul %c1, %f[%i : i32] {as = "times"} : i32, !chi.field<64xi32> // expected-remark {{accum c0}}
  %0 = chi.atomic add %c1, %f[%i : i32] {as = "atomic"} : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0}}
  %1 = chi.atomic sub %c1, %f[%i : i32] {as = "minus"} : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0}}
  %2 = chi.atomic max %c1, %f[%i : i32] {as = "max"} : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0}}
  %3 = chi.atomic load %c1, %f[%i : i32] {as = "load"} : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0}}
  "ask.alike"() : () -> () // expected-remark {{alike: plus plus times atomic atomic max load;}}
  chi.next
}

// -----

// Numbers at the border of 64 bits: where an element lies is not known then,
// and a search that wraps itself must not find it apart.
chi.task @huge (%f: !chi.field<?xf32>, %ids: !chi.field<64xi64>) (%i: i32) attributes {axes = ["i"]} {
  %huge = arith.constant 9223372036854775807 : i64
  %x = chi.load %ids[%i : i32] component 0 : !chi.field<64xi64> -> i64 // expected-remark {{load c1}}
  %y = chi.load %ids[%i : i32] component 0 : !chi.field<64xi64> -> i64 // expected-remark {{load c1}}
  %a = arith.muli %x, %huge overflow<nsw> : i64
  %b = arith.muli %y, %huge overflow<nsw> : i64
  %ab = arith.addi %a, %b overflow<nsw> : i64
  %v = chi.load %f[%ab : i64] {as = "v"} : !chi.field<?xf32> -> f32 // expected-remark {{, meets v;}}
  chi.next
}
