// RUN: chi-opt %s --chi-launch-facts --convert-chi-to-loops | FileCheck %s

// The innermost axis counts up to a captured integer: for 1, 4 and 8 there is
// code with a constant, and rows of one are one loop along the others.
// Components distinguish two stores to one element of a field of vecs.
// CHECK-DAG:   #[[X:.*]] = #llvm.alias_scope<id = distinct[{{[0-9]+}}]<>, domain = #[[DOMAIN:.*]]>
// CHECK-LABEL: func.func {{.*}}@stage.body
// CHECK-SAME:    (%[[STRIDE:[a-z0-9]+]]: i32
// CHECK:         %[[IS_ONE:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK:         scf.if %[[IS_ONE]]
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK-NOT:         arith.muli %{{.*}}, %[[STRIDE]]
// CHECK:             memref.store {{.*}}alias_scopes = [{{.*}}noalias_scopes = [
// CHECK:         else
// CHECK:           scf.if
// CHECK:           else
// CHECK:             scf.if
// CHECK:             else
// CHECK:               arith.muli %{{.*}}, %[[STRIDE]]

// Nothing is known of the length, or rows begin elsewhere.
// CHECK-LABEL: func.func {{.*}}@shifted.body
// CHECK-NOT:     scf.if
// CHECK-NOT:     alias_scopes
// CHECK:         return
func.func @k(%y: !chi.field<?x!chi.vec<2xf32>>, %s: i32, %g: i32) attributes {chi.control} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  chi.launch @stage(%s, %y : i32, !chi.field<?x!chi.vec<2xf32>>) from(%c0, %c0 : i32, i32) to(%g, %s : i32, i32)
  chi.launch @shifted(%s, %y : i32, !chi.field<?x!chi.vec<2xf32>>) from(%c0, %c1 : i32, i32) to(%g, %s : i32, i32)
  return
}
chi.task @stage(%stride: i32, %y: !chi.field<?x!chi.vec<2xf32>>) (%p: i32, %q: i32) {
  %z = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : i32
  %m = arith.muli %p, %stride : i32
  %a = arith.addi %q, %m : i32
  %b = arith.muli %a, %c2 : i32
  chi.store %z, %y[%a : i32] inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.store %z, %y[%a : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.store %z, %y[%b : i32] inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.store %z, %y[%b : i32] component 1 inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}
chi.task @shifted(%stride: i32, %y: !chi.field<?x!chi.vec<2xf32>>) (%p: i32, %q: i32) {
  %z = arith.constant 0.0 : f32
  %m = arith.muli %p, %stride : i32
  %a = arith.addi %q, %m : i32
  chi.store %z, %y[%a : i32] inbounds : f32, !chi.field<?x!chi.vec<2xf32>>
  chi.next
}
