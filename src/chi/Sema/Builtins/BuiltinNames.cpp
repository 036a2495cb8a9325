//===- BuiltinNames.cpp - The functions that the language knows -----------===//
#include "chi/Sema/Builtins/BuiltinNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace chi;
using namespace chi::sema;

llvm::StringRef sema::builtinText(BuiltinName builtin) {
  static constexpr llvm::StringRef kTexts[] = {
#define CHI_BUILTIN(Name, Text) Text,
#include "chi/Sema/Builtins/Builtins.def"
  };
  return kTexts[unsigned(builtin)];
}

std::optional<BuiltinName> sema::findBuiltin(llvm::StringRef name) {
  static const llvm::StringMap<BuiltinName> kNames = {
#define CHI_BUILTIN(Name, Text) {Text, BuiltinName::Name},
#include "chi/Sema/Builtins/Builtins.def"
  };
  auto found = kNames.find(name);
  if (found == kNames.end())
    return std::nullopt;
  return found->second;
}

bool sema::isLater(BuiltinName builtin) {
  switch (builtin) {
#define CHI_LATER(Name, Text) case BuiltinName::Name:
#include "chi/Sema/Builtins/Builtins.def"
    return true;
  default:
    return false;
  }
}

bool sema::isOnlyInFor(BuiltinName builtin) {
  switch (builtin) {
  case BuiltinName::Range:
  case BuiltinName::NdRange:
  case BuiltinName::Grouped:
  case BuiltinName::Serial:
  case BuiltinName::Enumerate:
  case BuiltinName::Zip:
  case BuiltinName::Reversed:
  case BuiltinName::Progress:
    return true;
  default:
    return false;
  }
}

std::optional<MathFunction> sema::mathFunction(BuiltinName builtin) {
  switch (builtin) {
#define CHI_MATH(Name, Text, Op, Arity)                                        \
  case BuiltinName::Name:                                                      \
    return MathFunction{Builtin::Op, Arity};
#include "chi/Sema/Builtins/Builtins.def"
  default:
    return std::nullopt;
  }
}

/// Whether two neighbours of one are swapped in the other: `mena`.
static bool isSwapped(llvm::StringRef a, llvm::StringRef b) {
  if (a.size() != b.size() || a.size() < 3)
    return false;
  size_t k = 0;
  while (k + 1 < a.size() && a[k] == b[k])
    ++k;
  return k + 1 < a.size() && a[k] == b[k + 1] && a[k + 1] == b[k] &&
         a.substr(k + 2) == b.substr(k + 2);
}

std::string sema::nearest(llvm::StringRef name,
                          llvm::ArrayRef<llvm::StringRef> candidates) {
  unsigned limit = name.size() <= 4 ? 1 : name.size() <= 7 ? 2 : 3;
  std::string best;
  if (name.size() > 200) // nobody misspells those, and it would take seconds
    return best;
  // `PI`, `Sin`: the case alone is no distance.
  for (llvm::StringRef candidate : candidates)
    if (candidate != name && candidate.equals_insensitive(name) &&
        name.size() > 1)
      return candidate.str();
  unsigned bestDistance = limit + 1;
  for (llvm::StringRef candidate : candidates) {
    if (candidate == name || candidate.empty() || candidate[0] == '.')
      continue;
    if (candidate.size() > name.size() + limit)
      continue;
    unsigned distance = isSwapped(candidate, name)
                            ? 1
                            : candidate.edit_distance(name, true, bestDistance);
    // A name of one letter is near to every other one: never suggested.
    if (candidate.size() <= 1 || name.size() <= 1)
      continue;
    if (distance < bestDistance)
      best = candidate.str(), bestDistance = distance;
  }
  return best;
}
