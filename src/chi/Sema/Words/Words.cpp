//===- Words.cpp - The functions that the language knows ------------------===//
#include "chi/Sema/Words/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace chi;
using namespace chi::sema;

llvm::StringRef sema::wordText(Word word) {
  static constexpr llvm::StringRef kTexts[] = {
#define CHI_WORD(Name, Text) Text,
#include "chi/Sema/Words/Builtins.def"
  };
  return kTexts[unsigned(word)];
}

std::optional<Word> sema::findWord(llvm::StringRef name) {
  static const llvm::StringMap<Word> kWords = {
#define CHI_WORD(Name, Text) {Text, Word::Name},
#include "chi/Sema/Words/Builtins.def"
  };
  auto found = kWords.find(name);
  if (found == kWords.end())
    return std::nullopt;
  return found->second;
}

bool sema::isLater(Word word) {
  switch (word) {
#define CHI_LATER(Name, Text) case Word::Name:
#include "chi/Sema/Words/Builtins.def"
    return true;
  default:
    return false;
  }
}

bool sema::isOnlyInFor(Word word) {
  switch (word) {
  case Word::Range:
  case Word::NdRange:
  case Word::Grouped:
  case Word::Serial:
  case Word::Enumerate:
  case Word::Zip:
  case Word::Reversed:
  case Word::Progress:
    return true;
  default:
    return false;
  }
}

std::optional<MathFunction> sema::mathFunction(Word word) {
  switch (word) {
#define CHI_MATH(Name, Text, Op, Arity)                                        \
  case Word::Name:                                                             \
    return MathFunction{Builtin::Op, Arity};
#include "chi/Sema/Words/Builtins.def"
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
