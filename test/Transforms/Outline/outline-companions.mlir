// RUN: chi-opt %s --chi-outline-tasks | FileCheck %s

// A gradient is found at the entry, once for each field, and handed to tasks
// as fields are.
chi.global @w : !chi.field<8xf16>
// CHECK-LABEL: func.func @descend(
// CHECK-SAME: %[[P:.*]]: !chi.field<?xf32>)
// CHECK-DAG: %[[G:.*]] = chi.companion %[[P]] : <?xf32> -> <?xf32>
// CHECK-DAG: %[[W:.*]] = chi.global_load @w
// CHECK-DAG: %[[H:.*]] = chi.companion %[[W]] : <8xf16> -> <8xf32>
// CHECK-NOT: chi.companion
// CHECK: chi.launch @descend.t0(%[[P]], %[[G]] :
// CHECK: chi.launch @descend.t1(%[[W]], %[[H]], %[[P]] :
// CHECK: chi.task @descend.t0(
// CHECK-NOT: chi.companion
// CHECK: chi.task @descend.t1(
chi.kernel @descend(%p: !chi.field<?xf32>) {
  chi.parallel (%i : i32) over %p : !chi.field<?xf32> {
    %g = chi.companion %p : !chi.field<?xf32> -> !chi.field<?xf32>
    %v = chi.load %g[%i : i32] : !chi.field<?xf32> -> f32
    %q = chi.cast_field %p : !chi.field<?xf32> to !chi.field<8xf32>
    %h = chi.companion %q : !chi.field<8xf32> -> !chi.field<8xf32>
    chi.store %v, %h[%i : i32] : f32, !chi.field<8xf32>
    chi.next
  }
  %w = chi.global_load @w : !chi.field<8xf16>
  chi.parallel (%i : i32) over %w : !chi.field<8xf16> {
    %g = chi.companion %w : !chi.field<8xf16> -> !chi.field<8xf32>
    %v = chi.load %g[%i : i32] : !chi.field<8xf32> -> f32
    chi.store %v, %p[%i : i32] : f32, !chi.field<?xf32>
    chi.next
  }
  chi.return
}
