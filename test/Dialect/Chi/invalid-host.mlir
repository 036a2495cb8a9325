// RUN: chi-opt %s --split-input-file --verify-diagnostics

func.func @cast(%x: !chi.field<8xi32>) {
  // expected-error @below {{changes more than extents}}
  %d = chi.cast_field %x : !chi.field<8xi32> to !chi.field<8xi32, soa>
  return
}

// -----

func.func @global() {
  // expected-error @below {{names no global: @x}}
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
