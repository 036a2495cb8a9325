//===- Flags.h - Params as flags --------------------------------*- C++ -*-===//
// The flags of a program: --name value, --name=value, --flag, --no-flag. Shared
// by the run time and the compiler, so that both take and refuse the same.
//===----------------------------------------------------------------------===//
#ifndef CHIRT_PARAMS_FLAGS_H
#define CHIRT_PARAMS_FLAGS_H

#include "chirt/text/Text.h"

namespace chirt {

/// What a user may know of a param before it has a value.
struct ParamFacts {
  std::string_view name;   ///< as written, with underscores
  std::string_view type;   ///< "i32", "vec(2, f32)"
  std::string_view domain; ///< "[1, 10]", "{dam, drop}", or empty
  std::string_view doc, defaultText;
  std::string_view fixed; ///< the text of a value compiled in, or empty
  /// Whether it is a flag without a value.
  bool isBool() const { return type == "bool"; }
};

/// Reads the flags of a program.
class ParamFlags {
public:
  /// `others`: flags besides the params', null-ended or null, for the nearest
  /// spelling.
  ParamFlags(const ParamFacts *params, size_t count, const char *const *others)
      : params(params), count(count), others(others) {
    values.resize(count);
  }

  /// Returns false with a message if a word is no flag, or a flag is unknown or
  /// lacks its value. --help and -h are taken if `takesHelp`. Behind a word
  /// `--` stand flags of params too, and, from the first word on that is none,
  /// the arguments of the program.
  bool read(int argc, const char *const *argv, bool takesHelp);
  /// After read(): the number of the first argument of the program; `argc` if
  /// there is none.
  int firstArgument() const { return argumentsBegin; }
  /// The text given for a param; its data() is null if there was none.
  std::string_view value(size_t number) const { return values[number]; }
  /// What was wrong; valid until the next change.
  const char *message() { return error.c_str(); }
  /// Whether `--help` was among the arguments.
  bool wantsHelp() const { return isHelpWanted; }

private:
  const ParamFacts *find(std::string_view name) const;
  bool readFlag(std::string_view flag, const char *const *argv, int argc,
                int &at);
  bool failUnknown(std::string_view name);
  const ParamFacts *findFlag(std::string_view flag, bool &isNegated) const;

  const ParamFacts *params;
  size_t count;
  const char *const *others;
  Array<std::string_view> values;
  Text error;
  bool isHelpWanted = false;
  int argumentsBegin = 0;
};

/// " (i32 in [1, 10], number of bodies)"
void appendFacts(Text &out, const ParamFacts &param);
/// The table of params for --help.
void appendParamHelp(Text &out, const ParamFacts *params, size_t count);
/// A flag's name without dashes at its front, with underscores.
bool flagEquals(std::string_view flag, std::string_view name);
/// Of a flag that other verbs take ("deterministic"): what to use instead.
/// Null for any other.
const char *laterFlag(std::string_view name);
/// Letters that must be changed to make one of the other.
int editDistance(std::string_view a, std::string_view b);

} // namespace chirt
#endif // CHIRT_PARAMS_FLAGS_H
