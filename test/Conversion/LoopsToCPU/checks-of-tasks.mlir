// RUN: chi-opt %s --chi-lower-checks | FileCheck %s

// A failing check of a task: its site, its values and its iteration, each value
// as a word of 64 bits, are passed to the run time, and the function returns.
// The blocks that do so follow all others, in the order of the checks. The site
// is a number in the unit's table, which names the kernel and its axes; the
// types of the values follow, with the sign from the check.
// CHECK-DAG: llvm.mlir.global internal constant @chi.unit() {{.*}}chi.members = [@chi.sites, unit, 5 : i32, 0 : i32]
// CHECK-DAG: llvm.mlir.global internal constant @chi.sites() {{.*}}chi.members = {{.*}}[@{{[^,]*}}, 4 : i32, 2 : i32, 9 : i32, 2 : i32, @{{[^,]*}}, 0 : i32, 5 : i32, @[[TYPES:chi.types.[0-9a-f]+]], @[[K:chi.text.[0-9a-f]+]], 2 : i32, -1 : i32, @[[AXES:chi.text.[0-9a-f]+]]]
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[K]]("k\00")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[AXES]]("i, j\00")
// i8, bool, f16, f32, i64; u8 and u32.
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[TYPES]]("\01\00\09\0B\04")
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[UTYPES:chi.types.[0-9a-f]+]]("\05\07")

// CHECK-LABEL: func.func private @k.t0.body(
// CHECK-SAME:    %[[OK:[a-z0-9]+]]: i1, %[[A:[a-z0-9]+]]: i8, %[[B:[a-z0-9]+]]: i1, %[[C:[a-z0-9]+]]: f16, %[[D:[a-z0-9]+]]: f32, %[[E:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i64, %[[J:[a-z0-9]+]]: i64, %[[U:[a-z0-9]+]]: i32)
// Room for 16 words of each, made once for all checks.
// CHECK-DAG:     %[[INDICES:.*]] = llvm.alloca %{{.*}} x i64
// CHECK-DAG:     %[[WORDS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK-NOT:     llvm.alloca
// CHECK:         cf.cond_br %[[OK]] weights([1048576, 1]), ^[[NEXT:.*]], ^[[COLD1:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK:         cf.cond_br %[[OK]] weights([1048576, 1]), ^[[END:.*]], ^[[COLD2:.*]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:    return
// CHECK:       ^[[COLD1]]:
// Numbers with their sign, a bool without, floats as f64.
// CHECK:         %[[W0:.*]] = arith.extsi %[[A]] : i8 to i64
// CHECK:         llvm.store %[[W0]], %[[VALUES:.*]] : i64, !llvm.ptr
// CHECK:         %[[W1:.*]] = arith.extui %[[B]] : i1 to i64
// CHECK:         %[[P1:.*]] = llvm.getelementptr inbounds|nuw %[[VALUES]][%c1_i64{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i64
// CHECK:         llvm.store %[[W1]], %[[P1]] : i64, !llvm.ptr
// CHECK:         %[[F16:.*]] = arith.extf %[[C]] : f16 to f64
// CHECK:         %[[W2:.*]] = arith.bitcast %[[F16]] : f64 to i64
// CHECK:         %[[P2:.*]] = llvm.getelementptr inbounds|nuw %[[VALUES]][%c2_i64{{.*}}]
// CHECK:         llvm.store %[[W2]], %[[P2]] : i64, !llvm.ptr
// CHECK:         %[[F32:.*]] = arith.extf %[[D]] : f32 to f64
// CHECK:         %[[W3:.*]] = arith.bitcast %[[F32]] : f64 to i64
// CHECK:         %[[P3:.*]] = llvm.getelementptr inbounds|nuw %[[VALUES]][%c3_i64{{.*}}]
// CHECK:         llvm.store %[[W3]], %[[P3]] : i64, !llvm.ptr
// CHECK:         %[[P4:.*]] = llvm.getelementptr inbounds|nuw %[[VALUES]][%c4_i64{{.*}}]
// CHECK:         llvm.store %[[E]], %[[P4]] : i64, !llvm.ptr
// The last two are the iteration, in memory of their own.
// CHECK:         llvm.store %[[I]], %[[PLACE:.*]] : i64, !llvm.ptr
// CHECK:         %[[SECOND:.*]] = llvm.getelementptr inbounds|nuw %[[PLACE]][%c1_i64{{.*}}]
// CHECK:         llvm.store %[[J]], %[[SECOND]] : i64, !llvm.ptr
// CHECK:         %[[UNIT:.*]] = llvm.mlir.addressof @chi.unit
// CHECK:         llvm.call @chirt_fail(%[[UNIT]], %c1_i32{{.*}}, %[[VALUES]], %[[PLACE]])
// CHECK-NEXT:    return
// CHECK:       ^[[COLD2]]:
// CHECK:         %[[X0:.*]] = arith.extui %[[A]] : i8 to i64
// CHECK:         llvm.store %[[X0]], %[[VALUES]] : i64, !llvm.ptr
// CHECK:         %[[X1:.*]] = arith.extui %[[U]] : i32 to i64
// CHECK:         llvm.store %[[X1]],
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %c0_i32{{.*}}, %[[VALUES]], %[[PLACE]])
// CHECK-NEXT:    return
func.func private @k.t0.body(%ok: i1, %a: i8, %b: i1, %c: f16, %d: f32, %e: i64, %i: i64, %j: i64, %u: i32)
    attributes {chi.body, chi.kernel = "k", chi.axes = "i, j"} {
  chi.check assert %ok (%a, %b, %c, %d, %e, %i, %j : i8, i1, f16, f32, i64, i64, i64) {what = "all", iteration = 2 : i64} loc("p.chi":4:2 to :9)
  chi.check bounds %ok (%a, %u, %i, %j : i8, i32, i64, i64) {what = "x", is_unsigned, iteration = 2 : i64}
  return
}

// A function that a task calls returns something when it fails; the caller's
// launch has failed by then. It knows no iteration.
// CHECK-LABEL: func.func private @callee(
// CHECK:         llvm.call @chirt_fail(
// CHECK-DAG:     %[[I:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[F:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG:     %[[P:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         return %[[I]], %[[F]], %[[P]] : i32, f64, !llvm.ptr
func.func private @callee(%ok: i1, %p: !llvm.ptr) -> (i32, f64, !llvm.ptr) {
  chi.check divide %ok {what = "x"}
  %a = arith.constant 7 : i32
  %b = arith.constant 8.0 : f64
  return %a, %b, %p : i32, f64, !llvm.ptr
}

// More than 16 values: a report has room for the first ones.
// CHECK-LABEL: func.func private @many(
// CHECK:         llvm.getelementptr inbounds|nuw %{{.*}}[%c15_i64{{.*}}]
// CHECK-NOT:     %c16_i64{{.*}}]
// CHECK:         llvm.call @chirt_fail(
func.func private @many(%ok: i1, %v: i64) attributes {chi.body} {
  chi.check assert %ok (%v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
  return
}

// A check in a loop splits its block: what stood behind it goes on there.
// CHECK-LABEL: func.func private @loop(
// CHECK:       ^[[HEAD:.*]](%[[I:.*]]: i32):
// CHECK:         cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK:       ^[[BODY]]:
// CHECK:         cf.cond_br %{{.*}} weights([1048576, 1]), ^[[REST:.*]], ^[[COLD:.*]]
// CHECK:       ^[[REST]]:
// CHECK:         cf.br ^[[HEAD]](
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    return
// CHECK:       ^[[COLD]]:
// CHECK:         llvm.call @chirt_fail
func.func private @loop(%n: i32) attributes {chi.body} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%z : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %ok = arith.cmpi ne, %i, %n : i32
  chi.check assert %ok
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next : i32)
^exit:
  return
}
