// RUN: chi-opt %s --split-input-file --verify-diagnostics

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{chunks are cut at multiples of 0}}
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
    // expected-error @below {{chunks with tiles must be rows}}
    attributes {schedule = #chi.schedule<tile = <outer = 0, inner = 1, edge = 16>>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{chunks with tiles must be slices}}
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
    // expected-error @below {{a reduction of 0 accumulations}}
    // expected-error @below {{failed to parse Chi_ScheduleAttr parameter 'reductions'}}
    attributes {schedule = #chi.schedule<align = 1024, reductions = [#chi.reduction<operations = 0>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{1 : i64 among reductions}}
    attributes {schedule = #chi.schedule<align = 1024, reductions = [1]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{unit among buffers}}
    attributes {schedule = #chi.schedule<chunk = 64, buffers = [unit]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{chunks with reductions must consist of whole blocks of 1024 iterations}}
    attributes {schedule = #chi.schedule<reductions = [#chi.reduction<operations = 1>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{has groups, but no reductions}}
    attributes {schedule = #chi.schedule<grouped = true>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{groups add to the sums, not to buffers}}
    attributes {schedule = #chi.schedule<align = 1024, grouped = true, reductions = [#chi.reduction<operations = 1, buffered = true>]>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8x8xf32>) over 0 (%i: i32, %j: i32)
    // expected-error @below {{chunks of 64 iterations: only buffers without a tile have chunks}}
    attributes {schedule = #chi.schedule<unit = rows, align = 16, tile = #chi.tile<outer = 0, inner = 1, edge = 16>, chunk = 64>} {
  chi.next
}

// -----

chi.task @t(%x: !chi.field<8xf32>) over 0 (%i: i32)
    // expected-error @below {{chunks of 0 iterations: only buffers without a tile have chunks}}
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
    // expected-error @below {{rows that repeat after 48 iterations require chunks of whole periods}}
    attributes {schedule = #chi.schedule<buffers = [#chi<buffer plain>], chunk = 64, period = 48>} {
  chi.next
}
