// A function with a choice, one of another width, and one written by another.
func.func @cos.f32(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %negative = arith.cmpf olt, %x, %zero : f32
  %r = scf.if %negative -> (f32) {
    %a = arith.mulf %x, %two : f32
    scf.yield %a : f32
  } else {
    %b = arith.addf %x, %two : f32
    scf.yield %b : f32
  }
  return %r : f32
}
func.func @cos.f64(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %r = arith.subf %x, %two : f64
  return %r : f64
}
func.func @atan2.f32(%x: f32, %y: f32) -> f32 {
  %p = arith.mulf %x, %y : f32
  %c = math.cos %p : f32
  %r = arith.negf %c : f32
  return %r : f32
}
// Only named, so not there.
func.func private @sin.f32(%x: f32) -> f32
