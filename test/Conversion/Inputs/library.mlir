// A little library: what matters is which functions it has.
func.func @exp.f32(%x: f32) -> f32 {
  %c = arith.constant 1.0 : f32
  %r = arith.addf %x, %c : f32
  return %r : f32
}
func.func @pow.f32(%x: f32, %y: f32) -> f32 {
  %m = arith.mulf %x, %y : f32
  %r = func.call @exp.f32(%m) : (f32) -> f32
  return %r : f32
}
func.func @hypot.f32(%x: f32, %y: f32) -> f32 {
  %r = arith.subf %x, %y : f32
  return %r : f32
}
func.func @tan.f32(%x: f32) -> f32 {
  %r = arith.mulf %x, %x : f32
  return %r : f32
}
func.func @tan_halves.f32(%x: f32) -> f32 {
  %r = arith.negf %x : f32
  return %r : f32
}
