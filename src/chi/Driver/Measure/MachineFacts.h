//===- MachineFacts.h - The machine beside its figures ----------*- C++ -*-===//
#ifndef CHI_DRIVER_MEASURE_MACHINEFACTS_H
#define CHI_DRIVER_MEASURE_MACHINEFACTS_H

#include "chi/Bench/Result.h"

namespace chi::driver {

/// This machine: the processor's name as the system has it, the cores that the
/// process may use, system and host.
bench::MachineFacts machineFacts();

} // namespace chi::driver
#endif // CHI_DRIVER_MEASURE_MACHINEFACTS_H
