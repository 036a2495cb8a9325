// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// The gradient of a field is the run time's to make. Where there is none it
// raises, at the place in the source.

// CHECK-DAG: @[[SITE:chi.site.*]]() {{.*}}chi.members = [@{{.*}}, 3 : i32, 7 : i32, 13 : i32, 8 : i32, @[[NAME:chi.text.[0-9a-f]+]], 0 : i32,
// CHECK-DAG: @[[NAME]]("w\00")
// CHECK-LABEL: func.func @host(
// CHECK-SAME:    %[[W:.*]]: !llvm.ptr)
// CHECK:         %[[AT:.*]] = llvm.mlir.addressof @[[SITE]]
// CHECK:         %[[GRAD:.*]] = llvm.call @chirt_field_grad(%[[AT]], %[[W]])
// CHECK:         llvm.load %[[GRAD]] : !llvm.ptr -> !llvm.ptr
!F = !chi.field<?xf16>
!G = !chi.field<?xf32>
func.func @host(%w: !F) -> f32 attributes {chi.host} {
  %c0 = arith.constant 0 : i32
  %g = chi.companion %w {field_name = "w"} : !F -> !G loc("a.chi":3:7 to :13)
  %v = chi.load %g[%c0 : i32] inbounds : !G -> f32
  return %v : f32
}
