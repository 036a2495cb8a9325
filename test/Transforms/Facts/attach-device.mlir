// RUN: chi-opt %s --chi-attach-device | FileCheck %s
// RUN: chi-opt %s --chi-attach-device="vector-bytes=32 vector-registers=16 has-masks=false casts-longs=false l1-bytes=49152 l2-bytes=2097152 cache-bytes=503316480" | chi-opt | FileCheck %s --check-prefix=OTHER
// RUN: not chi-opt %s --chi-attach-device=vector-bytes=48 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not chi-opt %s --chi-attach-device=cache-bytes=1024 2>&1 | FileCheck %s --check-prefix=CACHES
// The processor stands on the module; numbers that it shares with the default
// one are not written.
// CHECK: module attributes {chi.device = #chi.device<>}
// OTHER: chi.device = #chi.device<vectorBytes = 32, vectorRegisters = 16, hasMasks = false, castsLongs = false, l1Bytes = 49152, l2Bytes = 2097152, cacheBytes = 503316480>
// ODD: registers of 48 bytes are not a power of two
// CACHES: each at least as large as the one before
module {
}
