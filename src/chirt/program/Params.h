//===- Params.h - Binding params to flags -----------------------*- C++ -*-===//
#ifndef CHIRT_PROGRAM_PARAMS_H
#define CHIRT_PROGRAM_PARAMS_H

#include "chirt/chirt.h"
#include "chirt/params/Flags.h"

namespace chirt {

/// What a program's params say of themselves.
class ParamTable {
public:
  explicit ParamTable(const chirt_program *program);
  const ParamFacts *data() const { return facts.data(); }
  size_t size() const { return facts.size(); }

private:
  Text texts; ///< what the facts of all params point into
  Array<ParamFacts> facts;
};

/// All params as a JSON array, for `--params-json`.
void appendParamsJson(Text &out, const chirt_program *program);

/// Binds the params of a program to what a command line gives.
class ParamBinder {
public:
  /// `known`: flags besides the params', null-ended, for the nearest spelling.
  ParamBinder(const chirt_program *program, const char *const *known)
      : program(program), table(program),
        flags(table.data(), table.size(), known) {}

  /// Reads flags. Returns false with a message if one is unknown or has no
  /// value.
  bool read(int argc, const char *const *argv);
  /// Stores values and defaults, in the order of the params, and checks types
  /// and ranges. Defaults may raise: to be called under the guard.
  bool store();

  /// What was wrong; the text lives as long as this object.
  const char *message() {
    return error.empty() ? flags.message() : error.c_str();
  }
  /// After store(): what is odd about values, a sentence a line; "" if nothing.
  std::string_view warnings() const { return oddities; }
  /// Whether the arguments ask for help.
  bool wantsHelp() const { return flags.wantsHelp(); }
  /// After read(): the number of the first word that is for the program itself.
  int firstArgument() const { return flags.firstArgument(); }

private:
  bool assign(size_t number, std::string_view value, bool isGiven);
  bool check(size_t number, bool isGiven);
  void warnOfNumber(size_t number, std::string_view value, int32_t component);
  bool failValue(size_t number, std::string_view value, const char *problem,
                 bool namesType);

  const chirt_program *program;
  ParamTable table;
  ParamFlags flags;
  Text error, oddities;
};

} // namespace chirt
#endif // CHIRT_PROGRAM_PARAMS_H
