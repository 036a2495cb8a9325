// RUN: chi-opt %s --chi-schedule --convert-chi-to-loops --cse | FileCheck %s

// A check of a task stays a check, with the iteration's variables after its
// values, as numbers of 64 bits; an attribute gives their number. Prints of a
// task stay, too: chi-lower-checks lowers them.
!F = !chi.field<?xf32>

// CHECK-LABEL: func.func private @checks.body(
// CHECK-SAME:    %[[OK:[a-z0-9]+]]: i1, %[[V:[a-z0-9]+]]: i32, %[[FROM0:[a-z0-9]+]]: index,
// CHECK:           %[[I:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c1_i64 : i64 {
// CHECK:             %[[I64:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:             %[[J64:.*]] = arith.extsi %{{.*}} : i8 to i64
// The text of a failing message is part of the check until it is a branch.
// CHECK:             chi.check assert %[[OK]] (%[[V]], %[[V]], %[[I64]], %[[J64]], %[[K]] : i32, i32, i64, i64, i64) {iteration = 3 : i64, parts = ["v is ", {shape = array<i64>, type = "i32"}], what = "v > 0"}
// A row that is not the first adds its number to the axis of rows; without a
// wide body that axis is the first.
// CHECK:             %[[NEXT:.*]] = arith.addi %[[I64]], %c2_i64 : i64
// CHECK:             chi.check bounds %[[OK]] (%[[V]], %[[V]], %[[NEXT]], %[[J64]], %[[K]] : i32, i32, i64, i64, i64) {axis = 1 : i64, iteration = 3 : i64
chi.task @checks(%ok: i1, %v: i32) (%i: i32, %j: i8, %k: i64) attributes {kernel = "k", axes = ["i", "j", "k"]} {
  chi.check assert %ok (%v, %v : i32, i32) {what = "v > 0", parts = ["v is ", {shape = array<i64>, type = "i32"}]}
  chi.check bounds %ok (%v, %v : i32, i32) {what = "x", axis = 1 : i64, row = 2 : i64}
  chi.next
}

// One iteration: no variables.
// CHECK-LABEL: func.func private @alone.body(
// CHECK:         chi.check divide %{{.*}} (%{{.*}} : i32) {iteration = 0 : i64}
chi.task @alone(%ok: i1, %v: i32) () attributes {kernel = "k"} {
  chi.check divide %ok (%v : i32)
  chi.next
}

// CHECK-LABEL: func.func private @prints.body(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: f32, %[[B:[a-z0-9]+]]: f32, %[[N:[a-z0-9]+]]: i32,
// CHECK:         scf.for
// CHECK:           chi.print ["at = ", {{.*}}](%[[A]], %[[B]], %[[N]], %[[N]] : f32, f32, i32, i32)
chi.task @prints(%a: f32, %b: f32, %n: i32) (%i: i32) attributes {kernel = "k", axes = ["i"]} {
  chi.print ["at = ", {shape = array<i64: 2>, type = "f32", spec = ".2f"}, {shape = array<i64>, type = "i32"},
             {shape = array<i64>, type = "str", texts = ["no", "yes", "perhaps"]}] (%a, %b, %n, %n : f32, f32, i32, i32)
  chi.next
}
