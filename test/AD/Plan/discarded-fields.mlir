// What one task stores another one may discard: the adjoint that it takes from
// the field may then be zero, whatever the task itself does.
// RUN: chi-opt %s --chi-differentiate | FileCheck %s

!F = !chi.field<8xf64>
!L = !chi.field<f32>

func.func @script(%L: !L, %x: !F, %y: !F, %z: !F, %w: !F, %v: !F, %u: !F, %r: !F, %c: i1) attributes {chi.host} {
  %flags = arith.constant 0 : i32
  chi.rt "chirt_tape_begin"(%L, %flags) at "Tape" : (!L, i32) -> ()
  func.call @run(%x, %y, %z, %w, %v, %u, %r, %c) : (!F, !F, !F, !F, !F, !F, !F, i1) -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @run(%x: !F, %y: !F, %z: !F, %w: !F, %v: !F, %u: !F, %r: !F, %c: i1) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.launch @to_part(%x, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @part(%y, %z, %c : !F, !F, i1) from (%c0 : i32) to (%c8 : i32)
  chi.launch @to_all(%x, %w : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @all(%w, %z : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @to_border(%x, %v : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @border(%v, %z, %c : !F, !F, i1) from (%c0 : i32) to (%c8 : i32)
  chi.launch @to_other(%x, %u : !F, !F) from (%c0 : i32) to (%c8 : i32)
  chi.launch @other(%u, %r, %c : !F, !F, i1) from (%c0 : i32) to (%c8 : i32)
  chi.launch @scatter(%x, %y : !F, !F) from (%c0 : i32) to (%c8 : i32)
  return
}

// Loaded in a branch.
// CHECK-LABEL: chi.task @to_part.adj(
// CHECK:         %[[G:.*]] = chi.load %arg3[
// CHECK:         %[[P:.*]] = arith.mulf %[[G]]
// CHECK-NEXT:    %[[NONE:.*]] = arith.cmpf oeq, %[[G]], %cst
// CHECK-NEXT:    arith.select %[[NONE]], %cst, %[[P]]
// CHECK:         chi.next
chi.task @to_part(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.store %p, %y[%i : i32] inbounds : f64, !F
  chi.next
}

chi.task @part(%y: !F, %z: !F, %c: i1) over 0 (%i: i32) {
  scf.if %c {
    %a = chi.load %y[%i : i32] inbounds : !F -> f64
    chi.accum add %a, %z[%i : i32] inbounds : f64, !F
  }
  chi.next
}

// Loaded in any case.
// CHECK-LABEL: chi.task @to_all.adj(
// CHECK-NOT:     arith.cmpf
// CHECK:         chi.next
chi.task @to_all(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.store %p, %y[%i : i32] inbounds : f64, !F
  chi.next
}

chi.task @all(%y: !F, %z: !F) over 0 (%i: i32) {
  %a = chi.load %y[%i : i32] inbounds : !F -> f64
  chi.accum add %a, %z[%i : i32] inbounds : f64, !F
  chi.next
}

// Loaded in any case, but some elements are stored over first.
// CHECK-LABEL: chi.task @to_border.adj(
// CHECK:         %[[G:.*]] = chi.load %arg3[
// CHECK:         arith.cmpf oeq, %[[G]], %cst
// CHECK:         chi.next
chi.task @to_border(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.store %p, %y[%i : i32] inbounds : f64, !F
  chi.next
}

chi.task @border(%y: !F, %z: !F, %c: i1) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f64
  scf.if %c {
    chi.store %one, %y[%i : i32] inbounds : f64, !F
  }
  %a = chi.load %y[%i : i32] inbounds : !F -> f64
  chi.accum add %a, %z[%i : i32] inbounds : f64, !F
  chi.next
}

// Loaded by a select that may take another value.
// CHECK-LABEL: chi.task @to_other.adj(
// CHECK:         %[[G:.*]] = chi.load %arg3[
// CHECK:         arith.cmpf oeq, %[[G]], %cst
// CHECK:         chi.next
chi.task @to_other(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  chi.store %p, %y[%i : i32] inbounds : f64, !F
  chi.next
}

chi.task @other(%y: !F, %z: !F, %c: i1) over 0 (%i: i32) {
  %one = arith.constant 1.0 : f64
  %a = chi.load %y[%i : i32] inbounds : !F -> f64
  %s = arith.select %c, %a, %one : f64
  chi.accum add %s, %z[%i : i32] inbounds : f64, !F
  chi.next
}

// An addition to an element that other iterations add to as well has a guard
// only if its own element may be left out: not if the place is loaded.
// CHECK-LABEL: chi.task @scatter.adj(
// CHECK-NOT:     arith.cmpf
// CHECK:         chi.next
chi.task @scatter(%x: !F, %y: !F) over 0 (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !F -> f64
  %p = arith.mulf %a, %a : f64
  %k = chi.to_int %a : f64 -> i32
  chi.accum add %p, %y[%k : i32] inbounds : f64, !F
  chi.next
}
