//===- Names.h - Names of a program in C and C++ ----------------*- C++ -*-===//
#ifndef CHI_DRIVER_LIBRARY_NAMES_H
#define CHI_DRIVER_LIBRARY_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <set>
#include <string>

namespace chi::driver {

/// A name of C: what Chi allows and C does not becomes an underscore, and one
/// comes before a digit.
std::string identifier(llvm::StringRef name);
/// Whether a parameter of that name would not compile: a keyword, or what
/// stdint.h or the compiler defines, by the forms of such names.
bool isTaken(llvm::StringRef name);

/// The names of one scope of C, each once.
class Scope {
public:
  explicit Scope(std::initializer_list<std::string> others = {})
      : names(others) {}
  /// `name`, or with an underscore for each that has it already.
  std::string add(std::string name);

private:
  std::set<std::string> names;
};

} // namespace chi::driver
#endif // CHI_DRIVER_LIBRARY_NAMES_H
