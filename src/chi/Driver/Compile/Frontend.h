//===- Frontend.h - From program text to typed tree -------------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_FRONTEND_H
#define CHI_DRIVER_COMPILE_FRONTEND_H

#include "chi/AST/Context.h"
#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Driver/Compile/ModuleFiles.h"
#include "chi/Driver/DriverEnv.h"
#include "chi/Sema/Program/Sema.h"
#include "chi/Sema/Tree/Types.h"

namespace chi::driver {

/// One program: its texts, its tree, and its diagnostics.
class Frontend {
public:
  /// `file` is the name that messages show.
  Frontend(const DriverEnv &env, const launch::CompileOptions &options,
           const launch::DiagnosticOptions &diagnostics, llvm::StringRef file,
           std::string text);

  /// False if there were syntax errors.
  bool parse();
  /// Makes tests of the examples in docstrings (parse::parseExamples). Needs
  /// `parse`.
  void addExamples();
  /// Null if there were errors. Needs `parse` to have succeeded.
  std::unique_ptr<sema::Program> check(sema::Options options);
  /// The params as far as syntax shows them. Needs `parse`.
  std::vector<sema::ParamSummary> params();

  /// Prints the diagnostics so far, or compares them with the comments of the
  /// text under `--verify-diagnostics`. Returns the exit status: 1 if there
  /// were errors or differences.
  int finish();
  /// The output of `finish`, in every form, for the cache.
  launch::WarningTexts warnings;

  /// Whether an output would overwrite `file`, the program, or a module that it
  /// imports; reports it then.
  bool isInput(const std::string &output, const std::string &file) const;

  /// The syntax tree of the program. Needs `parse` to have succeeded.
  const ast::Module &module() const { return *main; }
  /// The id of the program's file in `sources`.
  uint32_t mainFile() const { return 0; }

  SourceFiles sources;
  DiagnosticEngine diags;
  ModuleFiles modules;
  sema::TypeContext types;

private:
  const DriverEnv &env;
  const launch::DiagnosticOptions &diagnosticOptions;
  ast::Context context;
  ast::Module *main = nullptr;
};

/// The requests of `--specialize`.
sema::Specialize specializeOf(llvm::StringRef which);

/// The options of a compilation that sema uses.
sema::Options semaOptions(const launch::CompileOptions &options);

/// The name that messages show for FILE: "<stdin>" for "-".
std::string displayName(llvm::StringRef file);

/// Sorts the parameters of a command line by name. Prints and returns false
/// for one that the program does not have (with the nearest name, also of
/// `otherFlags`, a null-ended list) or that lacks its value.
bool bindParams(llvm::StringRef file, llvm::ArrayRef<std::string> args,
                llvm::ArrayRef<sema::ParamSummary> params,
                std::map<std::string, std::string> &values,
                llvm::raw_ostream &err,
                const char *const *otherFlags = nullptr);

/// The table of `chic params` and `chic run FILE --help`.
void printParams(llvm::ArrayRef<sema::ParamSummary> params,
                 llvm::raw_ostream &out);

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_FRONTEND_H
