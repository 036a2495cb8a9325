// RUN: chi-opt %s --convert-chi-to-gpu | FileCheck %s

// A strided field has its strides as parameters, and the memory of its base
// with the offset of its first element there: narrow numbers share aligned
// words.
// CHECK-LABEL: gpu.func @add
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<?xi8>{{[^,]*}}, %{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: index, %[[O:[a-z0-9]+]]: index,
// CHECK-SAME:    chi.kernel_abi = #chi.kernel_abi<params = [data(0, 1), extent(0, 0), fieldStride(0, 0), fieldStride(0, 9),
// CHECK:         %[[P:.*]] = arith.muli %{{.*}}, %[[S]]
// CHECK:         %[[Q:.*]] = arith.addi %[[O]], %[[P]]
// CHECK:         memref.load %[[X]][%[[Q]]]
!V = !chi.field<?xi8, order = ?>
!F = !chi.field<?xi8>
chi.task @add(%x: !V, %y: !F) (%i: i32) {
  %a = chi.load %x[%i : i32] inbounds : !V -> i8
  chi.store %a, %y[%i : i32] inbounds : i8, !F
  chi.next
}
