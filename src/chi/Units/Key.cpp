//===- Key.cpp - What decides what a unit is compiled to ------------------===//
#include "chi/Units/Key.h"

using namespace chi;
using namespace chi::units;

launch::Hash units::keyOf(Unit &unit, const KeyFacts &facts,
                          llvm::ArrayRef<EntryPoint> entries) {
  launch::KeyText key;
  key.add("unit", unit.text()).add("compiler", facts.compiler);
  key.add("math", facts.math).add("O", uint64_t(facts.optLevel));
  key.add("target", facts.target).add("float", facts.floatMode);
  key.add("g", facts.debugInfo).add("records", facts.records);
  key.add("device", facts.device);
  for (const EntryPoint &entry : entries) {
    key.add("export", entry.name);
    for (const std::string &variable : entry.variables)
      key.add("uses", variable);
    for (const EntryPoint::Array &array : entry.arrays)
      key.add("array", uint64_t(array.argument))
          .add("count", uint64_t(array.count));
  }
  for (const std::string &check : facts.checks)
    key.add("check", check);
  for (const std::string &name : facts.without)
    key.add("without", name);
  return key.hash();
}
