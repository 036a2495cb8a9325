// Modules whose numbers of 64 bits stay: the program has such numbers itself, or
// an operation has no halves. Each differs from the first in one respect.
// RUN: chi-opt %s --chi-halve-integers | FileCheck %s

// CHECK-LABEL: gpu.module @m_halved
// CHECK-NOT:     i64
// CHECK:         arith.addui_extended
// CHECK-NOT:     i64
// CHECK:         gpu.return
gpu.module @m_halved {
  gpu.func @halved(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.addi %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// A scalar of the program, also if nothing uses it.
// CHECK-LABEL: gpu.module @m_scalar
// CHECK:         gpu.func @scalar(%{{.*}}: memref<?xi32>, %{{.*}}: i64)
gpu.module @m_scalar {
  gpu.func @scalar(%x: memref<?xi32>, %s: i64) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), scalar(1)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.addi %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// Partial sums of the program's.
// CHECK-LABEL: gpu.module @m_partials
// CHECK:         arith.addi %{{.*}} : i64
gpu.module @m_partials {
  gpu.func @partials(%x: memref<?xi32>, %s: memref<?xi64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), partials(0)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.addi %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// A seed is Chi's own: it is halved, with all that is computed from it.
// CHECK-LABEL: gpu.module @m_seeded
// CHECK:         gpu.func @seeded(%{{.*}}: memref<?xi32>, %{{.*}}: vector<2xi32>)
gpu.module @m_seeded {
  gpu.func @seeded(%x: memref<?xi32>, %s: i64) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), seed], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.xori %w, %s : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// A rest.
// CHECK-LABEL: gpu.module @m_rest
// CHECK:         arith.remui %{{.*}} : i64
gpu.module @m_rest {
  gpu.func @rest(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.remui %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// A conversion from a float.
// CHECK-LABEL: gpu.module @m_float
// CHECK:         arith.fptosi %{{.*}} : f32 to i64
gpu.module @m_float {
  gpu.func @float(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %f = arith.sitofp %v : i32 to f32
    %q = arith.fptosi %f : f32 to i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// An atomic update.
// CHECK-LABEL: gpu.module @m_atomic
// CHECK:         memref.atomic_rmw addi {{.*}} i64
gpu.module @m_atomic {
  gpu.func @atomic(%x: memref<?xi32>, %r: memref<?xi64>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0), records], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = memref.atomic_rmw addi %w, %r[%i] : (i64, memref<?xi64>) -> i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
}

// One kernel of two that has large launches.
// CHECK-LABEL: gpu.module @m_one
// CHECK:         arith.addi %{{.*}} : i64
gpu.module @m_one {
  gpu.func @one(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = true>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<?xi32>
    %w = arith.extsi %v : i32 to i64
    %q = arith.addi %w, %w : i64
    %t = arith.trunci %q : i64 to i32
    memref.store %t, %x[%i] : memref<?xi32>
    gpu.return
  }
  gpu.func @two(%x: memref<?xi32>) kernel attributes {few_iterations, chi.kernel_abi = #chi.kernel_abi<params = [data(0)], shortIndices = false>} {
    %i = gpu.thread_id x

    gpu.return
  }
}
