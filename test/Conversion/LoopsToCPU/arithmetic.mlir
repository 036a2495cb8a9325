// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// Arithmetic keeps what it says of itself: leave to rewrite floats, sums that do
// not wrap. An index has 64 bits and a sign. Elementary functions are LLVM's
// where it has them, else the C library's, by the width of their numbers.

// CHECK-LABEL: llvm.func hidden @flags(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32, %[[N:[a-z0-9]+]]: i32, %[[I:[a-z0-9]+]]: i64)
// CHECK:         llvm.fadd %[[X]], %[[X]] {fastmathFlags = #llvm.fastmath<nsz, arcp, contract, afn, reassoc>} : f32
// CHECK:         llvm.fmul %{{.*}}, %[[X]] : f32
// CHECK:         llvm.fcmp "olt" %{{.*}}, %[[X]] {fastmathFlags = #llvm.fastmath<nsz>} : f32
// CHECK:         llvm.add %[[N]], %[[N]] : i32
// CHECK:         llvm.add %[[N]], %[[N]] overflow<nsw> : i32
// CHECK:         llvm.mul %[[I]], %[[I]] overflow<nsw> : i64
func.func @flags(%x: f32, %n: i32, %i: index) -> (f32, i1, i32, i32, index) {
  %0 = arith.addf %x, %x fastmath<reassoc,nsz,arcp,contract,afn> : f32
  %1 = arith.mulf %0, %x : f32
  %2 = arith.cmpf olt, %1, %x fastmath<nsz> : f32
  %3 = arith.addi %n, %n : i32
  %4 = arith.addi %n, %n overflow<nsw> : i32
  %5 = arith.muli %i, %i overflow<nsw> : index
  return %1, %2, %3, %4, %5 : f32, i1, i32, i32, index
}

// From and to an index, with the sign; one of 64 bits is the same number.
// CHECK-LABEL: llvm.func hidden @indices(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: i8, %[[B:[a-z0-9]+]]: i64, %[[C:[a-z0-9]+]]: i8)
// CHECK:         llvm.sext %[[A]] : i8 to i64
// CHECK:         llvm.trunc %[[B]] : i64 to i32
// CHECK:         llvm.zext %[[C]] : i8 to i64
// CHECK-NOT:     unrealized
// CHECK:         llvm.return
func.func @indices(%a: i8, %b: index, %c: i8) -> (index, i32, index, i64) {
  %0 = arith.index_cast %a : i8 to index
  %1 = arith.index_cast %b : index to i32
  %2 = arith.index_castui %c : i8 to index
  %3 = arith.index_cast %b : index to i64
  return %0, %1, %2, %3 : index, i32, index, i64
}

// CHECK-LABEL: llvm.func hidden @functions(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32, %[[D:[a-z0-9]+]]: f64)
// CHECK:         llvm.intr.sqrt(%[[X]]) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK:         llvm.intr.floor(%[[D]])
// CHECK:         llvm.intr.fma(%[[D]], %[[D]], %[[D]])
// CHECK:         llvm.intr.copysign(%[[X]], %{{.*}})
// CHECK:         llvm.intr.fabs(%[[X]])
// CHECK:         llvm.intr.exp(%[[D]])
// CHECK:         llvm.intr.atan2(%[[X]], %{{.*}}) : (f32, f32) -> f32
// CHECK:         llvm.call @cbrt(%[[D]]) : (f64) -> f64
// CHECK:         llvm.call @asinhf(%[[X]]) : (f32) -> f32
// CHECK:         llvm.frem %[[D]], %[[D]] : f64
func.func @functions(%x: f32, %d: f64) -> (f32, f64, f64, f32, f32, f64, f32, f64, f64, f32) {
  %0 = math.sqrt %x fastmath<afn> : f32
  %1 = math.floor %d : f64
  %2 = math.fma %d, %d, %d : f64
  %3 = math.copysign %x, %0 : f32
  %4 = math.absf %x : f32
  %5 = math.exp %d : f64
  %6 = math.atan2 %x, %4 : f32
  %7 = math.cbrt %d : f64
  %9 = math.asinh %x : f32
  %8 = arith.remf %d, %d : f64
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f32, f64, f64, f32, f32, f64, f32, f64, f64, f32
}

// Lanes: what a check of them and a reversal is made of.
// CHECK-LABEL: llvm.func hidden @lanes(
// CHECK-SAME:    %[[M:[a-z0-9]+]]: vector<8xi1>, %[[V:[a-z0-9]+]]: vector<8xf32>, %[[N:[a-z0-9]+]]: i64)
// CHECK:         "llvm.intr.vector.reduce.or"(%[[M]]) : (vector<8xi1>) -> i1
// CHECK:         %[[BITS:.*]] = llvm.bitcast %[[M]] : vector<8xi1> to vector<1xi8>
// CHECK:         %[[WORD:.*]] = llvm.extractelement %[[BITS]]
// CHECK:         "llvm.intr.cttz"(%[[WORD]]) <{is_zero_poison = false}> : (i8) -> i8
// CHECK:         llvm.shufflevector %[[V]], %[[V]] [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>
// CHECK:         llvm.extractelement %[[V]][%[[N]] : i64] : vector<8xf32>
// CHECK:         llvm.insertelement %{{.*}}, %[[V]][%[[N]] : i64] : vector<8xf32>
func.func @lanes(%m: vector<8xi1>, %v: vector<8xf32>, %n: index) -> (i1, i8, vector<8xf32>, f32, vector<8xf32>) {
  %0 = vector.reduction <or>, %m : vector<8xi1> into i1
  %1 = vector.bitcast %m : vector<8xi1> to vector<1xi8>
  %2 = vector.extract %1[0] : i8 from vector<1xi8>
  %3 = math.cttz %2 : i8
  %4 = vector.shuffle %v, %v [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
  %5 = vector.extract %v[%n] : f32 from vector<8xf32>
  %6 = vector.insert %5, %v [%n] : f32 into vector<8xf32>
  return %0, %3, %4, %5, %6 : i1, i8, vector<8xf32>, f32, vector<8xf32>
}

// Integers to floats: as the machine does it, unless a note says that they are
// small; the note says nothing of 32 bits, nor of numbers without a sign.
// CHECK-LABEL: llvm.func hidden @to_floats(
// CHECK-SAME:    %[[I:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i64)
// CHECK:         %[[SUM:.*]] = llvm.add %[[I]], %{{.*}} : i64
// CHECK:         %[[BITS:.*]] = llvm.bitcast %[[SUM]] : i64 to f64
// CHECK:         %[[R:.*]] = llvm.fsub %[[BITS]], %{{.*}} : f64
// CHECK-NOT:     fastmathFlags
// CHECK:         llvm.sitofp %[[N]] {{.*}}: i32 to f64
// CHECK:         llvm.uitofp %[[K]] : i64 to f64
func.func @to_floats(%i: i64, %n: i32, %k: i64) -> (f64, f64, f64) {
  %0 = arith.sitofp %i {chi.in_range} : i64 to f64
  %1 = arith.sitofp %n {chi.in_range} : i32 to f64
  %2 = arith.uitofp %k : i64 to f64
  return %0, %1, %2 : f64, f64, f64
}
