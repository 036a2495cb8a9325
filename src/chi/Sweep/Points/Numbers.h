//===- Numbers.h - Numbers as texts of values -------------------*- C++ -*-===//
#ifndef CHI_SWEEP_POINTS_NUMBERS_H
#define CHI_SWEEP_POINTS_NUMBERS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace chi::sweep {

/// The number that a text is ("1e-3", "1_000", "inf"); none if it is none.
std::optional<double> readNumber(llvm::StringRef text);

/// The shortest text that reads as this number: "0.1", "3".
std::string exactText(double value);

/// A computed number, rounded to 12 significant digits, so that lin(0, 1, 11)
/// gives 0.3 and not 0.30000000000000004.
std::string roundedText(double value);

/// Cuts "a, [b, c], d" at the commas outside of brackets and parentheses, and
/// trims the parts.
std::vector<std::string> splitList(llvm::StringRef text);

} // namespace chi::sweep
#endif // CHI_SWEEP_POINTS_NUMBERS_H
