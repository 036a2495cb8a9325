// RUN: chi-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{is split at rows, but has 1 axes}}
chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<unit = rows>} {
  chi.next
}

// -----

// expected-error @below {{has rows to peel, but no axis}}
chi.task @t() () attributes {schedule = #chi.schedule<peel = <low = 0, high = 1>>} {
  chi.next
}

// -----

// expected-error @below {{has tiles along an axis that does not exist}}
chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<unit = rows, tile = <outer = 0, inner = 2, edge = 16>>} {
  chi.next
}

// -----

// expected-error @below {{has tiles without buffers, which must be along the first and the second of two axes}}
chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<unit = rows, tile = <outer = 1, inner = 0, edge = 16>>} {
  chi.next
}

// -----

// expected-error @below {{has `overlapLast` or `firstFailure`, but no wide body}}
chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<overlapLast = true>} {
  chi.next
}

// -----

// expected-error @below {{has versions of rows that are wide, peeled or missing}}
chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<peel = #chi.peel<low = 1, high = 7>, versioned = true>} {
  chi.next
}

// -----

// expected-error @below {{lists argument 1 in `mayAlias`, but it is not a field}}
chi.task @t(%x: !chi.field<8xf32>, %n: i32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<mayAlias = [0, 1]>} {
  chi.next
}

// -----

// expected-error @below {{has a schedule that assumes arguments 0 and 1 to be distinct fields, which no fact states}}
chi.task @t(%x: !chi.field<8xf32>, %y: !chi.field<8xf32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<>} {
  chi.store %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  %w = chi.load %y[%i : i32] inbounds : !chi.field<8xf32> -> f32
  chi.next
}

// -----

// expected-error @below {{has a buffer without stores}}
chi.task @t(%x: !chi.field<8xf32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<buffers = [#chi<buffer plain>], chunk = 64>} {
  chi.store %v, %x[%i : i32] inbounds : f32, !chi.field<8xf32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<buffers = [#chi<buffer plain>], chunk = 64>} {
  // expected-error @below {{has buffer 1 of 1}}
  chi.store %v, %x[%i : i32] inbounds {buffer = 1 : i64} : f32, !chi.field<8xf32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<align = 1024, reductions = [#chi.reduction<operations = 1>]>} {
  // expected-error @below {{belongs to a reduction or to private copies that are not in the schedule of its task}}
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 1, 0>} : f32, !chi.field<f32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<>} {
  // expected-error @below {{belongs to a reduction or to private copies that are not in the schedule of its task}}
  chi.accum add %v, %s[] inbounds strategy(deterministic) : f32, !chi.field<f32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<privatized = [#chi.privatized<argument = 0, count = 1>]>} {
  // expected-error @below {{belongs to a reduction or to private copies that are not in the schedule of its task}}
  chi.accum add %v, %s[] inbounds strategy(privatized) : f32, !chi.field<f32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<unordered = true>} {
  // expected-error @below {{depends on the order of iterations, but the schedule of its task is unordered}}
  chi.accum add %v, %s[] inbounds strategy(plain) : f32, !chi.field<f32>
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32, %n: index, %one: index, %zero: index) over 0 (%i: i32)
    attributes {schedule = #chi.schedule<align = 1024, reductions = [#chi.reduction<operations = 1, buffered = true>]>} {
  scf.for %k = %zero to %n step %one {
    // expected-error @below {{adds several times to a buffer for one value}}
    chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  }
  chi.next
}

// -----

// expected-error @below {{has groups that do not divide its rows}}
chi.task @t(%x: !chi.field<8x20xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32, %j: i32)
    attributes {schedule = #chi.schedule<align = 1024, grouped = true, reductions = [#chi.reduction<operations = 1>]>} {
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  chi.next
}

// -----

// expected-error @below {{has tiles or buffers, which a wide body does not support}}
chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    attributes {lanes = 8 : i64, schedule = #chi.schedule<buffers = [#chi<buffer plain>], chunk = 64>} {
  chi.next
} wide {
^bb0(%y: !chi.field<8xf32>, %k: i32):
  chi.next
}

// -----

// expected-error @below {{is split within the rows of its wide body}}
chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    attributes {lanes = 8 : i64, rows = array<i64: 0, 4>, schedule = #chi.schedule<unit = rows, align = 3>} {
  chi.next
} wide {
^bb0(%y: !chi.field<8x8xf32>, %k: i32, %l: i32):
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>, %s: !chi.field<f32>, %v: f32) over 0 (%i: i32)
    attributes {lanes = 8 : i64, schedule = #chi.schedule<align = 1024, reductions = [#chi.reduction<operations = 1>]>} {
  // expected-error @below {{has lanes, which can only add to buffers}}
  chi.accum add %v, %s[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : f32, !chi.field<f32>
  chi.next
} wide {
^bb0(%y: !chi.field<8xf32>, %r: !chi.field<f32>, %w: f32, %k: i32):
  %u = vector.broadcast %w : f32 to vector<8xf32>
  chi.accum add %u, %r[] inbounds strategy(deterministic) {reduction = array<i64: 0, 0>} : vector<8xf32>, !chi.field<f32>
  chi.next
}
