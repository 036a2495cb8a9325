//===- ProgramCheck.h - Modules, instances, params --------------*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAMCHECK_H
#define CHI_SEMA_PROGRAMCHECK_H

#include "chi/Sema/Names.h"
#include "llvm/ADT/DenseMap.h"

namespace chi::sema {

/// What a parameter of an instance is bound to.
struct ArgBinding {
  TypeRef type = nullptr;   ///< of a value
  Expr *constant = nullptr; ///< known where the instance is made
  Meaning meaning;          ///< a function or type passed as an argument
};

/// Why a function is host only, and through which call.
struct HostCause {
  SourceRange range;
  std::string what;                         ///< "`save`"
  const struct Instance *through = nullptr; ///< the callee that is host only
};

/// A function for one list of argument types.
struct Instance {
  FunctionDecl *decl = nullptr; ///< null of the script and of tests
  std::vector<ArgBinding> args;
  Function *function = nullptr;
  enum { Fresh, Busy, Done } state = Fresh;
  bool isBroken = false;
  bool isEndless = false;      ///< calls itself with ever other types
  bool hasCallAdjoint = false; ///< function->callAdjoint is there, or coming
  std::vector<Diagnostic> diagnostics; ///< replayed at each call
  std::optional<HostCause> hostCause;
  /// Top-level variables that it or its callees read, with the place.
  llvm::MapVector<TopLevelVariable *, SourceRange> reads;
};

/// All of a program: names of modules, constants, instances of functions.
class ProgramChecker {
public:
  ProgramChecker(const SourceFiles &sources, TypeContext &types,
                 const Options &options, ModuleLoader &loader,
                 DiagnosticEngine &diags, Program &program);

  void check(const ast::Module &main);

  // -- Modules.cpp -----------------------------------------------------------
  /// The names of a module; null after an error was reported.
  void reportNoModule(llvm::StringRef path, SourceRange range,
                      llvm::ArrayRef<std::string> folders);
  ModuleScope *importModule(llvm::StringRef path, SourceRange range,
                            const ModuleScope &from);
  void declareNames(ModuleScope &module);

  // -- Constants.cpp ---------------------------------------------------------
  /// The value of a const, made when it is first asked for.
  Expr *constantValue(ConstDecl &decl, SourceRange use);
  TypeRef aliasType(AliasDecl &decl, SourceRange use);

  // -- LiteralRange.cpp ------------------------------------------------------
  /// Reports the float literals of an expression that became infinite; true
  /// if there are such.
  bool reportTooLarge(const Expr *expr);
  void reportTooLarge(const Body &body);

  // -- Params.cpp ------------------------------------------------------------
  /// A constant, a ParamExpr, or an error.
  Expr *paramValue(ParamDecl &decl, SourceRange use);
  void checkParams();

  // -- Instances.cpp ---------------------------------------------------------
  /// The instance for these arguments, checked. `call` is where it is wanted.
  /// `typeNames` are the type parameters that the arguments gave.
  using TypeNames = std::map<std::string, Meaning, std::less<>>;
  Instance &instantiate(FunctionDecl &decl, std::vector<ArgBinding> args,
                        SourceRange call, const TypeNames &typeNames = {});
  const AssignCounts &countsOf(ast::Body body);
  void findConstantParams(FunctionDecl &decl);

  const SourceFiles &sources;
  TypeContext &types;
  const Options &options;
  ModuleLoader &loader;
  DiagnosticEngine &diags;
  Program &program;
  Builder build;

  std::deque<std::unique_ptr<ModuleScope>> modules; ///< main first
  std::deque<ConstDecl> consts;
  std::deque<AliasDecl> aliases;
  std::deque<ParamDecl> params;
  std::deque<FunctionDecl> functions;
  std::deque<TopLevelVariable> topLevels;
  /// The script, while it is checked; set to true when a type of a top-level
  /// variable changes, so that another round is needed.
  bool needsAnotherRound = false;
  bool isLastRound = false;

private:
  void checkScript();
  void checkTests();
  void setUpTests();
  void checkUncalled();
  void finish();
  void checkGradients();
  void warnOfDefaultFloats();
  void warnOfLostCopies();
  void declareStmt(ModuleScope &module, const ast::Stmt *stmt);
  void declareImport(ModuleScope &module, const ast::ImportStmt *stmt);
  void declareFrom(ModuleScope &module, const ast::FromImportStmt *stmt);
  void declareFunction(ModuleScope &module, const ast::FunctionStmt *stmt);
  void declareParam(ModuleScope &module, const ast::ParamStmt *stmt);
  void declareVariables(ModuleScope &module);
  void refuseCalls(const ModuleScope &module, const ast::Expr *value);
  bool declare(ModuleScope &module, llvm::StringRef name, SourceRange range,
               Meaning meaning);
  void readDecorators(FunctionDecl &decl);
  void linkAdjoint(ModuleScope &module, FunctionDecl &decl);
  void linkAdjoint(FunctionDecl &of, FunctionDecl &decl);
  void refuseRepeated(const ast::Expr *decorator);
  void refuseDecorator(FunctionDecl &decl, const ast::Expr *decorator);
  void chooseSpecialized();
  void checkInstance(Instance &instance, const TypeNames &typeNames);
  std::string uniqueName(llvm::StringRef wanted);
  void resetRound();
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
  friend class BodyChecker;
};

/// Functions of `program` that can be reached, callees before callers.
std::vector<Function *>
reachableFunctions(llvm::ArrayRef<Function *> roots,
                   llvm::function_ref<void(Expr *)> onExpr = nullptr);

/// Params that must be compiled in ([Src.6]), by their names.
std::set<std::string> specializedParams(const ast::Module &module);

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAMCHECK_H
