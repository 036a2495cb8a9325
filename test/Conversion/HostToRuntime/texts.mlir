// RUN: chi-opt %s --convert-host-to-runtime | FileCheck %s

// Text with values goes to the thread's buffer piece by piece, in order: text
// with its length (it may hold zeros), each value with its type, its number of
// axes, rows and columns, its scalars and how it shall look. A str that is made
// is taken from the buffer; what is printed is printed at once.
// Equal texts are one constant, however often they are used.
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[PLAIN:.*]]("\00") {
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[ZERO:.*]]("a\00b\00") {
// CHECK-DAG: llvm.mlir.global internal unnamed_addr constant @[[SPEC:.*]](".3e\00") {
!F = !chi.field<?xf32>
!S = !chi.str

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME:    %[[S:[a-z0-9]+]]: !llvm.ptr, %[[F:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: i1, %[[H:[a-z0-9]+]]: f16, %[[N:[a-z0-9]+]]: i8)
func.func @kinds(%s: !S, %f: !F, %b: i1, %h: f16, %n: i8) attributes {chi.host} {
  // CHECK:      %[[T:.*]] = llvm.mlir.addressof @[[ZERO]]
  // CHECK:      %[[THREE:.*]] = arith.constant 3 : i64
  // CHECK:      llvm.call @chirt_fmt_text(%[[T]], %[[THREE]])
  // CHECK:      %[[NONE:.*]] = llvm.mlir.addressof @[[PLAIN]]
  // CHECK:      llvm.call @chirt_fmt_str(%[[S]], %[[NONE]])
  // CHECK:      llvm.call @chirt_fmt_field(%[[F]])
  // A bool is a byte: bool is type 0.
  // CHECK:      %[[BYTE:.*]] = arith.extui %[[B]] : i1 to i8
  // CHECK:      llvm.store %[[BYTE]], %[[MEM:.*]] : i8, !llvm.ptr
  // CHECK:      llvm.call @chirt_fmt_value(%c0_i32{{.*}}, %c0_i32{{.*}}, %c1_i32{{.*}}, %c1_i32{{.*}}, %[[MEM]], %{{.*}})
  // f16 is 9; its text is asked for.
  // CHECK:      %[[LOOK:.*]] = llvm.mlir.addressof @[[SPEC]]
  // CHECK:      llvm.store %[[H]], %[[MEM1:.*]] : f16, !llvm.ptr
  // CHECK:      llvm.call @chirt_fmt_value(%c9_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[MEM1]], %[[LOOK]])
  // The same bits are another number without a sign: u8 is 5, i8 is 1.
  // CHECK:      llvm.store %[[N]], %[[MEM2:.*]] : i8, !llvm.ptr
  // CHECK:      llvm.call @chirt_fmt_value(%c5_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[MEM2]],
  // CHECK:      llvm.store %[[N]], %[[MEM3:.*]] : i8, !llvm.ptr
  // CHECK:      llvm.call @chirt_fmt_value(%c1_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[MEM3]],
  // CHECK:      llvm.call @chirt_fmt_print()
  // CHECK-NOT:  llvm.call @chirt_fmt
  chi.print ["a\00b", {shape = array<i64>, type = "str"}, {shape = array<i64>, type = "field"},
             {shape = array<i64>, type = "bool"}, {shape = array<i64>, type = "f16", spec = ".3e"},
             {shape = array<i64>, type = "u8"}, {shape = array<i64>, type = "i8"}]
             (%s, %f, %b, %h, %n, %n : !S, !F, i1, f16, i8, i8)
  // CHECK:      return
  return
}

// A vector has one axis, a matrix two; their scalars follow each other.
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: f64, %[[C:[a-z0-9]+]]: f64, %[[D:[a-z0-9]+]]: f64, %[[E:[a-z0-9]+]]: f64, %[[G:[a-z0-9]+]]: f64)
// CHECK-DAG:     %[[MAT:.*]] = llvm.alloca %c6_i64{{.*}} x f64
// CHECK-DAG:     %[[VEC:.*]] = llvm.alloca %c2_i64{{.*}} x f64
// CHECK:         llvm.store %[[A]], %[[V:.*]] : f64, !llvm.ptr
// CHECK:         %[[V1:.*]] = llvm.getelementptr inbounds|nuw %[[V]][%c1_i64{{.*}}]
// CHECK:         llvm.store %[[B]], %[[V1]] : f64, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c12_i32{{.*}}, %c1_i32{{.*}}, %c2_i32{{.*}}, %c1_i32{{.*}}, %[[V]],
// CHECK:         llvm.store %[[A]], %[[M:.*]] : f64, !llvm.ptr
// CHECK:         %[[M1:.*]] = llvm.getelementptr inbounds|nuw %[[M]][%c1_i64{{.*}}]
// CHECK:         llvm.store %[[B]], %[[M1]] : f64, !llvm.ptr
// CHECK:         llvm.store %[[C]],
// CHECK:         llvm.store %[[D]],
// CHECK:         llvm.store %[[E]],
// CHECK:         %[[M5:.*]] = llvm.getelementptr inbounds|nuw %[[M]][%c5_i64{{.*}}]
// CHECK:         llvm.store %[[G]], %[[M5]] : f64, !llvm.ptr
// CHECK:         llvm.call @chirt_fmt_value(%c12_i32{{.*}}, %c2_i32{{.*}}, %c2_i32{{.*}}, %c3_i32{{.*}}, %[[M]],
// CHECK:         %[[TEXT:.*]] = llvm.call @chirt_fmt_take()
// CHECK:         return %[[TEXT]] : !llvm.ptr
// CHECK-NOT:     chirt_fmt_print
func.func @shapes(%a: f64, %b: f64, %c: f64, %d: f64, %e: f64, %g: f64) -> !S attributes {chi.host} {
  %t = chi.format [{shape = array<i64: 2>, type = "f64"}, {shape = array<i64: 2, 3>, type = "f64"}]
    (%a, %b, %a, %b, %c, %d, %e, %g : f64, f64, f64, f64, f64, f64, f64, f64)
  return %t : !S
}

// A constant text lives as long as the program.
// CHECK-LABEL: func.func @constant(
// CHECK:         %[[T:.*]] = llvm.mlir.addressof @[[ZERO]]
// CHECK:         return %[[T]]
func.func @constant() -> !S attributes {chi.host} {
  %t = chi.str "a\00b"
  return %t : !S
}

// In a loop the memory of a value is made once.
// CHECK-LABEL: func.func @often(
// CHECK:         llvm.alloca
// CHECK:         scf.for
// CHECK-NOT:       llvm.alloca
// CHECK:           llvm.call @chirt_fmt_value
func.func @often(%n: i32) attributes {chi.host} {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %z to %n step %one : i32 {
    chi.print [{shape = array<i64>, type = "i32"}] (%i : i32)
  }
  return
}
