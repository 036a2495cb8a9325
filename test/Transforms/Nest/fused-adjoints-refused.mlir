// Launches that no fused task replaces: something may look at what the primal
// has added, or primal and adjoint do not go together.
// RUN: chi-opt %s --chi-interchange | FileCheck %s

!X = !chi.field<64xf32>
!S = !chi.field<f32>
chi.global @s : !S
chi.global @x : !X

// The release of a field between the call and the end changes nothing: the
// tape holds its fields.
// CHECK-LABEL: func.func @released(
// CHECK:         chi.rt "chirt_tape_last"
// CHECK-NEXT:    call @released.kernel
// CHECK:         chi.launch @released.pairs({{.*}} {last}
// CHECK-LABEL: chi.task @released.pairs(
// CHECK-SAME:    fused = @released.adj.both
// CHECK-LABEL: chi.task @released.adj(
// CHECK-SAME:    domainAxes = [0]
func.func @released() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @released.kernel() : () -> ()
  chi.rt "chirt_field_release"(%s) : (!S) -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
func.func @released.kernel() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @released.pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}
chi.task @released.pairs(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @released.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  chi.accum add %p, %s[] inbounds : f32, !S
  chi.next
}
chi.task @released.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %p = arith.mulf %g, %b : f32
  %q = arith.mulf %g, %a : f32
  chi.accum add %p, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %q, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// A function of the host is no kernel.
// CHECK-LABEL: func.func @host(
// CHECK-NOT:     chirt_tape_last
// CHECK:         chi.launch @host.pairs(
// CHECK-NOT:     {last}
// CHECK-LABEL: chi.task @host.pairs(
// CHECK-NOT:     fused
// CHECK-LABEL: chi.task @host.adj(
// CHECK-SAME:    domainAxes = [0]
func.func @host() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @host.kernel() : () -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
func.func @host.kernel() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @host.pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}
chi.task @host.pairs(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @host.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  chi.accum add %p, %s[] inbounds : f32, !S
  chi.next
}
chi.task @host.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %p = arith.mulf %g, %b : f32
  %q = arith.mulf %g, %a : f32
  chi.accum add %p, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %q, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// The order of the primal's sums is promised.
// CHECK-LABEL: func.func @ordered(
// CHECK-NOT:     chirt_tape_last
// CHECK:         chi.launch @ordered.pairs(
// CHECK-NOT:     {last}
// CHECK-LABEL: chi.task @ordered.pairs(
// CHECK-NOT:     fused
// CHECK-LABEL: chi.task @ordered.adj(
// CHECK-SAME:    domainAxes = [0]
func.func @ordered() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @ordered.kernel() : () -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
func.func @ordered.kernel() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @ordered.pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}
chi.task @ordered.pairs(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {strict, adjoint = #chi.adjoint<task = @ordered.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  chi.accum add %p, %s[] inbounds : f32, !S
  chi.next
}
chi.task @ordered.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %p = arith.mulf %g, %b : f32
  %q = arith.mulf %g, %a : f32
  chi.accum add %p, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %q, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

// A recorder runs instead of the primal.
// CHECK-LABEL: func.func @recorded(
// CHECK-NOT:     chirt_tape_last
// CHECK:         chi.launch @recorded.pairs(
// CHECK-NOT:     {last}
// CHECK-LABEL: chi.task @recorded.pairs(
// CHECK-NOT:     fused
// CHECK-LABEL: chi.task @recorded.adj(
// CHECK-SAME:    domainAxes = [0]
func.func @recorded() attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @recorded.kernel() : () -> ()
  %more = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}
func.func @recorded.kernel() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @recorded.pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}
chi.task @recorded.pairs(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<task = @recorded.adj, recorder = @recorded.records>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %p = arith.mulf %a, %b : f32
  chi.accum add %p, %s[] inbounds : f32, !S
  chi.next
}
chi.task @recorded.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %p = arith.mulf %g, %b : f32
  %q = arith.mulf %g, %a : f32
  chi.accum add %p, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %q, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
chi.task @recorded.records(%x: !X, %s: !S) (%i: i32, %j: i32) {
  chi.next
}
