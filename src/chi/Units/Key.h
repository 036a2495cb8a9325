//===- Key.h - What decides what a unit is compiled to ----------*- C++ -*-===//
#ifndef CHI_UNITS_KEY_H
#define CHI_UNITS_KEY_H

#include "chi/Launch/Hash.h"
#include "chi/Units/EntryPoints.h"
#include "chi/Units/Units.h"

namespace chi::units {

/// The inputs of a unit's code apart from its text.
struct KeyFacts {
  std::string compiler; ///< identity of its build
  std::string math; ///< hash of the elementary functions, "" if none is used
  std::string target, floatMode;
  unsigned optLevel = 0;
  bool debugInfo = false, records = false;
  std::string device; ///< of the tasks' code, and its compiler; or ""
  std::vector<std::string> checks, without;
};

/// The name of the unit's object in the cache.
launch::Hash keyOf(Unit &unit, const KeyFacts &facts,
                   llvm::ArrayRef<EntryPoint> entries);

} // namespace chi::units
#endif // CHI_UNITS_KEY_H
