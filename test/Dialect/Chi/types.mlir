// Types as they are written, in their shortest form, and what they print as.
// RUN: chi-opt %s | chi-opt | FileCheck %s

// CHECK-LABEL: func.func private @elements(
// CHECK-SAME:    !chi.vec<1xi1>, !chi.vec<3xf64>, !chi.mat<2x3xf16>, !chi.mat<1x1xi64>)
func.func private @elements(!chi.vec<1xi1>, !chi.vec<3xf64>, !chi.mat<2x3xf16>, !chi.mat<1x1xi64>)

// An order that is that of the axes is none; `soa` comes before an order.
// CHECK-LABEL: func.func private @fields(
// CHECK-SAME:    !chi.field<f32>, !chi.field<0xi8>, !chi.field<?x4xf32>,
// CHECK-SAME:    !chi.field<?x4xf32>,
// CHECK-SAME:    !chi.field<?x4xf32, order = [1, 0]>,
// CHECK-SAME:    !chi.field<8x!chi.vec<2xf32>, soa>,
// CHECK-SAME:    !chi.field<8x?x!chi.mat<2x2xf32>, soa, order = [1, 0]>,
// CHECK-SAME:    !chi.field<?x?xf32, order = ?>)
func.func private @fields(!chi.field<f32>, !chi.field<0xi8>, !chi.field<?x4xf32>,
    !chi.field<?x4xf32, order = [0, 1]>,
    !chi.field<?x4xf32, order = [1, 0]>,
    !chi.field<8x!chi.vec<2xf32>, soa>,
    !chi.field<8x?x!chi.mat<2x2xf32>, order = [1, 0], soa>,
    !chi.field<?x?xf32, order = ?>)

// A local holds a scalar, a handle, an array, or memory that grows.
// CHECK-LABEL: func.func private @locals(
// CHECK-SAME:    !chi.local<i1>, !chi.local<!chi.str>, !chi.local<!chi.field<?xf32>>, !chi.local<4x8xf32>, !chi.local<?xi64>)
func.func private @locals(!chi.local<i1>, !chi.local<!chi.str>, !chi.local<!chi.field<?xf32>>, !chi.local<4x8xf32>, !chi.local<?xi64>)

// A processor prints what differs from the one that is assumed.
// CHECK-LABEL: module @usual
// CHECK-SAME:    #chi.device<>
module @usual attributes {chi.device = #chi.device<vectorBytes = 64, vectorRegisters = 32>} {}
// CHECK-LABEL: module @other
// CHECK-SAME:    #chi.device<vectorBytes = 16, hasMasks = false, lineBytes = 128>
module @other attributes {chi.device = #chi.device<lineBytes = 128, hasMasks = false, vectorBytes = 16>} {}
