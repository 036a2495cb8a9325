// Local arrays are made where they stay, and zeroed once.
// RUN: chi-opt %s --chi-elide-copies | FileCheck %s

// The value of an array and the variable are one.
// CHECK-LABEL: chi.task @variable
// CHECK:         chi.local "a" : <100xf32>
// CHECK-NOT:     chi.local
// CHECK:         scf.for
// CHECK:           chi.set
// CHECK:         }
// CHECK-NEXT:    %[[R:.*]] = chi.get
// CHECK-NEXT:    chi.store %[[R]]
chi.task @variable(%x: !chi.field<64xf32>, %m: i32, %v: f32) over 0 (%i: i32) {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.local "a" : !chi.local<100xf32>
  %t = chi.local "" : !chi.local<100xf32>
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    chi.set %v, %t[%k : i32] : f32, !chi.local<100xf32>
  }
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    %p = chi.get %t[%k : i32] : !chi.local<100xf32> -> f32
    chi.set %p, %a[%k : i32] : f32, !chi.local<100xf32>
  }
  %r = chi.get %a[%m : i32] : !chi.local<100xf32> -> f32
  chi.store %r, %x[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}

// An array is zeroed where it is made.
// CHECK-LABEL: chi.task @zeros
// CHECK:         %[[A:.*]] = chi.local "a" : <100xf32>
// CHECK-NOT:     scf.for
// CHECK-NOT:     chi.set %cst,
// CHECK:         chi.set %{{.*}}, %[[A]]
// CHECK-NEXT:    chi.get
// CHECK-NEXT:    chi.set %cst, %[[A]]
chi.task @zeros(%x: !chi.field<64xf32>, %m: i32, %v: f32) over 0 (%i: i32) {
  %cst = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.local "a" : !chi.local<100xf32>
  scf.for %k = %c0 to %c100 step %c1 : i32 {
    chi.set %cst, %a[%k : i32] : f32, !chi.local<100xf32>
  }
  chi.set %cst, %a[%c1 : i32] : f32, !chi.local<100xf32>
  chi.set %v, %a[%m : i32] : f32, !chi.local<100xf32>
  %r = chi.get %a[%m : i32] : !chi.local<100xf32> -> f32
  chi.set %cst, %a[%m : i32] : f32, !chi.local<100xf32>
  chi.store %r, %x[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}

// Not where the first array is looked at again, is not set as a whole, or where
// the value is made of what the variable held; in a loop, zeros are no news
// either.
// CHECK-LABEL: chi.task @kept
// CHECK-COUNT-4: chi.local
// CHECK-COUNT-7: scf.for
chi.task @kept(%x: !chi.field<64xf32>, %m: i32, %v: f32) over 0 (%i: i32) {
  %cst = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %c20 = arith.constant 20 : i32
  %c1 = arith.constant 1 : i32
  %a = chi.local "a" : !chi.local<20xf32>
  %again = chi.local "" : !chi.local<20xf32>
  %part = chi.local "" : !chi.local<20xf32>
  %made = chi.local "" : !chi.local<20xf32>
  scf.for %k = %c0 to %c20 step %c1 : i32 {
    chi.set %v, %again[%k : i32] : f32, !chi.local<20xf32>
  }
  scf.for %k = %c0 to %c20 step %c1 : i32 {
    %p = chi.get %again[%k : i32] : !chi.local<20xf32> -> f32
    chi.set %p, %a[%k : i32] : f32, !chi.local<20xf32>
  }
  %q = chi.get %again[%m : i32] : !chi.local<20xf32> -> f32
  chi.set %q, %part[%m : i32] : f32, !chi.local<20xf32>
  scf.for %k = %c0 to %c20 step %c1 : i32 {
    %p = chi.get %part[%k : i32] : !chi.local<20xf32> -> f32
    chi.set %p, %a[%k : i32] : f32, !chi.local<20xf32>
  }
  scf.for %k = %c0 to %c20 step %c1 : i32 {
    %p = chi.get %a[%m : i32] : !chi.local<20xf32> -> f32
    chi.set %p, %made[%k : i32] : f32, !chi.local<20xf32>
  }
  scf.for %k = %c0 to %c20 step %c1 : i32 {
    %p = chi.get %made[%k : i32] : !chi.local<20xf32> -> f32
    chi.set %p, %a[%k : i32] : f32, !chi.local<20xf32>
  }
  scf.for %turn = %c0 to %c9 step %c1 : i32 {
    scf.for %k = %c0 to %c20 step %c1 : i32 {
      chi.set %cst, %a[%k : i32] : f32, !chi.local<20xf32>
    }
    chi.set %v, %a[%m : i32] : f32, !chi.local<20xf32>
  }
  %r = chi.get %a[%m : i32] : !chi.local<20xf32> -> f32
  chi.store %r, %x[%i : i32] inbounds : f32, !chi.field<64xf32>
  chi.next
}
