// RUN: chi-opt %s --split-input-file --verify-diagnostics

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{parts are cut at multiples of 0}}
    attributes {schedule = #chi.schedule<align = 0>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{`mayAlias` must be a list of pairs}}
    attributes {schedule = #chi.schedule<mayAlias = [0]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{a tile must have two or more iterations along two axes}}
    attributes {schedule = #chi.schedule<unit = rows, tile = <outer = 0, inner = 0, edge = 16>>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{a tile must have two or more iterations along two axes}}
    attributes {schedule = #chi.schedule<unit = rows, tile = <outer = 0, inner = 1, edge = 1>>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{parts with tiles must be rows}}
    attributes {schedule = #chi.schedule<tile = <outer = 0, inner = 1, edge = 16>>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{parts with tiles must be slices}}
    attributes {schedule = #chi.schedule<unit = rows, tile = <outer = 0, inner = 1, edge = 16>, buffers = [#chi<buffer plain>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{the middle of a row ends at 1, before it begins at 7}}
    // expected-error @below {{failed to parse Chi_ScheduleAttr parameter 'peel'}}
    attributes {schedule = #chi.schedule<peel = <low = 7, high = 1>>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{a tree of 0 accumulations}}
    // expected-error @below {{failed to parse Chi_ScheduleAttr parameter 'trees'}}
    attributes {schedule = #chi.schedule<align = 1024, trees = [#chi.tree<operations = 0>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{1 : i64 among trees}}
    attributes {schedule = #chi.schedule<align = 1024, trees = [1]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{unit among buffers}}
    attributes {schedule = #chi.schedule<piece = 64, buffers = [unit]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{parts with trees must consist of whole blocks of 1024 iterations}}
    attributes {schedule = #chi.schedule<trees = [#chi.tree<operations = 1>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{has groups, but no trees}}
    attributes {schedule = #chi.schedule<grouped = true>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{groups add to the sums, not to buffers}}
    attributes {schedule = #chi.schedule<align = 1024, grouped = true, trees = [#chi.tree<operations = 1, buffered = true>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{pieces of 64 iterations: only buffers without a tile have pieces}}
    attributes {schedule = #chi.schedule<unit = rows, align = 16, tile = #chi.tile<outer = 0, inner = 1, edge = 16>, piece = 64>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{pieces of 0 iterations: only buffers without a tile have pieces}}
    attributes {schedule = #chi.schedule<buffers = [#chi<buffer plain>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{lines of 48 bytes}}
    attributes {schedule = #chi.schedule<line = 48>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{rows that repeat after 48 iterations require pieces of whole periods}}
    attributes {schedule = #chi.schedule<buffers = [#chi<buffer plain>], piece = 64, period = 48>} {
  chi.next
}
