// RUN: chi-opt %s --chi-launch-facts --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// 64 random bits depend on the seed, the loop, the iteration's number, the draw
// within it, the call of the kernel and the launch index: on all of them, and
// on nothing else, so that they are the same for any number of threads.
!F = !chi.field<?x64xi64>

// The number of an iteration counts row by row from 0, whatever the variables.
// CHECK-LABEL: func.func private @k.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: memref<?xi64> {llvm.noalias}, %{{[a-z0-9]+}}: index, %[[D:[a-z0-9]+]]: i32, %[[PASS:[a-z0-9]+]]: i32, %[[ORDINAL:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index, %[[FROM1:[a-z0-9]+]]: index, %[[N1:[a-z0-9]+]]: index, %[[SEED:[a-z0-9]+]]: i64,
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %[[N1]]
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             %[[JJ:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:             %[[COLUMN:.*]] = arith.subi %[[JJ]], %[[FROM1]]
// CHECK:             %[[N:.*]] = arith.addi %[[START]], %[[COLUMN]]
// CHECK:             %[[NUMBER:.*]] = arith.index_cast %[[N]] : index to i64
// Beyond 2^32 iterations, what is above goes to the upper bits of the draw.
// CHECK:             %[[ABOVE:.*]] = arith.shrui %[[NUMBER]], %c32_i64 : i64
// CHECK:             %[[HIGH:.*]] = arith.trunci %[[ABOVE]] : i64 to i32
// CHECK:             %[[UPPER:.*]] = arith.shli %[[HIGH]], %c20_i32 : i32
// The loop is part of the key: its number by the golden ratio, beside the
// seed's high word.
// CHECK:             %[[SEEDUP:.*]] = arith.shrui %[[SEED]], %c32_i64 : i64
// CHECK:             %[[SEEDHIGH:.*]] = arith.trunci %[[SEEDUP]] : i64 to i32
// 3 * 0x9E3779B9 as an i32.
// CHECK:             %[[LOOP:.*]] = arith.constant -626627285 : i32
// CHECK:             %[[KEYHIGH:.*]] = arith.addi %[[SEEDHIGH]], %[[LOOP]] : i32
// CHECK:             %[[LOW:.*]] = arith.trunci %[[NUMBER]] : i64 to i32
// CHECK:             %[[DRAW:.*]] = arith.addi %[[D]], %[[UPPER]] : i32
// CHECK:             %[[KEYLOW:.*]] = arith.trunci %[[SEED]] : i64 to i32
// Ten rounds, each of two products and what is exclusive of them; the keys grow
// from round to round.
// CHECK:             %[[OUT:.*]]:6 = scf.for %{{.*}} = %c0 to %c10 step %c1 iter_args(%[[C0:.*]] = %[[LOW]], %[[C1:.*]] = %[[DRAW]], %[[C2:.*]] = %[[ORDINAL]], %[[C3:.*]] = %[[PASS]], %[[K0:.*]] = %[[KEYLOW]], %[[K1:.*]] = %[[KEYHIGH]])
// CHECK:               %[[W0:.*]] = arith.extui %[[C0]] : i32 to i64
// CHECK:               %[[P0:.*]] = arith.muli %[[W0]], %c3528531795_i64 : i64
// CHECK:               %[[U0:.*]] = arith.shrui %[[P0]], %c32_i64 : i64
// CHECK:               %[[H0:.*]] = arith.trunci %[[U0]] : i64 to i32
// CHECK:               %[[L0:.*]] = arith.trunci %[[P0]] : i64 to i32
// CHECK:               %[[W1:.*]] = arith.extui %[[C2]] : i32 to i64
// CHECK:               %[[P1:.*]] = arith.muli %[[W1]], %c3449720151_i64 : i64
// CHECK:               %[[U1:.*]] = arith.shrui %[[P1]], %c32_i64 : i64
// CHECK:               %[[H1:.*]] = arith.trunci %[[U1]] : i64 to i32
// CHECK:               %[[L1:.*]] = arith.trunci %[[P1]] : i64 to i32
// CHECK:               %[[X0:.*]] = arith.xori %[[H1]], %[[C1]] : i32
// CHECK:               %[[N0:.*]] = arith.xori %[[X0]], %[[K0]] : i32
// CHECK:               %[[X2:.*]] = arith.xori %[[H0]], %[[C3]] : i32
// CHECK:               %[[N2:.*]] = arith.xori %[[X2]], %[[K1]] : i32
// CHECK:               %[[NK0:.*]] = arith.addi %[[K0]], %c-1640531527_i32 : i32
// CHECK:               %[[NK1:.*]] = arith.addi %[[K1]], %c-1150833019_i32 : i32
// CHECK:               scf.yield %[[N0]], %[[L1]], %[[N2]], %[[L0]], %[[NK0]], %[[NK1]]
// Words 0 and 1, the latter above.
// CHECK:             %[[A:.*]] = arith.extui %[[OUT]]#0 : i32 to i64
// CHECK:             %[[B:.*]] = arith.extui %[[OUT]]#1 : i32 to i64
// CHECK:             %[[BB:.*]] = arith.shli %[[B]], %c32_i64 : i64
// CHECK:             %[[BITS:.*]] = arith.ori %[[BB]], %[[A]] : i64
// CHECK:             memref.store %[[BITS]]
chi.task @k(%x: !F, %d: i32, %p: i32, %call: i32) (%i: i32, %j: i32) {
  %it = chi.iteration : i64
  %bits = chi.random loop 3 call %call launch %p iteration %it draw %d
  chi.store %bits, %x[%i, %j : i32, i32] inbounds : i64, !F
  chi.next
}
