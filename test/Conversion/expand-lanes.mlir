// RUN: chi-opt %s --chi-expand-math=library=%S/Inputs/branches-library.mlir | FileCheck %s

// The body of an elementary function for a vector is that for a number with
// every type widened: constants in all lanes, choices as selects, of which both
// sides are computed. Each width has functions of its own.

// CHECK-LABEL: func.func @lanes(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: vector<4xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:     %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK:         %[[NEG:.*]] = arith.cmpf olt, %[[X]], %[[ZERO]] : vector<4xf32>
// CHECK-NOT:     scf.if
// CHECK:         %[[A:.*]] = arith.mulf %[[X]], %[[TWO]] : vector<4xf32>
// CHECK:         %[[B:.*]] = arith.addf %[[X]], %[[TWO]] : vector<4xf32>
// CHECK:         %[[R:.*]] = arith.select %[[NEG]], %[[A]], %[[B]] : vector<4xi1>, vector<4xf32>
// CHECK:         return %[[R]]
func.func @lanes(%x: vector<4xf32>) -> vector<4xf32> {
  %r = math.cos %x : vector<4xf32>
  return %r : vector<4xf32>
}

// Of one number the choice stays what it is.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32)
// CHECK:         %[[NEG:.*]] = arith.cmpf olt, %[[X]]
// CHECK:         %[[R:.*]] = scf.if %[[NEG]] -> (f32) {
// CHECK:           arith.mulf %[[X]]
// CHECK:         } else {
// CHECK:           arith.addf %[[X]]
// CHECK:         }
// CHECK:         return %[[R]]
func.func @one(%x: f32) -> f32 {
  %r = math.cos %x : f32
  return %r : f32
}

// Half precision of lanes goes by lanes of f32; f64 by its own function.
// CHECK-LABEL: func.func @widths(
// CHECK-SAME:    %[[H:[a-z0-9]+]]: vector<4xf16>, %[[D:[a-z0-9]+]]: f64)
// CHECK:         %[[W:.*]] = arith.extf %[[H]] : vector<4xf16> to vector<4xf32>
// CHECK:         %[[R:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK:         arith.truncf %[[R]] : vector<4xf32> to vector<4xf16>
// CHECK:         arith.subf %[[D]], %{{.*}} : f64
func.func @widths(%h: vector<4xf16>, %d: f64) -> (vector<4xf16>, f64) {
  %r = math.cos %h : vector<4xf16>
  %s = math.cos %d : f64
  return %r, %s : vector<4xf16>, f64
}

// A function that is written by another: that one's body in it, in lanes too.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: vector<4xf32>, %[[Y:[a-z0-9]+]]: vector<4xf32>)
// CHECK:         %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : vector<4xf32>
// CHECK:         %[[Q:.*]] = arith.cmpf olt, %[[P]], %{{.*}} : vector<4xf32>
// CHECK:         %[[R:.*]] = arith.select %[[Q]]
// CHECK:         arith.negf %[[R]] : vector<4xf32>
// CHECK-NOT:     call
// CHECK:         return
func.func @nested(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %r = math.atan2 %x, %y : vector<4xf32>
  return %r : vector<4xf32>
}

// Left alone: what the library has not in that width, a longer precision,
// lanes of two axes, and what the hardware has.
// CHECK-LABEL: func.func @left(
// CHECK:         math.atan2 %{{.*}}, %{{.*}} : f64
// CHECK:         math.cos %{{.*}} : f80
// CHECK:         math.cos %{{.*}} : vector<2x2xf32>
// CHECK:         math.floor %{{.*}} : f32
// CHECK:         math.fma
func.func @left(%d: f64, %b: f80, %v: vector<2x2xf32>, %x: f32) -> (f64, f80, vector<2x2xf32>, f32, f32) {
  %0 = math.atan2 %d, %d : f64
  %1 = math.cos %b : f80
  %2 = math.cos %v : vector<2x2xf32>
  %3 = math.floor %x : f32
  %4 = math.fma %x, %x, %x : f32
  return %0, %1, %2, %3, %4 : f64, f80, vector<2x2xf32>, f32, f32
}

// In a task and in its body for lanes alike.
// CHECK-LABEL: chi.task @k
// CHECK-NOT:     math.cos
// CHECK:         scf.if
// CHECK:       wide
// CHECK-NOT:     math.cos
// CHECK:         arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
chi.task @k(%x: !chi.field<8xf32>, %a: f32, %v: vector<8xf32>, %m: vector<8xi1>) (%i: i32) attributes {lanes = 8 : i64} {
  %r = math.cos %a : f32
  chi.store %r, %x[%i : i32] : f32, !chi.field<8xf32>
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>, %a: f32, %v: vector<8xf32>, %m: vector<8xi1>, %i: i32):
  %r = math.cos %v : vector<8xf32>
  %is = vector.broadcast %i : i32 to vector<8xi32>
  chi.store %r, %x[%is : vector<8xi32>] mask(%m : vector<8xi1>) : vector<8xf32>, !chi.field<8xf32>
  chi.next
}
