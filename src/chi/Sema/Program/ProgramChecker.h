//===- ProgramChecker.h - Modules, instances, params ------------*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAM_PROGRAMCHECKER_H
#define CHI_SEMA_PROGRAM_PROGRAMCHECKER_H

#include "chi/Sema/Names/ProgramScope.h"
#include "chi/Sema/Program/Sema.h"
#include "llvm/ADT/DenseMap.h"

namespace chi::sema {

/// All of a program: names of modules, constants, instances of functions.
class ProgramChecker final : public ProgramScope {
public:
  ProgramChecker(const SourceFiles &sources, TypeContext &types,
                 const Options &options, ModuleLoader &loader,
                 DiagnosticEngine &diags, Program &program);

  /// Checks `main` and all that it imports, reports the errors of all of them,
  /// and fills the program. To be called once.
  void check(const ast::Module &main);

  // -- Modules.cpp -----------------------------------------------------------
  /// Reports at `range` that no file is the module `path`, with the `folders`
  /// that were searched or the name that the module has in Chi.
  void reportNoModule(llvm::StringRef path, SourceRange range,
                      llvm::ArrayRef<std::string> folders);
  /// The names of the module that `from` imports at `range`, loaded and
  /// declared at its first import. Null after an error: it was not found, has
  /// syntax errors, or imports itself.
  ModuleScope *importModule(llvm::StringRef path, SourceRange range,
                            const ModuleScope &from);
  /// Declares what the top level of `module` names: functions, constants,
  /// types, params, variables, and imports, whose modules are loaded. Reports
  /// names that clash.
  void declareNames(ModuleScope &module);

  /// Gives a name a meaning in its module; false, reported, if it has another.
  bool declare(ModuleScope &module, llvm::StringRef name, SourceRange range,
               Meaning meaning);
  /// A function or method of the module, with what its decorators say.
  FunctionDecl &makeFunction(ModuleScope &module,
                             const ast::FunctionStmt *stmt);

  // -- Constants.cpp ---------------------------------------------------------
  Expr *constantValue(ConstDecl &decl, SourceRange use) override;
  TypeRef aliasType(AliasDecl &decl, SourceRange use) override;

  // -- Classes.cpp -----------------------------------------------------------
  TypeRef classType(ClassDecl &decl, const TypeNames &typeNames,
                    SourceRange use) override;

  // -- Params.cpp ------------------------------------------------------------
  Expr *paramValue(ParamDecl &decl, SourceRange use) override;
  const Param &paramAt(unsigned index) const override {
    return *params[index].param;
  }
  /// Gives each param its type, default and range, and reports values of
  /// `options.paramValues` that name no param.
  void checkParams();

  // -- Instances.cpp ---------------------------------------------------------
  Instance &instantiate(FunctionDecl &decl, std::vector<ArgBinding> args,
                        SourceRange call,
                        const TypeNames &typeNames = {}) override;
  const AssignCounts &countsOf(ast::Body body) override;
  void findConstantParams(FunctionDecl &decl) override;

  // -- rounds of the script --------------------------------------------------
  void startRound() override;
  void askForRound() override { needsAnotherRound = true; }
  bool needsRound() const override;

  ModuleLoader &loader;
  Program &program;

  std::deque<std::unique_ptr<ModuleScope>> modules; ///< main first
  std::deque<ConstDecl> consts;
  std::deque<AliasDecl> aliases;
  std::deque<ParamDecl> params;
  std::deque<FunctionDecl> functions;
  std::deque<ClassDecl> classes;
  std::deque<TopLevelVariable> topLevels;
  const ClassDecl *complexClass = nullptr; ///< null: not loaded
  /// The script, while it is checked; set to true when a type of a top-level
  /// variable changes, so that another round is needed.
  bool needsAnotherRound = false;

private:
  void checkScript();
  void checkTests();
  void setUpTests();
  void checkUncalled();
  void finish();
  void checkGradients();
  void warnOfDefaultFloats();
  void declareStmt(ModuleScope &module, const ast::Stmt *stmt);
  void declareImport(ModuleScope &module, const ast::ImportStmt *stmt);
  void declareFrom(ModuleScope &module, const ast::FromImportStmt *stmt);
  void declareFunction(ModuleScope &module, const ast::FunctionStmt *stmt);
  void declareParam(ModuleScope &module, const ast::ParamStmt *stmt);
  void declareVariables(ModuleScope &module);
  void readDecorators(FunctionDecl &decl);
  void linkAdjoint(ModuleScope &module, FunctionDecl &decl);
  void linkAdjoint(FunctionDecl &of, FunctionDecl &decl);
  void refuseDecorator(FunctionDecl &decl, const ast::Expr *decorator);
  void chooseSpecialized();
  void checkInstance(Instance &instance, const TypeNames &typeNames);
  std::string uniqueName(llvm::StringRef wanted);
  std::unique_ptr<ModuleScope> makeBuiltinModule(llvm::StringRef path);

  llvm::StringMap<ModuleScope *> modulesByFile; ///< by path
  std::vector<std::pair<ModuleScope *, SourceRange>> importing;
  std::map<std::string, std::unique_ptr<Instance>> instances;
  std::deque<std::unique_ptr<Instance>> extraInstances; ///< script, tests
  std::deque<std::unique_ptr<Function>> madeFunctions;
  std::deque<std::unique_ptr<Instance>> oldInstances;
  llvm::StringMap<unsigned> usedNames;
  llvm::DenseMap<const void *, std::unique_ptr<AssignCounts>> counts;
  std::vector<Function *> kept;           ///< uncalled, but part of the program
  std::vector<ModuleScope *> moduleOrder; ///< imported before importer
};

/// Declares a class of the module with its members and methods.
void declareClass(ProgramChecker &program, ModuleScope &module,
                  const ast::ClassStmt *stmt);

/// Passes the types of what the modules declare to the observer. Needs
/// ProgramChecker::check.
void showDeclarations(const ProgramChecker &program, CheckObserver &observer);

/// The instances of generic functions that the main program names in `export`,
/// and their names for others set; what is wrong with them is reported.
std::vector<Function *> exportedInstances(ProgramChecker &program);

/// Params that must be compiled in ([Src.6]), by their names.
std::set<std::string> specializedParams(const ast::Module &module);

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAM_PROGRAMCHECKER_H
