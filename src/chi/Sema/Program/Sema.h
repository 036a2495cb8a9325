//===- Sema.h - Meaning of programs -----------------------------*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAM_SEMA_H
#define CHI_SEMA_PROGRAM_SEMA_H

#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Sema/Build/Options.h"
#include "chi/Sema/Names/CheckObserver.h"
#include "chi/Sema/Tree/Tree.h"
#include "llvm/Support/raw_ostream.h"

namespace chi::sema {

/// Finds and parses imported modules; the driver provides it.
class ModuleLoader {
public:
  virtual ~ModuleLoader() = default;
  struct Result {
    const ast::Module *module = nullptr; ///< null: not found, or errors
    bool found = false;
    bool hidesStandard = false; ///< a local module of a standard one's name
    std::vector<std::string> searched; ///< the folders, if it was not found
  };
  /// `path` is dotted ("fluid.pressure"); `fromFile` is the importing file.
  virtual Result load(llvm::StringRef path, uint32_t fromFile) = 0;
};

/// What a command line needs to know of a param, without checking the rest.
struct ParamSummary {
  std::string name, type, defaultText, doc, low, high;
  std::vector<std::string> choices;
  SourceRange range;
  bool isSpecialized = false; ///< reaches a shape, static or loop bound
};

/// The params of a program from its syntax alone.
std::vector<ParamSummary> summarizeParams(const SourceFiles &sources,
                                          const ast::Module &main,
                                          ModuleLoader &loader);

/// Checks a program and all it imports, reporting every error. Returns null
/// if there was any error. The observer, if any, receives what is found
/// out, errors or not.
std::unique_ptr<Program> check(const SourceFiles &sources,
                               const ast::Module &main, TypeContext &types,
                               const Options &options, ModuleLoader &loader,
                               DiagnosticEngine &diags,
                               CheckObserver *observer = nullptr);

/// The `typed-ast` stage.
void dump(const Program &program, llvm::raw_ostream &out);

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAM_SEMA_H
