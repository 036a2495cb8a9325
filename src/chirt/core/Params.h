//===- Params.h - Binding params to flags -----------------------*- C++ -*-===//
#ifndef CHIRT_CORE_PARAMS_H
#define CHIRT_CORE_PARAMS_H

#include "chirt/chirt.h"
#include "chirt/core/Text.h"

namespace chirt {

/// The flags of a command line, as they are given to a program.
class ParamBinder {
public:
  explicit ParamBinder(const chirt_program *program);

  /// Reads flags. Returns false with a message if one is unknown, has no value
  /// or is of the wrong type. `known`: flags besides the params', null-ended,
  /// for the nearest spelling.
  bool read(int argc, const char *const *argv, const char *const *known);
  /// Stores values and defaults, in the order of the params, and checks ranges.
  /// Defaults may raise: to be called under the guard.
  bool store();

  const char *message() { return error.c_str(); }
  bool wantsHelp() const { return isHelpWanted; }

private:
  const chirt_param *find(std::string_view name) const;
  bool readFlag(std::string_view flag, const char *const *argv, int argc,
                int &at, const char *const *known);
  bool assign(const chirt_param &param, std::string_view value);
  bool check(const chirt_param &param, bool isGiven);
  bool failUnknown(std::string_view name, const char *const *known);
  bool failValue(const chirt_param &param, std::string_view value,
                 const char *before);
  bool isChoice(const chirt_param &param) const;
  void appendFacts(const chirt_param &param);

  const chirt_program *program;
  Array<std::string_view> values; ///< of each param; data() is null: not given
  Text error;
  bool isHelpWanted = false;
};

/// The table of params for --help.
void appendParamHelp(Text &out, const chirt_program *program);
/// A flag's name without dashes at its front, with underscores.
bool flagEquals(std::string_view flag, std::string_view name);

} // namespace chirt
#endif // CHIRT_CORE_PARAMS_H
