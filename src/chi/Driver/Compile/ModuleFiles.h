//===- ModuleFiles.h - Where imported modules come from ---------*- C++ -*-===//
#ifndef CHI_DRIVER_COMPILE_MODULEFILES_H
#define CHI_DRIVER_COMPILE_MODULEFILES_H

#include "chi/AST/Context.h"
#include "chi/Launch/Cache.h"
#include "chi/Sema/Program/Sema.h"
#include <map>

namespace chi::driver {

/// Finds modules in the importing file's folder, in that of the program, in the
/// `-I` folders and in the standard library, in that order, and records the
/// files that it tried, for the cache. A module is parsed once however often it
/// is imported.
class ModuleFiles : public sema::ModuleLoader {
public:
  /// Texts of files by absolute path, which hold instead of those on the disk.
  using Texts = std::map<std::string, std::string, std::less<>>;

  ModuleFiles(SourceFiles &sources, ast::Context &context,
              DiagnosticEngine &diags, std::vector<std::string> includeDirs,
              std::string stdlibFolder, const Texts *open = nullptr)
      : sources(sources), context(context), diags(diags),
        includeDirs(std::move(includeDirs)),
        stdlibFolder(std::move(stdlibFolder)), open(open) {}

  Result load(llvm::StringRef path, uint32_t fromFile) override;

  /// The files that were searched, whether found or not, for the key of the
  /// cache.
  const std::vector<launch::CompilationRecord::Dependency> &lookups() const {
    return dependencies;
  }

  /// The error for a module that exists and cannot be read ("'a.chi': File too
  /// large"); "" if all could be read.
  const std::string &unreadable() const { return problem; }

private:
  Result loadFile(const std::string &file);
  const std::string *openText(const std::string &file) const;
  bool isThere(const std::string &file) const;

  SourceFiles &sources;
  ast::Context &context;
  DiagnosticEngine &diags;
  std::vector<std::string> includeDirs;
  std::string stdlibFolder, problem;
  const Texts *open;
  std::map<std::string, const ast::Module *> modules; ///< by file
  std::vector<launch::CompilationRecord::Dependency> dependencies;
};

} // namespace chi::driver
#endif // CHI_DRIVER_COMPILE_MODULEFILES_H
