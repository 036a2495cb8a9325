//===- Names.h - What a name stands for -------------------------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_NAMES_H
#define CHI_SEMA_NAMES_NAMES_H

#include "chi/AST/Stmt.h"
#include "chi/Sema/Build/Build.h"
#include "chi/Sema/Builtins/BuiltinNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <set>

namespace chi::sema {

struct ModuleScope;
struct FunctionDecl;
struct ClassDecl;
struct LocalVariable;

/// `const N = …`, evaluated when it is first used.
struct ConstDecl {
  const ast::ConstStmt *ast = nullptr;
  ModuleScope *module = nullptr;
  enum { Fresh, Busy, Done } state = Fresh;
  Expr *value = nullptr;
};
/// `type real = f64`
struct AliasDecl {
  const ast::TypeAliasStmt *ast = nullptr;
  ModuleScope *module = nullptr;
  enum { Fresh, Busy, Done } state = Fresh;
  TypeRef type = nullptr;
};
struct ParamDecl {
  const ast::ParamStmt *ast = nullptr;
  ModuleScope *module = nullptr;
  unsigned index = 0;
  Param *param = nullptr;
  bool isSpecialized = false;
  bool isBusy = false, isDone = false;
  Expr *value = nullptr; ///< a constant, if it is compiled in
};
/// A top-level variable.
struct TopLevelVariable {
  std::string name;
  ModuleScope *module = nullptr;
  SourceRange range; ///< of its first assignment
  unsigned numAssignments = 0;
  Global *global = nullptr;
  TypeRef type = nullptr; ///< null: not yet seen
  TypeRef hint = nullptr; ///< of the round before
  Expr *constant = nullptr;
  bool isAnnotated = false;
  bool hasWideLiteral = false; ///< as of a LocalVariable
  bool isSeen = false;         ///< its first assignment has been checked
  /// Of the round, as of a LocalVariable.
  bool isCopyOfElement = false;
  SourceRange partWritten;
  unsigned numReads = 0;
};

struct Meaning;
/// Of a function that was passed on: what the names that it captures mean, in
/// the order of FunctionDecl::captures.
using Closure = std::vector<Meaning>;

/// What a name means where it stands.
struct Meaning {
  enum Kind {
    Nothing,
    Broken, ///< declared, but its declaration was reported
    Local,
    Constant, ///< a constant, or a field's other name: cloned at each use
    TopLevel,
    Const,
    Param,
    Function,
    Builtin,
    Type,
    Alias,
    Class, ///< also a generic one, which is no type without its arguments
    Module,
  } kind = Nothing;
  SourceRange range; ///< of its declaration
  LocalVariable *local = nullptr;
  Expr *constant = nullptr;
  TopLevelVariable *topLevel = nullptr;
  ConstDecl *constDecl = nullptr;
  ParamDecl *param = nullptr;
  FunctionDecl *function = nullptr;
  BuiltinName builtin = BuiltinName::Print;
  TypeRef type = nullptr;
  AliasDecl *alias = nullptr;
  ClassDecl *klass = nullptr;
  ModuleScope *module = nullptr;
  /// Of a constant that a statement makes: what the flow of control must have
  /// passed, as for a variable.
  const void *flowKey = nullptr;
  /// Of a nested function in another body than its own; null: its names mean
  /// what they mean where it is called.
  std::shared_ptr<const Closure> closure;
};

/// What type parameters stand for.
using TypeNames = std::map<std::string, Meaning, std::less<>>;

/// The default of a member as a function.
struct DefaultMaker;

/// A member of a class.
struct ClassMember {
  llvm::StringRef name;
  SourceRange range;
  const ast::Expr *written = nullptr;      ///< the type
  const ast::Expr *defaultValue = nullptr; ///< null: zero
  TypeRef type = nullptr;                  ///< of an instance of the class
  /// Likewise: a constant, cloned where it is omitted. Null: `maker` makes it,
  /// or it has to be given.
  Expr *value = nullptr;
  /// A function of the members before it, which gives the default of an object
  /// that is a reference.
  std::shared_ptr<DefaultMaker> maker;
};
/// A class, or a generic class with its arguments. Its address is the identity
/// of its type (Type::identity).
struct ClassInstance {
  ClassDecl *decl = nullptr;
  TypeNames typeNames;
  std::vector<ClassMember> members;
  TypeRef type = nullptr; ///< the error type if a member's is
  /// Of a class whose objects are references: what kernels see of one, a value
  /// of those members that they can have (Note [Host objects]); null of others.
  std::unique_ptr<ClassInstance> view;
  ClassInstance *viewed = nullptr; ///< of such a view: of what
  enum { Fresh, Busy, Done } state = Fresh;
};
/// `class P:`
struct ClassDecl {
  const ast::ClassStmt *ast = nullptr;
  ModuleScope *module = nullptr;
  bool isBroken = false;
  std::vector<ClassMember> members; ///< without their types
  /// By name. Several of one name differ in the types of their parameters.
  std::map<std::string, std::vector<FunctionDecl *>, std::less<>> methods;
  /// By the text of their arguments; "" of a class without type parameters.
  std::map<std::string, ClassInstance> instances;
  bool isGeneric() const { return !ast->typeParams.empty(); }
};
/// The class that a type is of.
inline ClassInstance &classOf(TypeRef type) {
  assert(type->isOfClass() && "not a class");
  return *static_cast<ClassInstance *>(const_cast<void *>(type->identity));
}

/// Whether it is what a kernel sees of an object that is a reference.
inline bool isView(TypeRef type) {
  return type->isStruct() && classOf(type).viewed;
}
/// What a kernel sees of an object that is a reference.
inline TypeRef viewOf(TypeRef type) {
  assert(type->isRef() && "a value");
  return classOf(type).view->type;
}

struct FunctionDecl {
  const ast::FunctionStmt *ast = nullptr;
  ModuleScope *module = nullptr;
  ClassDecl *klass = nullptr; ///< of a method
  bool isKernel = false, isStrict = false, isBroken = false;
  bool isPassive = false; ///< @nograd
  bool usesGrad = false;  ///< of a kernel: the program has its `.grad()`
  const ast::Expr *adjointOf = nullptr; ///< the operand of `@adjoint_of`
  FunctionDecl *adjoint = nullptr;      ///< the one that names this one there
  bool isOneEntry = false; ///< `adjoint` is that of a call: a tape's one entry
  bool isScanned = false;  ///< constantParams are found
  unsigned numInstances = 0;
  unsigned numBusy = 0; ///< instances that are being checked
  /// Of a nested function: the names of the body around it that it reads. They
  /// are its last parameters (docs/design/0130-nested-functions.md).
  std::vector<const ast::NameExpr *> captures;
  /// Names of that body that it assigns, so that they are its own.
  std::set<llvm::StringRef> hidden;
  bool isNested = false; ///< in a body, or a lambda
  int lanes = 0;
  int64_t block = 0;
  /// Parameters whose value must be known where the function is made: they
  /// stand in a shape or a type, or, without a type of their own, in `static`.
  std::set<llvm::StringRef> constantParams;
  /// `P(…)` calls it for a new object of its class, if it is `__init__`.
  bool isInitializer() const { return klass && ast->name == "__init__"; }
  /// With the path of its module and its class: "fluid.pressure.solve".
  std::string fullName() const;
  /// The parameters that a call gives: those of a method without `self`.
  llvm::ArrayRef<ast::Parameter> givenParams() const {
    return ast->params.drop_front(klass != nullptr).drop_back(captures.size());
  }
  /// Is it generic: does a parameter lack a type, or has it or its class type
  /// parameters?
  bool hasUnannotated() const {
    for (const ast::Parameter &param : givenParams())
      if (!param.type)
        return true;
    return !ast->typeParams.empty() || (klass && klass->isGeneric());
  }
};

struct DefaultMaker {
  ast::FunctionStmt function{SourceRange()};
  ast::ReturnStmt result{SourceRange()};
  ast::Stmt *body[1] = {&result};
  std::string name;
  std::vector<ast::Parameter> params; ///< members
  std::vector<unsigned> given;        ///< their numbers
  FunctionDecl decl;
};

/// One file and its top-level names.
struct ModuleScope {
  std::string path; ///< "fluid.pressure"; "" of the main program
  const ast::Module *ast = nullptr;
  bool isInternal = false; ///< may use the intrinsics `__…`
  bool isBuiltin = false;  ///< `math`, `time`
  std::map<std::string, Meaning, std::less<>> names;
  std::vector<const ast::TestStmt *> tests;
};

/// Defined here, since it needs the whole ModuleScope.
inline std::string FunctionDecl::fullName() const {
  std::string name = module->path.empty() ? "" : module->path + ".";
  if (klass)
    name += klass->ast->name.str() + ".";
  return name + ast->name.str();
}

/// How often names are assigned in a body: in all of it, outside of its loops
/// only, and how often a part of their value is (`v.x = 1`, `a[i] = 2`). Where
/// they are assigned first (by an update only if nothing else assigns them),
/// where a loop does so, updates aside, and where they are first updated.
struct AssignCounts {
  llvm::StringMap<unsigned> all, own, parts;
  llvm::StringMap<SourceRange> first, inLoops, updates;
};
/// How often a body assigns each name, without nested functions.
AssignCounts countAssignments(ast::Body body);
/// Calls `visit` for each expression of a body, outermost first; nested
/// definitions aside.
void walkExprs(ast::Body body,
               llvm::function_ref<void(const ast::Expr *)> visit);
/// The names that a function reads from around it, each at its first place.
std::vector<const ast::NameExpr *> freeNames(const ast::FunctionStmt *function);
/// Whether a loop or a nested function in a body has the name.
bool bindsOtherwise(ast::Body body, llvm::StringRef name);
/// Calls `visit` for an expression and all of its operands.
void walkExpr(const ast::Expr *expr,
              llvm::function_ref<void(const ast::Expr *)> visit);
/// Calls `visit` for each statement of a body, with nested ones.
void walkStmts(ast::Body body,
               llvm::function_ref<void(const ast::Stmt *)> visit);

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_NAMES_H
