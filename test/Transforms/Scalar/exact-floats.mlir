// RUN: chi-opt %s --chi-launch-facts --chi-exact-floats | FileCheck %s

func.func @launch(%f: !chi.field<64xf32>, %g: !chi.field<64xi32>, %h: !chi.field<33554432xf32>) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %large = arith.constant 33554432 : i32
  chi.launch @middle(%f : !chi.field<64xf32>) from(%c0 : i32) to(%c64 : i32)
  chi.launch @back(%g : !chi.field<64xi32>) from(%c0 : i32) to(%c64 : i32)
  chi.launch @zero(%f : !chi.field<64xf32>) from(%c0 : i32) to(%c64 : i32)
  chi.launch @large(%h : !chi.field<33554432xf32>) from(%c0 : i32) to(%large : i32)
  return
}

// (i + 0.5) - 0.5 is i; its floor is, too, and the difference is 0.
// CHECK-LABEL: chi.task @middle
// CHECK-SAME:    (%[[I:[a-z0-9]+]]: i32)
// CHECK-NOT:     math.floor
// CHECK-NOT:     chi.to_int
// CHECK:         %[[REST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         chi.store %[[REST]], %{{.*}}[%[[I]] : i32]
chi.task @middle (%f: !chi.field<64xf32>) over 0 (%i: i32) {
  %half = arith.constant 0.5 : f32
  %x = arith.sitofp %i : i32 to f32
  %m = arith.addf %x, %half : f32
  %s = arith.subf %m, %half : f32
  %b = math.floor %s : f32
  %k = chi.to_int %b : f32 -> i32
  %y = arith.sitofp %k : i32 to f32
  %rest = arith.subf %s, %y : f32
  chi.store %rest, %f[%k : i32] : f32, !chi.field<64xf32>
  chi.next
}

// The conversion rounds to zero: of i + 1.5, down; of i - 0.5, it depends.
// CHECK-LABEL: chi.task @back
// CHECK-SAME:    (%[[I:[a-z0-9]+]]: i32)
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    %[[K:.*]] = arith.addi %[[I]], %[[ONE]] overflow<nsw> : i32
// CHECK:         chi.store %[[K]]
// CHECK:         %[[L:.*]] = chi.to_int
// CHECK:         chi.store %[[L]]
chi.task @back (%g: !chi.field<64xi32>) over 0 (%i: i32) {
  %x = arith.sitofp %i : i32 to f32
  %c = arith.constant 1.5 : f32
  %up = arith.addf %x, %c : f32
  %k = chi.to_int %up : f32 -> i32
  chi.store %k, %g[%i : i32] : i32, !chi.field<64xi32>
  %half = arith.constant 0.5 : f32
  %down = arith.subf %x, %half : f32
  %l = chi.to_int %down : f32 -> i32
  chi.store %l, %g[%i : i32] : i32, !chi.field<64xi32>
  chi.next
}

// ceil(-0.5) is -0.0, which no integer is; ceil(i + 0.5) is i + 1.
// CHECK-LABEL: chi.task @zero
// CHECK:         %[[C:.*]] = math.ceil
// CHECK:         chi.store %[[C]]
// CHECK:         %[[K:.*]] = arith.addi %{{.*}} overflow<nsw> : i32
// CHECK:         %[[X:.*]] = arith.sitofp %[[K]]
// CHECK:         chi.store %[[X]]
chi.task @zero (%f: !chi.field<64xf32>) over 0 (%i: i32) {
  %half = arith.constant 0.5 : f32
  %x = arith.sitofp %i : i32 to f32
  %s = arith.subf %x, %half : f32
  %c = math.ceil %s : f32
  chi.store %c, %f[%i : i32] : f32, !chi.field<64xf32>
  %t = arith.addf %x, %half : f32
  %d = math.ceil %t : f32
  %k = chi.to_int %d : f32 -> i32
  %y = arith.sitofp %k : i32 to f32
  chi.store %y, %f[%i : i32] : f32, !chi.field<64xf32>
  chi.next
}

// Past 2^23 there are no halves in f32: nothing is known of the sum.
// CHECK-LABEL: chi.task @large
// CHECK:         arith.addf
// CHECK:         arith.subf
// CHECK:         math.floor
chi.task @large (%f: !chi.field<33554432xf32>) over 0 (%i: i32) {
  %half = arith.constant 0.5 : f32
  %x = arith.sitofp %i : i32 to f32
  %m = arith.addf %x, %half : f32
  %s = arith.subf %m, %half : f32
  %b = math.floor %s : f32
  chi.store %b, %f[%i : i32] : f32, !chi.field<33554432xf32>
  chi.next
}
