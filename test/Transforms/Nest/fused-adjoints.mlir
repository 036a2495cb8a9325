// RUN: chi-opt %s --chi-interchange | FileCheck %s
// RUN: chi-opt %s --chi-interchange="without=fused-adjoints" | FileCheck %s --check-prefix=APART

// Where a tape ends after a kernel whose last launch is a sum over pairs, one task fuses that and its adjoint: one
// exponential for both. The tape is notified before the call, and only there.
// CHECK-LABEL: func.func @script(
// CHECK:         chi.rt "chirt_tape_begin"
// CHECK-NEXT:    call @energy
// CHECK-NEXT:    chi.rt "chirt_tape_last"() : () -> ()
// CHECK-NEXT:    call @energy
// CHECK-NEXT:    chi.global_load @s
// CHECK-NEXT:    chi.rt "chirt_tape_end"
// CHECK-LABEL: func.func @looks(
// CHECK-NOT:     chirt_tape_last
// CHECK-LABEL: func.func @energy(
// CHECK:         chi.launch @pairs({{.*}}) from
// CHECK-NOT:     {last}
// CHECK:         chi.launch @pairs({{.*}} {last}
// CHECK-LABEL: chi.task @pairs(
// CHECK-SAME:    adjoint = #chi.adjoint<task = @pairs.adj, fused = @pairs.adj.both>
// CHECK-LABEL: chi.task @pairs.adj.both(%arg0: !chi.field<64xf32>, %arg1: !chi.field<f32>, %arg2: !chi.field<64xf32>, %arg3: !chi.field<f32>)
// CHECK-SAME:    (%[[I:.*]]: i32) attributes {adjoint = #chi.adjoint<numPrimal = 2, domainAxes = [0]>, axes = ["i"],
// CHECK:         %[[SUMS:.*]]:2 = scf.for
// CHECK:           %[[E:.*]] = math.exp
// CHECK-NOT:       math.exp
// CHECK:           arith.addf %{{.*}}, %[[E]]
// CHECK:         chi.accum add %{{.*}}, %arg2[%[[I]] : i32]
// CHECK:         chi.accum add %{{.*}}, %arg1[]
// CHECK-NEXT:    chi.next
// CHECK-LABEL: chi.task @pairs.adj(
// CHECK-SAME:    (%{{[a-z0-9]*}}: i32) attributes
// What more is launched behind it could look at the sum, and a primal that stores or checks does not wait.
// CHECK-LABEL: chi.task @early(
// CHECK-NOT:     fused =
// CHECK-LABEL: chi.task @stores(
// CHECK-NOT:     fused =

// APART-NOT: chirt_tape_last
// APART-NOT: fused =
// APART-NOT: {last}
!X = !chi.field<64xf32>
!S = !chi.field<f32>
chi.global @s : !S
chi.global @x : !X

func.func @script() {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @energy() : () -> ()
  func.call @energy() : () -> ()
  %again = chi.global_load @s : !S
  %done = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @looks() {
  %c0 = arith.constant 0 : i32
  %s = chi.global_load @s : !S
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @energy() : () -> ()
  %v = chi.load %s[] inbounds : !S -> f32
  %first = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @others() : () -> ()
  %second = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  chi.rt "chirt_tape_begin"(%s, %c0) at "Tape" : (!S, i32) -> ()
  func.call @storing() : () -> ()
  %third = chi.rt "chirt_tape_end"() at "Tape" : () -> i32
  return
}

func.func @energy() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  chi.launch @pairs(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}

func.func @others() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @early(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  chi.launch @alone(%s : !S)
  return
}

func.func @storing() attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %s = chi.global_load @s : !S
  %x = chi.global_load @x : !X
  chi.launch @stores(%x, %s : !X, !S) from(%c0, %c0 : i32, i32) to(%c64, %c64 : i32, i32)
  return
}

chi.task @pairs(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<task = @pairs.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  chi.accum add %e, %s[] inbounds : f32, !S
  chi.next
}
chi.task @pairs.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  %t = arith.mulf %g, %e : f32
  %r = arith.mulf %t, %d : f32
  %m = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %m, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
chi.task @early(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<task = @early.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  chi.accum add %e, %s[] inbounds : f32, !S
  chi.next
}
chi.task @early.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  %t = arith.mulf %g, %e : f32
  %r = arith.mulf %t, %d : f32
  %m = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %m, %xb[%j : i32] inbounds : f32, !X
  chi.next
}
chi.task @stores(%x: !X, %s: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<task = @stores.adj>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  chi.store %e, %s[] inbounds : f32, !S
  chi.next
}
chi.task @stores.adj(%x: !X, %s: !S, %xb: !X, %sb: !S) (%i: i32, %j: i32)
    attributes {axes = ["i", "j"], adjoint = #chi.adjoint<numPrimal = 2>, facts = #chi.facts<from = [= 0, = 0], to = [= 64, = 64], inputs = [?, ?, ?, ?]>} {
  %a = chi.load %x[%i : i32] inbounds : !X -> f32
  %b = chi.load %x[%j : i32] inbounds : !X -> f32
  %g = chi.load %sb[] inbounds : !S -> f32
  %d = arith.subf %a, %b : f32
  %q = arith.mulf %d, %d : f32
  %e = math.exp %q : f32
  %t = arith.mulf %g, %e : f32
  %r = arith.mulf %t, %d : f32
  %m = arith.negf %r : f32
  chi.accum add %r, %xb[%i : i32] inbounds : f32, !X
  chi.accum add %m, %xb[%j : i32] inbounds : f32, !X
  chi.next
}

chi.task @alone(%s: !S) () attributes {facts = #chi.facts<inputs = [?]>} {
  %zero = arith.constant 0.0 : f32
  chi.store %zero, %s[] inbounds : f32, !S
  chi.next
}
