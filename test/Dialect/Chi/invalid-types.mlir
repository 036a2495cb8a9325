// What is no type of the dialect.
// RUN: chi-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a vec has at least one entry, not 0}}
func.func private @vecNone(!chi.vec<0xf32>)

// -----

// expected-error @below {{a vec has one size}}
func.func private @vecShape(!chi.vec<2x3xf32>)

// -----

// expected-error @below {{a vec has one size}}
func.func private @vecScalar(!chi.vec<f32>)

// -----

// expected-error @below {{the entries of a vec are scalars, not '!chi.vec<2xf32>'}}
func.func private @vecOfVec(!chi.vec<2x!chi.vec<2xf32>>)

// -----

// expected-error @below {{the entries of a vec are scalars, not 'ui8'}}
func.func private @vecOfUnsigned(!chi.vec<2xui8>)

// -----

// expected-error @below {{a mat has at least one entry}}
func.func private @matNone(!chi.mat<2x0xf32>)

// -----

// expected-error @below {{a mat has rows and columns}}
func.func private @matShape(!chi.mat<4xf32>)

// -----

// expected-error @below {{the entries of a mat are scalars, not 'index'}}
func.func private @matOfIndex(!chi.mat<2x2xindex>)

// -----

// expected-error @below {{the element of a field is a scalar, vec or mat, not '!chi.field<8xf32>'}}
func.func private @fieldOfField(!chi.field<8x!chi.field<8xf32>>)

// -----

// expected-error @below {{the element of a field is a scalar, vec or mat, not '!chi.str'}}
func.func private @fieldOfStr(!chi.field<8x!chi.str>)

// -----

// expected-error @below {{the element of a field is a scalar, vec or mat, not 'si32'}}
func.func private @fieldOfSigned(!chi.field<8xsi32>)

// -----

// expected-error @below {{expected 'order': expected `soa` or `order`}}
func.func private @fieldWord(!chi.field<8xf32, dense>)

// -----

// expected-error @below {{the order of a rank-2 field names each axis once}}
func.func private @orderTwice(!chi.field<8x8xf32, order = [0, 0]>)

// -----

// expected-error @below {{the order of a rank-2 field names each axis once}}
func.func private @orderShort(!chi.field<8x8xf32, order = [1]>)

// -----

// expected-error @below {{the order of a rank-1 field names each axis once}}
func.func private @orderPast(!chi.field<8xf32, order = [1]>)

// -----

// expected-error @below {{a field of unknown order is neither soa nor aos}}
func.func private @orderUnknown(!chi.field<8x!chi.vec<2xf32>, soa, order = ?>)

// -----

// expected-error @below {{a local array holds scalars, not '!chi.field<8xf32>'}}
func.func private @localOfFields(!chi.local<4x!chi.field<8xf32>>)

// -----

// expected-error @below {{a local holds a scalar, field, str or object, not '!chi.vec<2xf32>'}}
func.func private @localOfVec(!chi.local<!chi.vec<2xf32>>)

// -----

// expected-error @below {{a local array has constant positive extents, or one dynamic extent}}
func.func private @localNone(!chi.local<4x0xf32>)

// -----

// expected-error @below {{a local array has constant positive extents, or one dynamic extent}}
func.func private @localDynamic(!chi.local<?x4xf32>)

// -----

// expected-error @below {{a local array has too many elements}}
func.func private @localMany(!chi.local<4294967296x4294967296xf32>)
