//===- Optimisations.h - Which optimisations are left out -------*- C++ -*-===//
// Header only and without LLVM: the options of `chic run` are parsed where
// neither is loaded.
#ifndef CHI_SUPPORT_OPTIMISATIONS_H
#define CHI_SUPPORT_OPTIMISATIONS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chi {

enum class Optimisation {
#define CHI_OPTIMISATION(Name, Flag, Stage, Text) Name,
#include "chi/Support/Optimisations.def"
};

struct OptimisationRecord {
  std::string_view name;
  std::string_view stage; ///< of emit-ir, that shows whether it ran
  std::string_view text;
};

/// All of them; an Optimisation is an index.
inline constexpr auto kOptimisations = std::to_array<OptimisationRecord>({
#define CHI_OPTIMISATION(Name, Flag, Stage, Text) {Flag, Stage, Text},
#include "chi/Support/Optimisations.def"
});

/// The optimisations that a compilation leaves out; empty except when a fault
/// is narrowed down.
class OptimisationSet {
public:
  /// Whether the optimisation is in the set, that is, disabled.
  bool has(Optimisation which) const { return bits >> unsigned(which) & 1; }
  /// Whether no optimisation is disabled.
  bool isEmpty() const { return bits == 0; }
  /// Disables all optimisations.
  void addAll() { bits = (uint64_t(1) << kOptimisations.size()) - 1; }

  /// Adds the one of this name, or all for `all`. False if there is none.
  bool add(std::string_view name) {
    if (name == "all") {
      addAll();
      return true;
    }
    for (size_t i = 0; i < kOptimisations.size(); ++i)
      if (kOptimisations[i].name == name) {
        bits |= uint64_t(1) << i;
        return true;
      }
    return false;
  }

  /// Of names that are all known.
  template <class Names> static OptimisationSet of(const Names &names) {
    OptimisationSet set;
    for (const auto &name : names)
      set.add(name);
    return set;
  }

  /// In the order of the list, for passes that take them as an option.
  template <class List> List names() const {
    List list;
    for (size_t i = 0; i < kOptimisations.size(); ++i)
      if (has(Optimisation(i)))
        list.emplace_back(kOptimisations[i].name);
    return list;
  }

private:
  static_assert(kOptimisations.size() < 64);
  uint64_t bits = 0;
};

} // namespace chi
#endif // CHI_SUPPORT_OPTIMISATIONS_H
