// RUN: chi-opt %s --convert-host-to-runtime --cse | FileCheck %s

// Host code asks whether the host's copy of a field is current (bit 0 of the
// member `current`) before it reads an element; before it changes one, whether
// there is no other. Nothing is called where that holds. Outside of loops the
// one element is asked for.
!F = !chi.field<?xf32>
chi.global @x : !F
chi.global @y : !F
func.func private @kernel(!F) attributes {chi.control}

// CHECK-LABEL: func.func @reads(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr,
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr inbounds %[[F]][0, 11] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<
// CHECK:         %[[CURRENT:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> i32
// CHECK:         %[[HOST:.*]] = arith.andi %[[CURRENT]], %c1_i32 : i32
// CHECK:         %[[STALE:.*]] = arith.cmpi eq, %[[HOST]], %c0_i32 : i32
// CHECK:         scf.if %[[STALE]] {
// CHECK:           %[[NUMBER:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT:      llvm.call @chirt_field_element(%[[F]], %[[NUMBER]], %c0_i32)
// CHECK-NEXT:    }
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f32
// The same element has been asked for.
// CHECK-NOT:     chirt_field_element
func.func @reads(%f: !F, %i: i32) -> (f32, f32) attributes {chi.host} {
  %a = chi.load %f[%i : i32] : !F -> f32
  %b = chi.load %f[%i : i32] : !F -> f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @changes(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr,
// CHECK:         %[[CURRENT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK:         %[[STALE:.*]] = arith.cmpi ne, %[[CURRENT]], %c1_i32 : i32
// CHECK:         scf.if %[[STALE]] {
// CHECK:           llvm.call @chirt_field_element(%[[F]], %{{.*}}, %c1_i32)
// CHECK-NOT:     chirt_field_element
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-NOT:     chirt_field_element
// The kernel may have left the elements elsewhere.
// CHECK:         call @kernel(%[[F]])
// CHECK:         llvm.call @chirt_field_element(%[[F]], %{{.*}}, %c1_i32)
// CHECK:         llvm.store
func.func @changes(%f: !F, %i: i32, %v: f32) attributes {chi.host} {
  %a = chi.load %f[%i : i32] : !F -> f32
  chi.store %a, %f[%i : i32] : f32, !F
  chi.accum add %v, %f[%i : i32] : f32, !F
  func.call @kernel(%f) : (!F) -> ()
  chi.accum add %v, %f[%i : i32] : f32, !F
  return
}

// Before the loops, once for each variable: nothing is launched in them. The
// variable may have no value, if they have no iterations.
// CHECK-LABEL: func.func @loops(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[SOME:.*]] = llvm.icmp "ne" %[[X]], %{{.*}} : !llvm.ptr
// CHECK:         scf.if %[[SOME]] {
// CHECK:           arith.cmpi ne
// CHECK:           llvm.call @chirt_field_acquire(%[[X]], %c1_i32, %c1_i32)
// CHECK:         llvm.call @chirt_field_acquire(%{{.*}}, %c1_i32, %c0_i32)
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:     chirt_field_acquire
// CHECK:         return
func.func @loops(%n: i32) attributes {chi.host} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %v = func.call @halved(%i) : (i32) -> f32
    scf.for %j = %zero to %n step %one : i32 {
      %x = chi.global_load @x : !F
      %a = chi.load %x[%j : i32] : !F -> f32
      %y = chi.global_load @y : !F
      %b = chi.load %y[%j : i32] : !F -> f32
      %c = arith.addf %a, %b : f32
      chi.store %c, %x[%j : i32] : f32, !F
    }
  }
  return
}

// A function that launches nothing may be called meanwhile.
func.func @halved(%i: i32) -> f32 attributes {chi.host} {
  %half = arith.constant 0.5 : f32
  %v = arith.sitofp %i : i32 to f32
  %r = arith.mulf %v, %half : f32
  return %r : f32
}

// A launch in the outer loop, also by a function that is called: before the
// inner one.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT:     chirt_field_acquire
// CHECK:         scf.for
// CHECK:           call @step(
// CHECK:           llvm.call @chirt_field_acquire
// CHECK:           scf.for
// CHECK-NOT:       chirt_field_acquire
func.func @steps(%f: !F, %n: i32, %v: f32) attributes {chi.host} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    func.call @step(%f) : (!F) -> ()
    scf.for %j = %zero to %n step %one : i32 {
      chi.store %v, %f[%j : i32] : f32, !F
    }
  }
  return
}
func.func @step(%f: !F) attributes {chi.host} {
  func.call @kernel(%f) : (!F) -> ()
  return
}

// A variable that is assigned in the loop, and a field that is chosen there:
// where they are used.
// CHECK-LABEL: func.func @exchanged(
// CHECK-NOT:     chirt_field_acquire
// CHECK:         scf.for
// CHECK:           llvm.call @chirt_field_element
// CHECK:           llvm.call @chirt_field_element
func.func @exchanged(%n: i32, %v: f32, %c: i1) attributes {chi.host} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %x = chi.global_load @x : !F
    %y = chi.global_load @y : !F
    chi.global_store %x, @y : !F
    chi.global_store %y, @x : !F
    %z = chi.global_load @x : !F
    chi.store %v, %z[%zero : i32] : f32, !F
    %w = arith.select %c, %x, %y : !F
    chi.store %v, %w[%zero : i32] : f32, !F
  }
  return
}

// What writes to a field as a whole may leave it to a device; what reads does
// not.
// CHECK-LABEL: func.func @filled(
// CHECK:         llvm.call @chirt_field_element
// CHECK:         llvm.call @chirt_field_sum
// CHECK-NOT:     chirt_field_element
// CHECK:         llvm.call @chirt_field_fill
// CHECK:         llvm.call @chirt_field_element
func.func @filled(%f: !F, %v: f32) attributes {chi.host} {
  %zero = arith.constant 0 : i32
  %local = memref.alloca() : memref<1xf64>
  %here = builtin.unrealized_conversion_cast %local : memref<1xf64> to !chi.local<1xf64>
  chi.store %v, %f[%zero : i32] : f32, !F
  chi.rt "chirt_field_sum"(%f, %here) : (!F, !chi.local<1xf64>) -> ()
  chi.store %v, %f[%zero : i32] : f32, !F
  chi.rt "chirt_field_fill"(%f, %here) : (!F, !chi.local<1xf64>) -> ()
  chi.store %v, %f[%zero : i32] : f32, !F
  return
}

// Another element is asked for by itself, a field of rank 0 as a whole.
// CHECK-LABEL: func.func @others(
// CHECK:         llvm.call @chirt_field_element(%{{.*}}, %{{.*}}, %c0_i32)
// CHECK:         llvm.call @chirt_field_element(%{{.*}}, %{{.*}}, %c1_i32)
// CHECK:         llvm.call @chirt_field_acquire(
// CHECK:         return
func.func @others(%f: !F, %c: !chi.field<f32>, %i: i32, %j: i32)
    attributes {chi.host} {
  %a = chi.load %f[%i : i32] : !F -> f32
  chi.store %a, %f[%j : i32] : f32, !F
  chi.store %a, %c[] : f32, !chi.field<f32>
  return
}
