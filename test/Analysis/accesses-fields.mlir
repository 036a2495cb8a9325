// RUN: chi-opt %s --allow-unregistered-dialect --chi-launch-facts --chi-test-accesses --split-input-file --verify-diagnostics

// Two fields that a call may pass one for the other: what is apart in one field
// is apart in two, what is not may meet.
func.func @launches(%f: !chi.field<64xf32>, %g: !chi.field<64xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @two(%f, %g : !chi.field<64xf32>, !chi.field<64xf32>) from (%c0 : i32) to (%c8 : i32)
  return
}
chi.task @two (%f: !chi.field<64xf32>, %g: !chi.field<64xf32>) (%i: i32) attributes {axes = ["i"]} {
  %c1 = arith.constant 1 : i32
  %next = arith.addi %i, %c1 : i32
  %a = chi.load %f[%i : i32] {as = "f"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['i'].0, apart, may meet next;}}
  %b = chi.load %g[%i : i32] {as = "g"} : !chi.field<64xf32> -> f32 // expected-remark {{load c1['i'].0, meets next;}}
  %c = chi.load %g[%next : i32] {as = "next"} : !chi.field<64xf32> -> f32 // expected-remark {{load c1['i + 1'].0, meets g, may meet f;}}
  chi.next
}

// -----

// Which types one field can have: with other extents where one is not fixed, not
// with another element, rank, layout or order.
chi.task @types (%f: !chi.field<64xf32>, %open: !chi.field<?xf32>, %short: !chi.field<32xf32>, %ints: !chi.field<64xi32>, %plane: !chi.field<8x8xf32>, %vecs: !chi.field<64x!chi.vec<2xf32>>, %soa: !chi.field<64x!chi.vec<2xf32>, soa>, %turned: !chi.field<8x8xf32, order = [1, 0]>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %0 = chi.load %f[%c0 : i32] {as = "f"} : !chi.field<64xf32> -> f32 // expected-remark {{load c0['0'].0, meets f, may meet open;}}
  %1 = chi.load %open[%c0 : i32] {as = "open"} : !chi.field<?xf32> -> f32 // expected-remark {{load c1['0'].0, meets open, may meet f short;}}
  %2 = chi.load %short[%c0 : i32] {as = "short"} : !chi.field<32xf32> -> f32 // expected-remark {{load c2['0'].0, meets short, may meet open;}}
  %3 = chi.load %ints[%c0 : i32] {as = "ints"} : !chi.field<64xi32> -> i32 // expected-remark {{load c3['0'].0, meets ints;}}
  %4 = chi.load %plane[%c0, %c0 : i32, i32] {as = "plane"} : !chi.field<8x8xf32> -> f32 // expected-remark {{load c4['0', '0'].0, meets plane;}}
  %5 = chi.load %vecs[%c0 : i32] {as = "vecs"} : !chi.field<64x!chi.vec<2xf32>> -> f32 // expected-remark {{load c5['0'].0, meets vecs;}}
  %6 = chi.load %soa[%c0 : i32] {as = "soa"} : !chi.field<64x!chi.vec<2xf32>, soa> -> f32 // expected-remark {{load c6['0'].0, meets soa;}}
  %7 = chi.load %turned[%c0, %c0 : i32, i32] {as = "turned"} : !chi.field<8x8xf32, order = [1, 0]> -> f32 // expected-remark {{load c7['0', '0'].0, meets turned;}}
  chi.next
}

// -----

// Through casts it is the same field; components are apart, unless one is found
// at run time.
chi.task @components (%f: !chi.field<64x!chi.vec<2xf32>>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %open = chi.cast_field %f : !chi.field<64x!chi.vec<2xf32>> to !chi.field<?x!chi.vec<2xf32>>
  %0 = chi.load %f[%c0 : i32] {as = "x"} : !chi.field<64x!chi.vec<2xf32>> -> f32 // expected-remark {{load c0['0'].0, meets x any;}}
  %1 = chi.load %open[%c0 : i32] component 1 {as = "y"} : !chi.field<?x!chi.vec<2xf32>> -> f32 // expected-remark {{load c0['0'].1, meets y any;}}
  %2 = chi.load %open[%c0 : i32] dynamic(%i : i32) {as = "any"} : !chi.field<?x!chi.vec<2xf32>> -> f32 // expected-remark {{load c0['0'].?, meets x y any;}}
  %3 = chi.load %open[%c1 : i32] dynamic(%i : i32) {as = "else"} : !chi.field<?x!chi.vec<2xf32>> -> f32 // expected-remark {{load c0['1'].?, meets else;}}
  chi.next
}

// -----

// A field without axes: all iterations share it, if there are several.
func.func @launches(%s: !chi.field<f32>) attributes {chi.control} {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  chi.launch @several(%s : !chi.field<f32>) from (%c3 : i32) to (%c5 : i32)
  chi.launch @single(%s : !chi.field<f32>) from (%c3 : i32) to (%c4 : i32)
  chi.launch @serial(%s : !chi.field<f32>)
  return
}
chi.task @several (%s: !chi.field<f32>) (%i: i32) {
  "ask.single"() : () -> () // expected-remark {{many}}
  %a = chi.load %s[] : !chi.field<f32> -> f32 // expected-remark {{load c0[].0, meets #0;}}
  chi.next
}
chi.task @single (%s: !chi.field<f32>) (%i: i32) {
  "ask.single"() : () -> () // expected-remark {{single}}
  %a = chi.load %s[] : !chi.field<f32> -> f32 // expected-remark {{load c0[].0, apart;}}
  chi.next
}
chi.task @serial (%s: !chi.field<f32>) () {
  "ask.single"() : () -> () // expected-remark {{single}}
  %a = chi.load %s[] : !chi.field<f32> -> f32 // expected-remark {{load c0[].0, apart;}}
  chi.next
}

// -----

// What an access does. `atomic sub` is one way with `add`, so that its name is
// free: it stands for products, which no atomic operation makes. `load` is no
// update.
chi.task @modes (%f: !chi.field<64xi32>) (%i: i32) {
  %c0 = arith.constant 0 : i32
  %a = chi.load %f[%i : i32] : !chi.field<64xi32> -> i32 // expected-remark {{load c0['i0'].0, apart;}}
  chi.store %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{store c0['i0'].0, apart;}}
  chi.accum add %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{accum c0['i0'].0 add, apart;}}
  chi.accum mul %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{accum c0['i0'].0 sub, apart;}}
  chi.accum min %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{accum c0['i0'].0 min, apart;}}
  chi.accum max %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{accum c0['i0'].0 max, apart;}}
  chi.accum xor %c0, %f[%i : i32] : i32, !chi.field<64xi32> // expected-remark {{accum c0['i0'].0 xor, apart;}}
  %b = chi.atomic add %c0, %f[%i : i32] : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0['i0'].0 add, apart;}}
  %c = chi.atomic sub %c0, %f[%i : i32] : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0['i0'].0 add, apart;}}
  %d = chi.atomic exchange %c0, %f[%i : i32] : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0['i0'].0 exchange, apart;}}
  %e = chi.atomic cas %c0, %f[%i : i32] expects(%c0 : i32) : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0['i0'].0 cas, apart;}}
  %g = chi.atomic load %c0, %f[%i : i32] : i32, !chi.field<64xi32> -> i32 // expected-remark {{atomic c0['i0'].0, apart;}}
  chi.next
}
