//===- MachineText.h - Descriptions of machines -----------------*- C++ -*-===//
#ifndef CHI_LAUNCH_MACHINETEXT_H
#define CHI_LAUNCH_MACHINETEXT_H

#include "chi/Support/Machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace chi::launch {

/// Reads the description of a machine:
///
///     l1=32KiB,l2=512KiB,l3=8MiB,line=64,vector=256,cores=2
///
/// Returns the error, as a clause, or nothing.
std::optional<std::string> readMachine(std::string_view text,
                                       MachineDescription &machine);

/// For cache keys: all that code depends on. Cores show in the time only.
std::string codeText(const MachineDescription &machine);

} // namespace chi::launch
#endif // CHI_LAUNCH_MACHINETEXT_H
