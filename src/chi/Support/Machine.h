//===- Machine.h - The machine that code is made for ------------*- C++ -*-===//
#ifndef CHI_SUPPORT_MACHINE_H
#define CHI_SUPPORT_MACHINE_H

#include "chi/Support/DeviceTraits.h"

namespace chi {

/// The properties of a machine, apart from the processor's name, that decisions
/// of the compiler and of a run depend on. The driver fills them in, from the
/// system and from a description.
struct Machine {
  CacheSizes caches;
  int64_t vectorBits = 0; ///< of the widest registers; 0: the processor's own
  int64_t cores = 0;      ///< that threads share
};

/// What `--machine` and CHI_MACHINE say of a machine. What they do not name is
/// 0. Launch reads it.
struct MachineDescription {
  int64_t l1 = 0, l2 = 0, l3 = 0, line = 0; ///< bytes; l3 is the last cache
  int64_t vector = 0;                       ///< bits: 128, 256 or 512
  int64_t cores = 0;
};

} // namespace chi
#endif // CHI_SUPPORT_MACHINE_H
