// RUN: chi-opt %s --chi-lower-checks --cse | FileCheck %s

// What a failing check of a task hands to the run time. Each value is a word of
// 64 bits: integers extended by their sign, a bool by zeros, floats as f64.
// CHECK-LABEL: func.func private @signed.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[A:[a-z0-9]+]]: i8, %[[B:[a-z0-9]+]]: i1, %[[C:[a-z0-9]+]]: i64, %[[H:[a-z0-9]+]]: f16, %[[D:[a-z0-9]+]]: f64)
// CHECK:         %[[A1:.*]] = arith.extsi %[[A]] : i8 to i64
// CHECK:         llvm.store %[[A1]], %[[WORDS:.*]] : i64, !llvm.ptr
// CHECK:         %[[B1:.*]] = arith.extui %[[B]] : i1 to i64
// CHECK:         llvm.store %[[B1]],
// CHECK:         llvm.store %[[C]],
// CHECK:         %[[H1:.*]] = arith.extf %[[H]] : f16 to f64
// CHECK:         %[[H2:.*]] = arith.bitcast %[[H1]] : f64 to i64
// CHECK:         llvm.store %[[H2]],
// CHECK:         %[[D1:.*]] = arith.bitcast %[[D]] : f64 to i64
// CHECK:         llvm.store %[[D1]],
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %{{.*}}, %[[WORDS]],
func.func private @signed.body(%ok: i1, %a: i8, %b: i1, %c: i64, %h: f16, %d: f64) attributes {chi.body, chi.kernel = "k", chi.axes = ""} {
  chi.check assert %ok (%a, %b, %c, %h, %d : i8, i1, i64, f16, f64) {what = "a"}
  return
}

// Of unsigned operands the integers are extended by zeros; numbers of an
// iteration have a sign all the same.
// CHECK-LABEL: func.func private @unsigned.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[A:[a-z0-9]+]]: i16, %[[I:[a-z0-9]+]]: i32)
// CHECK-DAG:     %[[AT:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK-DAG:     arith.extui %[[A]] : i16 to i64
// CHECK-DAG:     llvm.store %[[AT]], %[[ITERATION:.*]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %{{.*}}, %[[VALUES:.*]], %[[ITERATION]])
func.func private @unsigned.body(%ok: i1, %a: i16, %i: i32) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  chi.check assert %ok (%a, %i : i16, i32) {what = "a", is_unsigned, iteration = 1 : i64}
  return
}

// The last operands are the iteration, one an axis; the number of the iteration
// behind them is for devices, and no word of the report.
// CHECK-LABEL: func.func private @numbered.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[V:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i64, %[[J:[a-z0-9]+]]: i64, %[[NUMBER:[a-z0-9]+]]: i64)
// CHECK-NOT:     llvm.store %[[NUMBER]]
// CHECK:         llvm.store %[[V]], %[[VALUES:.*]] : i64, !llvm.ptr
// CHECK-NOT:     llvm.store %[[NUMBER]]
// CHECK:         llvm.store %[[I]], %[[ITERATION:.*]] : i64, !llvm.ptr
// CHECK:         %[[SECOND:.*]] = llvm.getelementptr inbounds|nuw %[[ITERATION]][%c1_i64{{.*}}]
// CHECK:         llvm.store %[[J]], %[[SECOND]] : i64, !llvm.ptr
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %{{.*}}, %[[VALUES]], %[[ITERATION]])
func.func private @numbered.body(%ok: i1, %v: i64, %i: i64, %j: i64, %n: i64) attributes {chi.body, chi.kernel = "k", chi.axes = "i, j"} {
  chi.check bounds %ok (%v, %i, %j, %n : i64, i64, i64, i64) {what = "x", iteration = 2 : i64, numbered_iteration}
  return
}

// A report has room for 16 values; a check of 18 keeps the first 16, and the
// iteration is still the last operand. The first value is at the buffer itself.
// CHECK-LABEL: func.func private @many.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[V:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: i64)
// CHECK-COUNT-16: llvm.store %[[V]], %{{.*}} : i64, !llvm.ptr
// CHECK-NOT:      llvm.store %[[V]],
// CHECK:          llvm.store %[[I]],
// CHECK:          llvm.call @chirt_fail(
func.func private @many.body(%ok: i1, %v: i64, %i: i64) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  chi.check assert %ok (%v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %v, %i : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) {what = "v", iteration = 1 : i64}
  return
}

// Values of a message stand between the values and the iteration: they go to
// the thread's text, not to the words.
// CHECK-LABEL: func.func private @message.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: i1, %[[V:[a-z0-9]+]]: i64, %[[M:[a-z0-9]+]]: f64, %[[I:[a-z0-9]+]]: i64)
// CHECK:         llvm.call @chirt_fmt_text(
// CHECK:         llvm.store %[[M]], %[[MEMORY:.*]] : f64, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c12_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[MEMORY]],
// CHECK-NOT:     arith.bitcast
// CHECK:         llvm.store %[[V]], %[[VALUES:.*]] : i64, !llvm.ptr
// CHECK:         llvm.store %[[I]], %[[ITERATION:.*]] : i64, !llvm.ptr
// CHECK:         llvm.call @chirt_fail(%{{.*}}, %{{.*}}, %[[VALUES]], %[[ITERATION]])
func.func private @message.body(%ok: i1, %v: i64, %m: f64, %i: i64) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  chi.check assert %ok (%v, %m, %i : i64, f64, i64) {what = "v", iteration = 1 : i64,
    parts = ["m is ", {shape = array<i64>, type = "f64"}]}
  return
}

// A function of a task that fails has a result of zero.
// CHECK-LABEL: func.func private @half(
// CHECK:         llvm.call @chirt_fail(
// CHECK:         return %{{.*}}, %{{.*}} : f32, i32
func.func private @half(%ok: i1, %x: f32, %n: i32) -> (f32, i32) attributes {chi.kernel = "k", chi.axes = ""} {
  chi.check assert %ok {what = "ok"}
  return %x, %n : f32, i32
}
