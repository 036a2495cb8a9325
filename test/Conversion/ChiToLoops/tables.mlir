// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s

// An array that gets constants before it is read is a constant of the module, which no iteration fills; equal ones are one. Few iterations that
// look up constants are written one behind the other.
// CHECK:         memref.global "private" constant @[[T:chi.table.[0-9a-f]+]] : memref<4xi32> = dense<[0, 7, 0, 9]>
// CHECK-NOT:     memref.global
// CHECK-LABEL: func.func private @looks.body(
// CHECK:         scf.for
// CHECK:           memref.get_global @[[T]]
// CHECK-NOT:       memref.store %{{.*}} : memref<4xi32>
// CHECK:           memref.load %{{.*}} : memref<4xi32>
// CHECK:           memref.store %{{.*}} : memref<?xi32>
// CHECK:         } {llvm.loop_annotation = #loop_annotation}
// CHECK-LABEL: func.func private @many.body(
// CHECK:           memref.get_global @[[T]]
// CHECK-NOT:     llvm.loop_annotation
// CHECK-LABEL: func.func private @changes.body(
// CHECK-NOT:     memref.get_global
// CHECK-LABEL: func.func private @early.body(
// CHECK-NOT:     memref.get_global
// CHECK-LABEL: func.func private @guarded.body(
// CHECK-NOT:     memref.get_global
!T = !chi.local<4xi32>
chi.task @looks(%y: !chi.field<4xi32>) over 0 (%i: i32)
    attributes {kernel = "looks", facts = #chi.facts<from = [= 0], to = [= 4], inputs = [?]>, effects = #chi.effects<writes = [0]>} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %0 = chi.local "" : !T
  chi.set %c7, %0[%c1 : i32] : i32, !T
  chi.set %c9, %0[%c3 : i32] : i32, !T
  %v = chi.get %0[%i : i32] : !T -> i32
  chi.store %v, %y[%i : i32] inbounds : i32, !chi.field<4xi32>
  chi.next
}
chi.task @many(%y: !chi.field<100xi32>) over 0 (%i: i32)
    attributes {kernel = "many", facts = #chi.facts<from = [= 0], to = [= 100], inputs = [?]>, effects = #chi.effects<writes = [0]>} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %0 = chi.local "" : !T
  chi.set %c9, %0[%c3 : i32] : i32, !T
  chi.set %c7, %0[%c1 : i32] : i32, !T
  %r = arith.remui %i, %c4 : i32
  %v = chi.get %0[%r : i32] : !T -> i32
  chi.store %v, %y[%i : i32] inbounds : i32, !chi.field<100xi32>
  chi.next
}
chi.task @changes(%y: !chi.field<4xi32>) over 0 (%i: i32)
    attributes {kernel = "changes", facts = #chi.facts<from = [= 0], to = [= 4], inputs = [?]>, effects = #chi.effects<writes = [0]>} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %0 = chi.local "" : !T
  chi.set %c7, %0[%c1 : i32] : i32, !T
  chi.set %i, %0[%c3 : i32] : i32, !T
  %v = chi.get %0[%i : i32] : !T -> i32
  chi.store %v, %y[%i : i32] inbounds : i32, !chi.field<4xi32>
  chi.next
}
chi.task @early(%y: !chi.field<4xi32>) over 0 (%i: i32)
    attributes {kernel = "early", facts = #chi.facts<from = [= 0], to = [= 4], inputs = [?]>, effects = #chi.effects<writes = [0]>} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %0 = chi.local "" : !T
  chi.set %c7, %0[%c1 : i32] : i32, !T
  %u = chi.get %0[%i : i32] : !T -> i32
  chi.set %c9, %0[%c3 : i32] : i32, !T
  %w = chi.get %0[%i : i32] : !T -> i32
  %v = arith.addi %u, %w : i32
  chi.store %v, %y[%i : i32] inbounds : i32, !chi.field<4xi32>
  chi.next
}
chi.task @guarded(%y: !chi.field<4xi32>) over 0 (%i: i32)
    attributes {kernel = "guarded", facts = #chi.facts<from = [= 0], to = [= 4], inputs = [?]>, effects = #chi.effects<writes = [0]>} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %0 = chi.local "" : !T
  %is = arith.cmpi eq, %i, %c1 : i32
  scf.if %is {
    chi.set %c7, %0[%c1 : i32] : i32, !T
  }
  %v = chi.get %0[%i : i32] : !T -> i32
  chi.store %v, %y[%i : i32] inbounds : i32, !chi.field<4xi32>
  chi.next
}

func.func @k(%a: !chi.field<4xi32>, %b: !chi.field<100xi32>, %c: !chi.field<4xi32>, %d: !chi.field<4xi32>, %e: !chi.field<4xi32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c100 = arith.constant 100 : i32
  chi.launch @looks(%a : !chi.field<4xi32>) from(%c0 : i32) to(%c4 : i32)
  chi.launch @many(%b : !chi.field<100xi32>) from(%c0 : i32) to(%c100 : i32)
  chi.launch @changes(%c : !chi.field<4xi32>) from(%c0 : i32) to(%c4 : i32)
  chi.launch @early(%d : !chi.field<4xi32>) from(%c0 : i32) to(%c4 : i32)
  chi.launch @guarded(%e : !chi.field<4xi32>) from(%c0 : i32) to(%c4 : i32)
  return
}
