//===- ProgramScope.h - The program round a body ----------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_PROGRAMSCOPE_H
#define CHI_SEMA_NAMES_PROGRAMSCOPE_H

#include "chi/Sema/Names/CheckObserver.h"
#include "chi/Sema/Names/MadeFunctions.h"

namespace chi::sema {

/// What a parameter of an instance is bound to.
struct ArgBinding {
  TypeRef type = nullptr;   ///< of a value
  Expr *constant = nullptr; ///< known where the instance is made
  Meaning meaning;          ///< a function or type passed as an argument
  /// Of such a function: of the names that it captures; and their values, of
  /// the call that binds them.
  std::vector<ArgBinding> captured;
  std::vector<Expr *> values;
  /// Of `self` of a method that changes it (Note [Self] in ClassChecker.h): a
  /// value that the instance returns, too, or an element of a field, of `type`.
  enum { ByValue, Returned, Element } self = ByValue;
  std::vector<TypeRef> indexTypes; ///< Element: of the indices
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
  bool isEndless = false;        ///< calls itself with ever other types
  bool hasCallAdjoint = false;   ///< function->callAdjoint is there, or coming
  bool writesSelf = false;       ///< a method that changes its `self`
  TypeRef givenResult = nullptr; ///< of a method: what `return` gives
  std::vector<Diagnostic> diagnostics; ///< replayed at each call
  std::optional<HostCause> hostCause;
  /// What its body calls, and where.
  std::vector<std::pair<Instance *, SourceRange>> calls;
  /// Another function called it while its own body was being checked, here.
  SourceRange calledBusy;
  /// Top-level variables that it or its callees read, with the place.
  llvm::MapVector<TopLevelVariable *, SourceRange> reads;
};

/// What the checkers of a body query from the checker of the whole program. It
/// may check other bodies to answer.
class ProgramScope {
public:
  /// The value of a const, made when it is first asked for.
  virtual Expr *constantValue(ConstDecl &decl, SourceRange use) = 0;
  /// The type that a `type` statement names, computed when it is first needed.
  /// The error type, after a report, if the value is no type or is defined by
  /// itself (reported at `use`).
  virtual TypeRef aliasType(AliasDecl &decl, SourceRange use) = 0;
  /// The type of a class with these arguments. The error type, after a report,
  /// if a member's type is wrong or the class holds itself (reported at `use`).
  virtual TypeRef classType(ClassDecl &decl, const TypeNames &typeNames,
                            SourceRange use) = 0;
  /// A constant, a ParamExpr, or an error.
  virtual Expr *paramValue(ParamDecl &decl, SourceRange use) = 0;
  /// The param that a ParamExpr reads.
  virtual const Param &paramAt(unsigned index) const = 0;
  /// How often a body assigns its names.
  virtual const AssignCounts &countsOf(ast::Body body) = 0;
  /// Fills in `decl.constantParams`.
  virtual void findConstantParams(FunctionDecl &decl) = 0;
  /// The instance for these arguments, made and checked at the first call with
  /// their types and constants. `call` is where it is wanted; `typeNames` are
  /// the type parameters that the arguments gave. With an error it is broken;
  /// its diagnostics are replayed at each call.
  virtual Instance &instantiate(FunctionDecl &decl,
                                std::vector<ArgBinding> args, SourceRange call,
                                const TypeNames &typeNames = {}) = 0;

  // -- rounds of the script ([Inf.3]) ----------------------------------------
  /// Forgets instances and what is known of top-level variables, except for
  /// their final types.
  virtual void startRound() = 0;
  /// Notes that a type of a top-level variable is not known yet.
  virtual void askForRound() = 0;
  /// Whether the types of top-level variables are not final.
  virtual bool needsRound() const = 0;

  const SourceFiles &sources;
  TypeContext &types;
  const Options &options;
  DiagnosticEngine &diags;
  Builder build;
  MadeFunctions made;
  /// Receives what the checkers find out; may be null.
  CheckObserver *observer = nullptr;

protected:
  ProgramScope(const SourceFiles &sources, TypeContext &types,
               const Options &options, DiagnosticEngine &diags,
               Program &program)
      : sources(sources), types(types), options(options), diags(diags),
        build(sources, program, types, options, diags) {}
  ~ProgramScope() = default;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_PROGRAMSCOPE_H
