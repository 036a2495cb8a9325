// RUN: chi-opt %s --convert-chi-to-gpu --verify-diagnostics

// What no device can do yet, each at its place, all of them.
!I = !chi.field<8xi32>
chi.task @elementary(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !chi.field<8xf32> -> f32
  // expected-error @+1 {{[E0900] on a device, `erf` is not supported yet}}
  %w = math.erf %v : f32
  chi.store %w, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// A function may fail, and the one that calls it is named.
func.func private @checked(%v: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %ok = arith.cmpi ne, %v, %zero : i32
  chi.check divide %ok (%v : i32)
  return %v : i32
}
func.func private @through(%v: i32) -> i32 {
  %w = func.call @checked(%v) : (i32) -> i32
  return %w : i32
}
chi.task @calls(%x: !I) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !I -> i32
  // expected-error @+1 {{[E0900] on a device, the call of `through`, which stays a call and may fail or call itself, is not supported yet}}
  %w = func.call @through(%v) : (i32) -> i32
  chi.store %w, %x[%i : i32] inbounds : i32, !I
  chi.next
}

func.func private @again(%v: i32) -> i32 {
  %w = func.call @again(%v) : (i32) -> i32
  return %w : i32
}
chi.task @recursive(%x: !I) over 0 (%i: i32) {
  %v = chi.load %x[%i : i32] inbounds : !I -> i32
  // expected-error @+1 {{[E0900] on a device, the call of `again`, which stays a call and may fail or call itself, is not supported yet}}
  %w = func.call @again(%v) : (i32) -> i32
  chi.store %w, %x[%i : i32] inbounds : i32, !I
  chi.next
}
