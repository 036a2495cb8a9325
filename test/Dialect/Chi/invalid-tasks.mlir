// Tasks, launches and processors that the verifier refuses.
// RUN: chi-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{has an index of type 'f32'}}
chi.task @index(%x: !chi.field<8xf32>) (%i: f32) {
  chi.next
}

// -----

// expected-error @below {{names 1 axes, but has rank 2}}
chi.task @axes() (%i: i32, %j: i32) attributes {axes = ["i"]} {
  chi.next
}

// -----

// expected-error @below {{must end with chi.next}}
"chi.task"() <{sym_name = "ends", rank = 0 : i64, kernel = ""}> ({
  "chi.return"() : () -> ()
}, {
}) : () -> ()

// -----

// expected-error @below {{has rank 2, but 1 arguments}}
"chi.task"() <{sym_name = "rank", rank = 2 : i64, kernel = ""}> ({
^bb0(%i: i32):
  "chi.next"() : () -> ()
}, {
}) : () -> ()

// -----

// expected-error @below {{runs over argument 3, which is not a field of rank 1}}
chi.task @over(%x: !chi.field<8xf32>) over 3 (%i: i32) {
  chi.next
}

// -----

// expected-error @below {{runs over argument 0, which is not a field of rank 2}}
chi.task @rank(%x: !chi.field<8xf32>) over 0 (%i: i32, %j: i32) {
  chi.next
}

// -----

// expected-error @below {{has a wide body, but no number of lanes}}
chi.task @lanes(%x: !chi.field<8xf32>) over 0 (%i: i32) {
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>, %i: i32):
  chi.next
}

// -----

// One lane is no wide body.
// expected-error @below {{has a wide body, but no number of lanes}}
chi.task @lane(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {lanes = 1 : i64} {
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>, %i: i32):
  chi.next
}

// -----

// expected-error @below {{has a wide body, but no axis}}
chi.task @axis(%x: !chi.field<8xf32>) () attributes {lanes = 8 : i64} {
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>):
  chi.next
}

// -----

// expected-error @below {{has a wide body with other arguments}}
chi.task @arguments(%x: !chi.field<8xf32>) over 0 (%i: i32) attributes {lanes = 8 : i64} {
  chi.next
} wide {
^bb0(%x: !chi.field<8xf32>, %i: i64):
  chi.next
}

// -----

func.func @unknown() {
  // expected-error @below {{refers to an unknown task: @gone}}
  chi.launch @gone()
  return
}

// -----

chi.task @t() (%i: i32) {
  chi.next
}
func.func @bounds(%n: i64) {
  // expected-error @below {{passes other bounds than the axes of @t}}
  chi.launch @t() from (%n : i64) to (%n : i64)
  return
}

// -----

chi.task @t() (%i: i32) {
  chi.next
}
func.func @fewer(%n: i32) {
  // expected-error @below {{passes other bounds than the axes of @t}}
  chi.launch @t()
  return
}

// -----

chi.task @t() (%i: i32) {
  chi.next
}
func.func @last(%n: i32) {
  // expected-error @below {{is the last one of its kernel, but @t has no fused adjoint}}
  chi.launch @t() from (%n : i32) to (%n : i32) {last}
  return
}

// -----

// expected-error @below {{has a panel that is not a multiple of its rows}}
chi.task @panel(%x: !chi.field<?x?xf32>) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<panel = 8>} {
  chi.next
}

// -----

// expected-error @below {{registers of 24 bytes are not a power of two}}
module attributes {chi.device = #chi.device<vectorBytes = 24>} {}

// -----

// expected-error @below {{a processor has registers and caches, each at least as large as the one before}}
module attributes {chi.device = #chi.device<l1Bytes = 65536, l2Bytes = 32768>} {}

// -----

// expected-error @below {{a processor has registers and caches, each at least as large as the one before}}
module attributes {chi.device = #chi.device<vectorRegisters = 0>} {}

// -----

// expected-error @below {{lines of 48 bytes are not a power of two}}
module attributes {chi.device = #chi.device<lineBytes = 48>} {}
