// RUN: chi-opt %s --convert-loops-to-cpu | FileCheck %s

// The least of -0 and +0 is -0, the largest is +0, and a NaN gives way to a
// number: LLVM's minimumnum and maximumnum, of lanes too. Only an operation that
// says that the sign of a zero does not matter is the weaker one, except for
// what a loop carries: LLVM's vectoriser leaves a reduction by minnum at the
// first NaN.
// CHECK-LABEL: llvm.func hidden @scalars(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32, %[[A:[a-z0-9]+]]: f64, %[[B:[a-z0-9]+]]: f64)
// CHECK:         %[[LEAST:.*]] = llvm.call_intrinsic "llvm.minimumnum"(%[[X]], %[[Y]]) : (f32, f32) -> f32
// CHECK:         %[[MOST:.*]] = llvm.call_intrinsic "llvm.maximumnum"(%[[A]], %[[B]]) : (f64, f64) -> f64
func.func @scalars(%x: f32, %y: f32, %a: f64, %b: f64) -> (f32, f64) {
  %0 = arith.minnumf %x, %y : f32
  %1 = arith.maxnumf %a, %b : f64
  return %0, %1 : f32, f64
}

// Halves by f32: the conversion back does not round.
// CHECK-LABEL: llvm.func hidden @halves(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f16, %[[Y:[a-z0-9]+]]: f16, %[[V:[a-z0-9]+]]: vector<8xf16>, %{{.*}}: vector<8xf16>)
// CHECK:         %[[XW:.*]] = llvm.fpext %[[X]] : f16 to f32
// CHECK:         %[[YW:.*]] = llvm.fpext %[[Y]] : f16 to f32
// CHECK:         %[[MOST:.*]] = llvm.call_intrinsic "llvm.maximumnum"(%[[XW]], %[[YW]])
// CHECK:         llvm.fptrunc %[[MOST]] : f32 to f16
// CHECK:         %[[VW:.*]] = llvm.fpext %[[V]] : vector<8xf16> to vector<8xf32>
// CHECK:         %[[LEAST:.*]] = llvm.call_intrinsic "llvm.minimumnum"(%[[VW]], %{{.*}}) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
// CHECK:         llvm.fptrunc %[[LEAST]] : vector<8xf32> to vector<8xf16>
func.func @halves(%x: f16, %y: f16, %v: vector<8xf16>, %w: vector<8xf16>) -> (f16, vector<8xf16>) {
  %0 = arith.maxnumf %x, %y : f16
  %1 = arith.minnumf %v, %w : vector<8xf16>
  return %0, %1 : f16, vector<8xf16>
}

// CHECK-LABEL: llvm.func hidden @lanes(
// CHECK:         llvm.call_intrinsic "llvm.minimumnum"(%{{.*}}, %{{.*}}) : (vector<4xf64>, vector<4xf64>) -> vector<4xf64>
func.func @lanes(%v: vector<4xf64>, %w: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.minnumf %v, %w : vector<4xf64>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: llvm.func hidden @unsigned(
// CHECK-NOT:     call_intrinsic
// CHECK:         llvm.intr.minnum(%{{.*}}, %{{.*}})
// CHECK:         llvm.intr.maxnum(%{{.*}}, %{{.*}})
func.func @unsigned(%x: f32, %y: f32) -> (f32, f32) {
  %0 = arith.minnumf %x, %y fastmath<nsz> : f32
  %1 = arith.maxnumf %x, %y fastmath<reassoc,nsz,arcp,contract,afn> : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: llvm.func hidden @carried(
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.maximumnum"(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<nsz>}
// CHECK:         llvm.intr.maxnum(%{{.*}}, %{{.*}})
func.func @carried(%n: i64, %x: f32, %y: f32) -> f32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant 0.0 : f32
  cf.br ^head(%zero, %start : i64, f32)
^head(%i: i64, %most: f32):
  %goes = arith.cmpi slt, %i, %n : i64
  cf.cond_br %goes, ^body, ^end
^body:
  %a = arith.maxnumf %most, %x fastmath<nsz> : f32
  %b = arith.maxnumf %y, %a fastmath<nsz> : f32
  %next = arith.addi %i, %one : i64
  cf.br ^head(%next, %b : i64, f32)
^end:
  %c = arith.maxnumf %x, %y fastmath<nsz> : f32
  %sum = arith.addf %most, %c : f32
  return %sum : f32
}

// Other flags are no leave.
// CHECK-LABEL: llvm.func hidden @others(
// CHECK:         llvm.call_intrinsic "llvm.minimumnum"
func.func @others(%x: f32, %y: f32) -> f32 {
  %0 = arith.minnumf %x, %y fastmath<reassoc,contract> : f32
  return %0 : f32
}
