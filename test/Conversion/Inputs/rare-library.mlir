func.func @sin.f32(%x: f32) -> f32 {
  %limit = arith.constant 1.0e5 : f32
  %two = arith.constant 2.0 : f32
  %near = arith.mulf %x, %two : f32
  %size = math.absf %x : f32
  %huge = arith.cmpf ogt, %size, %limit : f32
  %y = scf.if %huge -> (f32) {
    %0 = arith.mulf %x, %x : f32
    %1 = arith.addf %0, %two : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.mulf %6, %6 : f32
    %8 = arith.mulf %7, %7 : f32
    %9 = arith.mulf %8, %8 : f32
    %10 = arith.mulf %9, %9 : f32
    %11 = arith.mulf %10, %10 : f32
    %12 = arith.mulf %11, %11 : f32
    %13 = arith.mulf %12, %12 : f32
    %14 = arith.mulf %13, %13 : f32
    %15 = arith.mulf %14, %14 : f32
    scf.yield %15 : f32
  } else {
    scf.yield %near : f32
  }
  return %y : f32
}
