//===- Linear.h - Sums of symbols with integer factors ----------*- C++ -*-===//
#ifndef CHI_ANALYSIS_LINEAR_H
#define CHI_ANALYSIS_LINEAR_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace chi::analysis {

/// An integer that an analysis does not look into: an SSA value, or the extent
/// of a field (`axis` is then not negative and `value` the field).
struct Symbol {
  mlir::Value value;
  int axis = -1;

  /// Whether the symbol is the extent of a field.
  bool isExtent() const { return axis >= 0; }
  bool operator==(const Symbol &other) const {
    return value == other.value && axis == other.axis;
  }
};

/// `constant + Σ factor · symbol` over the mathematical integers.
class Linear {
public:
  Linear() = default;
  explicit Linear(int64_t constant) : constant(constant) {}
  explicit Linear(Symbol symbol) { terms.push_back({symbol, 1}); }

  struct Term {
    Symbol symbol;
    int64_t factor;
    bool operator==(const Term &other) const = default;
  };

  /// The terms in the order of their first occurrence; no factor is 0.
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// The constant summand.
  int64_t getConstant() const { return constant; }
  /// Whether there are no terms.
  bool isConstant() const { return terms.empty(); }
  /// Factor of a symbol, 0 if it does not occur.
  int64_t factorOf(Symbol symbol) const;
  bool operator==(const Linear &other) const;

  /// this + factor · other. Nothing if a number leaves 64 bits or the sum has
  /// more terms than are worth the work.
  std::optional<Linear> plus(const Linear &other, int64_t factor = 1) const;
  /// this + value. Nothing if a number leaves 64 bits.
  std::optional<Linear> plusConstant(int64_t value) const {
    return plus(Linear(value));
  }
  /// factor · this. Nothing if a number leaves 64 bits.
  std::optional<Linear> times(int64_t factor) const {
    return Linear(0).plus(*this, factor);
  }
  /// The same with `symbol` replaced.
  std::optional<Linear> substitute(Symbol symbol, const Linear &by) const;
  /// Equal for equal sums, whatever the order of their terms; of this run only.
  uint64_t hash() const;

private:
  /// In the order of their first occurrence, which is the same from run to run;
  /// no factor is 0.
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
};

} // namespace chi::analysis

template <>
struct llvm::DenseMapInfo<chi::analysis::Symbol> {
  using Values = llvm::DenseMapInfo<mlir::Value>;
  /// Marks a free bucket of llvm::DenseMap: equal to no symbol of a program.
  static chi::analysis::Symbol getEmptyKey() {
    return {Values::getEmptyKey(), -1};
  }
  /// Marks an erased bucket of llvm::DenseMap: equal to no symbol of a program.
  static chi::analysis::Symbol getTombstoneKey() {
    return {Values::getTombstoneKey(), -1};
  }
  /// Depends on the address of the value, so it differs between runs.
  static unsigned getHashValue(const chi::analysis::Symbol &symbol) {
    return Values::getHashValue(symbol.value) * 31 + symbol.axis;
  }
  /// Same value and same axis.
  static bool isEqual(const chi::analysis::Symbol &a,
                      const chi::analysis::Symbol &b) {
    return a == b;
  }
};
#endif // CHI_ANALYSIS_LINEAR_H
