// RUN: chi-opt %s --convert-loops-to-cpu --split-input-file --verify-diagnostics

// Memory of this stage is flat, and has loads, stores, updates and frames:
// nothing else of the dialect is made before, so nothing else is taken.

func.func private @allocates() -> memref<?xf32> {
  %n = arith.constant 8 : index
  // expected-error @below {{'memref.alloc' op is not an operation of this stage}}
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}

// -----

func.func private @dim(%x: memref<?xf32>) -> index {
  %z = arith.constant 0 : index
  // expected-error @below {{'memref.dim' op is not an operation of this stage}}
  %n = memref.dim %x, %z : memref<?xf32>
  return %n : index
}

// -----

func.func private @casts(%x: memref<?xf32>) -> memref<8xf32> {
  // expected-error @below {{'memref.cast' op is not an operation of this stage}}
  %y = memref.cast %x : memref<?xf32> to memref<8xf32>
  return %y : memref<8xf32>
}
