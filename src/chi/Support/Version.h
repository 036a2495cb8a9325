//===- Version.h - Which Chi this is ----------------------------*- C++ -*-===//
#ifndef CHI_SUPPORT_VERSION_H
#define CHI_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace chi {

/// The version of the toolchain: "0.1.0".
llvm::StringRef version();

} // namespace chi
#endif // CHI_SUPPORT_VERSION_H
