//===- Version.cpp --------------------------------------------------------===//
#include "chi/Support/Version.h"

llvm::StringRef chi::version() { return "0.1.0"; }
