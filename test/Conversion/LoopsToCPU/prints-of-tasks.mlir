// RUN: chi-opt %s --chi-lower-checks --cse | FileCheck %s
// RUN: chi-opt %s --chi-lower-checks=records --cse | FileCheck %s --check-prefix=RECORD

// What a task prints goes to the thread's buffer piece by piece, then out at
// once. Its memory is made once, where the function begins.
// CHECK-LABEL: func.func private @prints.body(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: f32, %[[B:[a-z0-9]+]]: f32, %[[N:[a-z0-9]+]]: i32)
// CHECK:         %[[NUMBER:.*]] = llvm.alloca %{{.*}} x i32
// CHECK:         %[[VEC:.*]] = llvm.alloca %{{.*}} x f32
// CHECK:         %[[T0:.*]] = llvm.mlir.addressof @chi.text.
// CHECK:         llvm.call @chirt_fmt_text(%[[T0]], %c5_i64)
// A vector goes as it lies in a field: f32, one axis, two rows, one column.
// CHECK:         %[[SPEC:.*]] = llvm.mlir.addressof @chi.text.
// CHECK:         llvm.store %[[A]], %[[VEC]] : f32, !llvm.ptr
// CHECK:         %[[SECOND:.*]] = llvm.getelementptr inbounds|nuw %[[VEC]][%c1_i64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:         llvm.store %[[B]], %[[SECOND]] : f32, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c11_i32, %c1_i32, %c2_i32, %c1_i32, %[[VEC]], %[[SPEC]])
// CHECK:         llvm.store %[[N]], %[[NUMBER]] : i32, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c3_i32, %c0_i32, %c1_i32, %c1_i32, %[[NUMBER]], %{{.*}})
// A str is the number of one of a few texts: the first, unless it is another.
// CHECK:         %[[NO:.*]] = llvm.mlir.addressof @chi.text.
// CHECK:         %[[IS1:.*]] = arith.cmpi eq, %[[N]], %c1_i32 : i32
// CHECK:         %[[YES:.*]] = llvm.mlir.addressof @chi.text.
// CHECK:         %[[ONE:.*]] = arith.select %[[IS1]], %[[YES]], %[[NO]] : !llvm.ptr
// CHECK:         %[[IS2:.*]] = arith.cmpi eq, %[[N]], %c2_i32 : i32
// CHECK:         %[[TWO:.*]] = arith.select %[[IS2]], %{{.*}}, %[[ONE]] : !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_str(%[[TWO]], %{{.*}})
// CHECK-NEXT:    llvm.call @chirt_fmt_print()

// As a record: the number of its format, and a word for each scalar. The table
// of the unit says what they are: literals, with their lengths; f32, one axis of
// two; i32; a str that is the number of a text.
// RECORD-DAG:   llvm.mlir.global internal constant @chi.unit() {{.*}}chi.members = [@chi.sites, @chi.formats, 1 : i32, 2 : i32]
// RECORD-DAG:   llvm.mlir.global internal constant @chi.formats() {{.*}}chi.members = {{\[\[}}@[[PARTS:chi.parts.[0-9a-f]+]], 4 : i32, 4 : i32], [@[[MESSAGE:chi.parts.[0-9a-f]+]], 3 : i32, 20 : i32]]
// RECORD-DAG:   llvm.mlir.global internal constant @[[PARTS]]() {{.*}}chi.members = {{\[\[}}@{{[^,]*}}, -1 : i32, 1 : i32, 5 : i32, 1 : i32, unit, 0 : i32], [@{{[^,]*}}, 11 : i32, 1 : i32, 2 : i32, 1 : i32, unit, 0 : i32], [@{{[^,]*}}, 3 : i32, 0 : i32, 1 : i32, 1 : i32, unit, 0 : i32], [@{{[^,]*}}, 13 : i32, 0 : i32, 1 : i32, 1 : i32, @[[CHOICES:chi.choices.[0-9a-f]+]], 3 : i32]]
// RECORD-DAG:   llvm.mlir.global internal constant @[[CHOICES]]() {{.*}}chi.members = [@{{[^,]*}}, @{{[^,]*}}, @{{[^,]*}}]
// RECORD-LABEL: func.func private @prints.body(
// RECORD-SAME:    %[[A:[a-z0-9]+]]: f32, %[[B:[a-z0-9]+]]: f32, %[[N:[a-z0-9]+]]: i32)
// RECORD:         %[[WORDS:.*]] = llvm.alloca %{{.*}} x i64
// RECORD:         %[[WIDE:.*]] = arith.extf %[[A]] : f32 to f64
// RECORD:         %[[BITS:.*]] = arith.bitcast %[[WIDE]] : f64 to i64
// RECORD:         llvm.store %[[BITS]], %[[WORDS]] : i64, !llvm.ptr
// RECORD:         %[[THIRD:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%c2_i64]
// RECORD:         llvm.store %{{.*}}, %[[THIRD]] : i64, !llvm.ptr
// RECORD:         %[[FOURTH:.*]] = llvm.getelementptr inbounds|nuw %[[WORDS]][%c3_i64]
// RECORD:         %[[UNIT:.*]] = llvm.mlir.addressof @chi.unit
// RECORD:         llvm.call @chirt_print_record(%[[UNIT]], %c0_i32, %[[WORDS]])
// RECORD-NOT:     chirt_fmt
func.func private @prints.body(%a: f32, %b: f32, %n: i32) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  chi.print ["at = ", {shape = array<i64: 2>, type = "f32", spec = ".2f"}, {shape = array<i64>, type = "i32"},
             {shape = array<i64>, type = "str", texts = ["no", "yes", "perhaps"]}] (%a, %b, %n, %n : f32, f32, i32, i32)
  return
}

// A message of an assertion: its words follow those of the check. There is room
// for 24; the rest of a longer message is dropped.
// RECORD-LABEL: func.func private @fails.body(
// RECORD:         cf.cond_br
// RECORD:         llvm.getelementptr inbounds|nuw %{{.*}}[%c21_i64]
// RECORD-NOT:     %c22_i64]
// RECORD:         llvm.call @chirt_fail(%{{.*}}, %c0_i32, %{{.*}}, %{{.*}})
func.func private @fails.body(%ok: i1, %v: i32, %s: f64) attributes {chi.body, chi.kernel = "k", chi.axes = "i"} {
  chi.check assert %ok (%v, %v, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %v, %v, %v, %v, %v, %v, %v, %v : i32, i32, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, i32, i32, i32, i32, i32, i32, i32, i32) {
    what = "a < b", parts = [{shape = array<i64: 4, 4>, type = "f64"}, {shape = array<i64: 4>, type = "i32"}, {shape = array<i64: 4>, type = "i32"}]}
  return
}
