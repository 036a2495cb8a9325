// RUN: chi-opt %s --convert-host-to-runtime --chi-lower-checks --cse | FileCheck %s

// A check of host code that fails ends the program: what its message needs is
// gathered in the cold block, and the run time does not come back. The site
// knows no kernel there, even in the control function of one.
// CHECK-DAG: llvm.mlir.global internal constant @[[BOUNDS:chi.site.[0-9a-f]+]]() {{.*}}chi.members = [@{{.*}}, 3 : i32, 5 : i32, 8 : i32, 0 : i32, @[[X:chi.text.[0-9a-f]+]], 1 : i32, 2 : i32, @[[TYPES:chi.types.[0-9a-f]+]], unit, 0 : i32, -1 : i32, unit]
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[X]]("x\00")
// i32 and i64.
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[TYPES]]("\03\04")
!F = !chi.field<?x?xf32>
// CHECK-LABEL: func.func @host(
// CHECK-SAME:    %[[F:[a-z0-9]+]]: !llvm.ptr, %[[I:[a-z0-9]+]]: i32, %[[OK:[a-z0-9]+]]: i1)
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         cf.cond_br %[[OK]] weights([1048576, 1]), ^[[ON:.*]], ^[[COLD:.*]]
// CHECK:       ^[[ON]]:
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         return
// CHECK:       ^[[COLD]]:
// CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @[[BOUNDS]]
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:         llvm.store %[[WIDE]], %[[WORDS:.*]] : i64, !llvm.ptr
// CHECK:         %[[NEXT:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%c1_i64]
// CHECK:         llvm.store %[[N]], %[[NEXT]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_raise(%[[SITE]], %[[WORDS]])
// CHECK-NEXT:    llvm.unreachable
func.func @host(%f: !F, %i: i32, %ok: i1) -> f32 attributes {chi.control} {
  %n = chi.dim %f, 1 : !F -> i64
  chi.check bounds %ok (%i, %n : i32, i64) {what = "x", axis = 1 : i64} loc("p.chi":3:5 to :8)
  %v = chi.load %f[%i, %i : i32, i32] : !F -> f32
  return %v : f32
}

// A message: its text, then its values, of which the check has none itself.
// Strs and fields are handles there too.
// CHECK-LABEL: func.func @message(
// CHECK-SAME:    %[[S:[a-z0-9]+]]: !llvm.ptr, %[[F:[a-z0-9]+]]: !llvm.ptr, %[[OK:[a-z0-9]+]]: i1, %[[V:[a-z0-9]+]]: f64)
// CHECK:         cf.cond_br %[[OK]]
// CHECK:         llvm.call @chirt_fmt_text
// CHECK:         llvm.store %[[V]], %[[M:.*]] : f64, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c12_i32, %{{.*}}, %{{.*}}, %{{.*}}, %[[M]], %{{.*}})
// CHECK:         llvm.mlir.addressof @chi.site.
// CHECK:         llvm.call @chirt_raise(
// CHECK-NEXT:    llvm.unreachable
func.func @message(%s: !chi.str, %f: !F, %ok: i1, %v: f64) attributes {chi.host} {
  chi.check assert %ok (%v : f64) {what = "ok", parts = ["it is ", {shape = array<i64>, type = "f64"}]}
  return
}
