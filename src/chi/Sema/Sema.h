//===- Sema.h - Meaning of programs -----------------------------*- C++ -*-===//
#ifndef CHI_SEMA_SEMA_H
#define CHI_SEMA_SEMA_H

#include "chi/AST/Stmt.h"
#include "chi/Diagnostics/Diagnostics.h"
#include "chi/Sema/Tree.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

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

/// Which params are compiled in.
enum class Specialize {
  Needed, ///< those that reach a shape, a `static` or a kernel's loop bound
  All,
  None ///< only those in `Options::paramValues` with `fix` (chic build -D)
};

struct Options {
  unsigned defaultIntBits = 32, defaultFloatBits = 32;
  bool strictTypes = false; ///< narrowing is an error
  Specialize specialize = Specialize::Needed;
  /// Values of the command line by param name, dashes turned to underscores.
  /// A malformed or out-of-range value is reported with code E06xx at the
  /// param's declaration.
  std::map<std::string, std::string> paramValues;
  bool collectTests = false; ///< keep `test` blocks
  /// Check and instantiate also the functions and kernels that nothing calls,
  /// if all their parameters are annotated (libraries: math.chi, build --lib).
  bool instantiateAll = false;
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
/// if there was any error.
std::unique_ptr<Program> check(const SourceFiles &sources,
                               const ast::Module &main, TypeContext &types,
                               const Options &options, ModuleLoader &loader,
                               DiagnosticEngine &diags);

/// The `typed-ast` stage.
void dump(const Program &program, llvm::raw_ostream &out);

} // namespace chi::sema
#endif // CHI_SEMA_SEMA_H
