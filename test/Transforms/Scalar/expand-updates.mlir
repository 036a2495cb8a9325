// Updates of elements that no other iteration touches are loads and stores.
// RUN: chi-opt %s --chi-expand-updates | FileCheck %s

// CHECK-LABEL: chi.task @own
// CHECK:         %[[OLD:.*]] = chi.load %[[X:.*]][%[[I:.*]] : i32] component 1 inbounds {field_name = "x"}
// CHECK-NEXT:    %[[NEW:.*]] = arith.mulf %[[OLD]], %[[V:.*]] : f32
// CHECK-NEXT:    chi.store %[[NEW]], %[[X]][%[[I]] : i32] component 1 inbounds {field_name = "x"}
// CHECK:         arith.minnumf {{.*}} {chi.old_wins = true}
// CHECK-NEXT:    chi.store
// A sum stays: its derivative needs nothing of the element.
// CHECK:         chi.accum add
// CHECK-NOT:     chi.load
chi.task @own(%x: !chi.field<?x!chi.vec<2xf32>>, %y: !chi.field<?xf32>, %v: f32) over 0 (%i: i32) {
  chi.accum mul %v, %x[%i : i32] component 1 inbounds {field_name = "x"} : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.accum min %v, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  chi.accum add %v, %x[%i : i32] component 0 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}

// A sum that is read again is known; not one that is read only before.
// CHECK-LABEL: chi.task @again
// CHECK:         %[[OLD:.*]] = chi.load %[[X:.*]][
// CHECK-NEXT:    %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK-NEXT:    chi.store %[[NEW]], %[[X]]
// CHECK:         chi.accum add
// CHECK-NOT:     chi.store
// CHECK:         chi.next
chi.task @again(%x: !chi.field<?xf32>, %y: !chi.field<?xf32>, %c: i1, %v: f32) over 0 (%i: i32) {
  chi.accum add %v, %x[%i : i32] inbounds : f32, !chi.field<?xf32>
  %b = chi.load %y[%i : i32] inbounds : !chi.field<?xf32> -> f32
  scf.if %c {
    %a = chi.load %x[%i : i32] inbounds : !chi.field<?xf32> -> f32
    %s = arith.addf %a, %b : f32
    chi.accum add %s, %y[%i : i32] inbounds : f32, !chi.field<?xf32>
  }
  chi.next
}

// Each kind of integers, signed or not.
// CHECK-LABEL: chi.task @integers
// CHECK:         arith.muli
// CHECK:         arith.maxui
// CHECK:         arith.minsi
// CHECK:         arith.andi
// CHECK:         arith.ori
// CHECK:         arith.xori
// CHECK-NOT:     chi.accum
// CHECK:         chi.next
chi.task @integers(%x: !chi.field<?xi32>, %v: i32) over 0 (%i: i32) {
  chi.accum mul %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.accum maxu %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.accum min %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.accum and %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.accum or %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.accum xor %v, %x[%i : i32] inbounds : i32, !chi.field<?xi32>
  chi.next
}

// An element that others may touch, by this access or another one.
// CHECK-LABEL: chi.task @shared
// CHECK-NOT:     chi.store
// CHECK:         chi.next
chi.task @shared(%x: !chi.field<8xf32>, %y: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32) {
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  %j = arith.divsi %i, %c2 : i32
  %n = arith.addi %i, %c1 : i32
  chi.accum mul %v, %x[%j : i32] inbounds : f32, !chi.field<8xf32>
  chi.accum mul %v, %y[%i : i32] inbounds : f32, !chi.field<8xf32>
  %next = chi.load %y[%n : i32] inbounds : !chi.field<8xf32> -> f32
  chi.accum mul %v, %s[] inbounds : f32, !chi.field<f32>
  chi.next
}

// Outside of parallel loops there is one worker.
// CHECK-LABEL: chi.task @serial
// CHECK:         chi.load
// CHECK:         chi.store
// CHECK-NOT:     chi.accum
chi.task @serial(%s: !chi.field<f32>, %v: f32) () {
  chi.accum mul %v, %s[] inbounds : f32, !chi.field<f32>
  chi.next
}

// Behind a condition that leaves one index, an access is still this
// iteration's own; a fixed element is not.
// CHECK-LABEL: chi.task @edge
// CHECK:         arith.mulf
// CHECK-NEXT:    chi.store %{{.*}}, %arg0
// CHECK:         chi.accum mul %{{.*}}, %arg1
// CHECK:         scf.if
// CHECK:           arith.minnumf
// CHECK-NEXT:      chi.store %{{.*}}, %arg2
// CHECK:         chi.next
chi.task @edge(%x: !chi.field<?x?xf32>, %y: !chi.field<?x?xf32>, %z: !chi.field<?x?xf32>, %v: f32) over 0 (%i: i32, %j: i32) {
  %c0 = arith.constant 0 : i32
  chi.accum mul %v, %x[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  chi.accum mul %v, %y[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  chi.store %v, %y[%c0, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  %first = arith.cmpi eq, %i, %c0 : i32
  scf.if %first {
    chi.store %v, %x[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
    chi.accum min %v, %z[%i, %j : i32, i32] inbounds : f32, !chi.field<?x?xf32>
  }
  chi.next
}

// For derivatives alone: in what a tape may record.
// RUN: chi-opt %s --chi-expand-updates=only-recorded | FileCheck %s --check-prefix=RECORDED
// RECORDED-LABEL: chi.task @own
// RECORDED:         chi.accum mul
// RECORDED-NEXT:    chi.accum min
// RECORDED-LABEL: chi.task @taped
// RECORDED:         chi.load
// RECORDED-NEXT:    arith.mulf
// RECORDED-NEXT:    chi.store
func.func @script(%x: !chi.field<8xf32>, %l: !chi.field<f32>, %v: f32) attributes {chi.control} {
  %flags = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  chi.rt "chirt_tape_begin"(%l, %flags) at "Tape" : (!chi.field<f32>, i32) -> ()
  chi.launch @taped(%x, %v : !chi.field<8xf32>, f32) from (%c0 : i32) to (%c8 : i32)
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
chi.task @taped(%x: !chi.field<8xf32>, %v: f32) over 0 (%i: i32) {
  chi.accum mul %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}
