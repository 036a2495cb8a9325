// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @cast(%x: !chi.field<8xi32>) {
  // expected-error @below {{changes more than extents}}
  %d = chi.cast_field %x : !chi.field<8xi32> to !chi.field<8xi32, soa>
  return
}

// -----

func.func @global() {
  // expected-error @below {{refers to an unknown global: @x}}
  %x = chi.global_load @x : i32
  return
}

// -----

chi.global @x : f32
func.func @globalType() {
  // expected-error @below {{uses @x as 'i32', but it holds 'f32'}}
  %x = chi.global_load @x : i32
  return
}

// -----

func.func @noFunction() {
  // expected-error @below {{calls an unknown function of the run time: chirt_frobnicate}}
  chi.rt "chirt_frobnicate"() : () -> ()
  return
}

// -----

func.func @count(%n: i32) {
  // expected-error @below {{passes 2 operands to chirt_exit, which takes 1}}
  chi.rt "chirt_exit"(%n, %n) : (i32, i32) -> ()
  return
}

// -----

func.func @type(%n: i64) {
  // expected-error @below {{passes 'i64' as parameter 1 of chirt_exit}}
  chi.rt "chirt_exit"(%n) : (i64) -> ()
  return
}

// -----

// An i1 is a byte in memory, and no C type of the list.
func.func @flag(%p: !chi.str, %x: !chi.field<8xf32>, %f: i1) {
  // expected-error @below {{passes 'i1' as parameter 3 of chirt_save}}
  chi.rt "chirt_save"(%p, %x, %f) at "save" : (!chi.str, !chi.field<8xf32>, i1) -> ()
  return
}

// -----

func.func @noSite(%x: !chi.field<8xf32>) {
  // expected-error @below {{is missing the site of chirt_field_copy}}
  chi.rt "chirt_field_copy"(%x, %x) : (!chi.field<8xf32>, !chi.field<8xf32>) -> ()
  return
}

// -----

func.func @site(%n: i32) {
  // expected-error @below {{has a site for chirt_exit}}
  chi.rt "chirt_exit"(%n) at "exit" : (i32) -> ()
  return
}

// -----

func.func @result() {
  // expected-error @below {{has other results than chirt_time_now returns}}
  %t = chi.rt "chirt_time_now"() : () -> f32
  return
}

// -----

func.func @noResult() {
  // expected-error @below {{has other results than chirt_time_now returns}}
  chi.rt "chirt_time_now"() : () -> ()
  return
}

// -----

chi.task @t() () {
  // expected-error @below {{calls chirt_time_now in a task}}
  %t = chi.rt "chirt_time_now"() : () -> f64
  chi.next
}

// -----

chi.global @n : i32
// expected-error @below {{has an unknown scalar type: "int"}}
chi.param "n" : "int" [@n] default "1"

// -----

// expected-error @below {{refers to an unknown global: @n}}
chi.param "n" : "i32" [@n] default "1"

// -----

chi.global @n : i64
// expected-error @below {{of "i32" is held by @n of 'i64'}}
chi.param "n" : "i32" [@n] default "1"

// -----

// expected-error @below {{has no variable}}
chi.param "n" : "i32" [] default "1"

// -----

chi.global @n : i32
func.func private @set(i32)
// expected-error @below {{does not refer to a function without arguments and results: @set}}
chi.param "n" : "i32" [@n] default "1" set_by @set

// -----

// expected-error @below {{does not refer to a function without arguments and results: @body}}
chi.test "one" @body

// -----

func.func @gradOfIntegers(%x: !chi.field<8xi32>) {
  // expected-error @below {{queries the gradient of '!chi.field<8xi32>'}}
  %g = chi.companion %x : !chi.field<8xi32> -> !chi.field<8xi32>
  return
}

// -----

func.func @gradOfOthers(%x: !chi.field<8xf16>) {
  // expected-error @below {{makes '!chi.field<8xf16>' of '!chi.field<8xf16>'}}
  %g = chi.companion %x : !chi.field<8xf16> -> !chi.field<8xf16>
  return
}
