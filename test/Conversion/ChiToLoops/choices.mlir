// RUN: chi-opt %s --convert-chi-to-loops=choices | FileCheck %s
// RUN: chi-opt %s --convert-chi-to-loops | FileCheck %s --check-prefix=OFF
// OFF-NOT: chirt_choose

// A body asks at its beginning which variant it takes. It passes the option of
// the model, and the bytes that the launch uses.
!F = !chi.field<1048576xf32>

// CHECK-LABEL: func.func private @fill.body(
// CHECK:         %[[USUAL:.*]] = llvm.call @chirt_streams(%[[BYTES:c4194304_i64[_0-9]*]])
// CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @chi.site
// CHECK:         %[[ANSWER:.*]] = llvm.call @chirt_choose(%[[SITE]], %[[HASH:[a-z0-9_-]+]], %c0_i32{{[_0-9]*}}, %[[USUAL]], %[[BYTES]])
// CHECK:         %[[YES:.*]] = arith.cmpi ne, %[[ANSWER]], %c0_i32{{[_0-9]*}}
// CHECK:         scf.if %[[YES]]
chi.task @fill(%x: !F, %v: f32) over 0 (%i: i32)
    attributes {kernel = "fill", axes = ["i"], schedule = #chi.schedule<noalias = true, buffers = [#chi<buffer streaming>], chunk = 1024>} {
  chi.store %v, %x[%i : i32] inbounds {buffer = 0 : i64} : f32, !F
  chi.next
}

// Tiles or rows.
!G = !chi.field<256x256xf32>
// CHECK-LABEL: func.func private @across.body(
// CHECK:         %[[ANSWER:.*]] = llvm.call @chirt_choose(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         %[[YES:.*]] = arith.cmpi ne, %[[ANSWER]], %c0_i32{{[_0-9]*}}
// CHECK:         scf.if %[[YES]]
// CHECK-COUNT-4: scf.for
// CHECK:         } else {
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
chi.task @across(%a: !G, %b: !G) over 0 (%i: i32, %j: i32)
    attributes {kernel = "across", axes = ["i", "j"], schedule = #chi.schedule<noalias = true, mayAlias = [0, 1], unordered = true, unit = rows, align = 16, tile = #chi.tile<outer = 0, inner = 1, edge = 16>>} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !G -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !G
  chi.next
}

// A launch that stays on its caller measures nothing, nor does code without a
// choice.
// CHECK-LABEL: func.func private @direct.body(
// CHECK-NOT:     chirt_choose
chi.task @direct(%a: !G, %b: !G) over 0 (%i: i32, %j: i32)
    attributes {kernel = "direct", axes = ["i", "j"], schedule = #chi.schedule<direct = true, noalias = true, mayAlias = [0, 1], unordered = true, unit = rows, align = 16, tile = #chi.tile<outer = 0, inner = 1, edge = 16>>} {
  %v = chi.load %a[%i, %j : i32, i32] inbounds : !G -> f32
  chi.store %v, %b[%j, %i : i32, i32] inbounds : f32, !G
  chi.next
}
// CHECK-LABEL: func.func private @plain.body(
// CHECK-NOT:     chirt_choose
chi.task @plain(%a: !G, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {kernel = "plain", axes = ["i", "j"]} {
  chi.store %v, %a[%i, %j : i32, i32] inbounds : f32, !G
  chi.next
}
