// Long where the condition is false; long with two values from outside.
func.func @tan.f32(%x: f32) -> f32 {
  %limit = arith.constant 1.0e5 : f32
  %two = arith.constant 2.0 : f32
  %small = arith.cmpf olt, %x, %limit : f32
  %y = scf.if %small -> (f32) {
    scf.yield %x : f32
  } else {
    %0 = arith.mulf %x, %two : f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.mulf %6, %6 : f32
    %8 = arith.mulf %7, %7 : f32
    scf.yield %8 : f32
  }
  return %y : f32
}
func.func @pow.f64(%x: f64, %y: f64) -> f64 {
  %limit = arith.constant 1.0e5 : f64
  %p = arith.mulf %x, %y : f64
  %huge = arith.cmpf ogt, %p, %limit : f64
  %r = scf.if %huge -> (f64) {
    %0 = arith.addf %p, %y : f64
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.mulf %1, %1 : f64
    %3 = arith.mulf %2, %2 : f64
    %4 = arith.mulf %3, %3 : f64
    %5 = arith.mulf %4, %4 : f64
    %6 = arith.mulf %5, %5 : f64
    %7 = arith.mulf %6, %6 : f64
    %8 = arith.mulf %7, %7 : f64
    scf.yield %8 : f64
  } else {
    scf.yield %p : f64
  }
  return %r : f64
}
