// RUN: chi-opt %s --chi-narrow-integers --split-input-file | FileCheck %s

// Three bytes make 765 at most. Whether that is 3 bytes with a limit know.
// CHECK-LABEL: chi.task @limited
// CHECK-NOT:     extui
// CHECK:         %[[A:.*]] = chi.load
// CHECK:         %[[B:.*]] = chi.load
// CHECK:         %[[ROOM:.*]] = arith.xori %[[A]], %{{.*}} : i8
// CHECK:         %[[FITS:.*]] = arith.minui %[[B]], %[[ROOM]] : i8
// CHECK:         %[[S:.*]] = arith.addi %[[A]], %[[FITS]] : i8
// CHECK:         arith.minui
// CHECK:         %[[T:.*]] = arith.addi
// CHECK:         arith.cmpi eq, %[[T]], %{{.*}} : i8
// CHECK:         arith.cmpi ult, %[[T]], %{{.*}} : i8
chi.task @limited (%u: !chi.field<8x64xi8>, %w: !chi.field<8x64xi1>) over 0 (%i: i32, %j: i32) {
  %three = arith.constant 3 : i32
  %most = arith.constant 254 : i32
  %a = chi.load %u[%i, %j : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
  %b = chi.load %u[%i, %i : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
  %c = chi.load %u[%j, %i : i32, i32] inbounds : !chi.field<8x64xi8> -> i8
  %x = arith.extui %a : i8 to i32
  %y = arith.extui %b : i8 to i32
  %z = arith.extui %c : i8 to i32
  %s = arith.addi %x, %y overflow<nsw> : i32
  %t = arith.addi %s, %z overflow<nsw> : i32
  %p = arith.cmpi eq, %t, %three : i32
  %q = arith.cmpi slt, %t, %most : i32
  %r = arith.andi %p, %q : i1
  chi.store %r, %w[%i, %j : i32, i32] inbounds : i1, !chi.field<8x64xi1>
  chi.next
}

// -----

// 255 would stand for all above it: 16 bits hold every sum. So they do where
// two sums are compared, and where one is cut to 16 bits.
// CHECK-LABEL: chi.task @words
// CHECK:         arith.extui %{{.*}} : i8 to i16
// CHECK-NOT:     minui
// CHECK:         %[[S:.*]] = arith.addi %{{.*}} : i16
// CHECK:         arith.cmpi eq, %[[S]], %{{.*}} : i16
// CHECK:         chi.store %[[S]]
// CHECK:         %[[T:.*]] = arith.addi %{{.*}} : i16
// CHECK:         arith.cmpi ult, %[[S]], %[[T]] : i16
chi.task @words (%u: !chi.field<64xi8>, %w: !chi.field<64xi1>, %v: !chi.field<64xi16>) over 0 (%i: i32) {
  %c255 = arith.constant 255 : i32
  %a = chi.load %u[%i : i32] inbounds : !chi.field<64xi8> -> i8
  %x = arith.extui %a : i8 to i32
  %s = arith.addi %x, %x overflow<nsw> : i32
  %p = arith.cmpi eq, %s, %c255 : i32
  %cut = arith.trunci %s : i32 to i16
  chi.store %cut, %v[%i : i32] inbounds : i16, !chi.field<64xi16>
  %t = arith.addi %x, %c255 overflow<nsw> : i32
  %q = arith.cmpi slt, %s, %t : i32
  %r = arith.andi %p, %q : i1
  chi.store %r, %w[%i : i32] inbounds : i1, !chi.field<64xi1>
  chi.next
}

// -----

// Differences and products of signed bytes fit in signed words; booleans are
// counted in bytes.
// CHECK-LABEL: chi.task @signed
// CHECK:         arith.extsi %{{.*}} : i8 to i16
// CHECK:         arith.muli %{{.*}} : i16
// CHECK:         arith.subi %{{.*}} : i16
// CHECK:         arith.cmpi slt, %{{.*}} : i16
// CHECK:         arith.extui %{{.*}} : i1 to i8
// CHECK:         arith.addi %{{.*}} : i8
// CHECK-NOT:     arith.{{.*}} i32
// CHECK:         chi.next
chi.task @signed (%u: !chi.field<64xi8>, %w: !chi.field<64xi1>) over 0 (%i: i32) {
  %two = arith.constant 2 : i32
  %a = chi.load %u[%i : i32] inbounds : !chi.field<64xi8> -> i8
  %x = arith.extsi %a : i8 to i32
  %s = arith.muli %x, %x overflow<nsw> : i32
  %t = arith.subi %x, %s overflow<nsw> : i32
  %q = arith.cmpi slt, %t, %x : i32
  %one = arith.extui %q : i1 to i32
  %n = arith.addi %one, %one overflow<nsw> : i32
  %r = arith.cmpi eq, %n, %two : i32
  chi.store %r, %w[%i : i32] inbounds : i1, !chi.field<64xi1>
  chi.next
}

// -----

// Not where more is needed of a sum, where the limit is what is compared with
// in another place than a constant, where a difference may be negative beside
// numbers that exceed a byte, where numbers wrap, or where nothing is widened.
// CHECK-LABEL: chi.task @wide
// CHECK-NOT:     to i16
// CHECK-NOT:     arith.minui
// CHECK-COUNT-5: arith.cmpi {{.*}} : i32
// CHECK:         chi.next
chi.task @wide (%u: !chi.field<64xi8>, %v: !chi.field<64xi32>, %h: !chi.field<64xi16>, %w: !chi.field<64xi1>) over 0 (%i: i32) {
  %c3 = arith.constant 3 : i32
  %big = arith.constant 2147483600 : i32
  %a = chi.load %u[%i : i32] inbounds : !chi.field<64xi8> -> i8
  %d = chi.load %h[%i : i32] inbounds : !chi.field<64xi16> -> i16
  %x = arith.extui %a : i8 to i32
  %y = arith.extui %d : i16 to i32
  %s = arith.addi %x, %x overflow<nsw> : i32
  %p = arith.cmpi eq, %s, %c3 : i32
  chi.store %s, %v[%i : i32] inbounds : i32, !chi.field<64xi32>
  %t = arith.addi %x, %i : i32
  %q = arith.cmpi eq, %t, %c3 : i32
  %e = arith.addi %y, %y overflow<nsw> : i32
  %f = arith.subi %e, %x overflow<nsw> : i32
  %g = arith.cmpi slt, %f, %c3 : i32
  %k = arith.addi %x, %big : i32
  %l = arith.cmpi slt, %k, %c3 : i32
  %o = arith.andi %p, %q : i1
  %m = arith.andi %g, %l : i1
  %r = scf.if %o -> (i1) {
    %n = arith.addi %x, %c3 overflow<nsw> : i32
    %z = arith.cmpi eq, %n, %c3 : i32
    scf.yield %z : i1
  } else {
    scf.yield %m : i1
  }
  chi.store %r, %w[%i : i32] inbounds : i1, !chi.field<64xi1>
  chi.next
}
