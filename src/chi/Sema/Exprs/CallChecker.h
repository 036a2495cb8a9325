//===- CallChecker.h - Calls of functions and types -------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_CALLCHECKER_H
#define CHI_SEMA_EXPRS_CALLCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks calls of functions and of types.
class CallChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// A call of anything.
  Expr *checkCall(const ast::CallExpr *expr);
  /// Whether the annotation of a parameter is one of another language, which is
  /// reported then.
  bool isForeignlyTyped(const FunctionDecl &decl,
                        const ast::Parameter &parameter);
  /// The call of an instance with converted arguments; reports what is wrong
  /// with the instance.
  Expr *finishCall(const ast::CallExpr *expr, Instance &callee,
                   std::vector<Expr *> args);
  /// A call of a method on `self`. `checked`: the values of the arguments, or
  /// none if they are to be checked.
  Expr *callMethod(const ast::CallExpr *expr, FunctionDecl &decl, Expr *self,
                   llvm::ArrayRef<Expr *> checked) {
    return call(expr, decl, self, checked);
  }
  /// A call of a function with the values of all of its parameters.
  Expr *callWith(SourceRange range, FunctionDecl &decl,
                 std::vector<Expr *> args, const TypeNames &typeNames);
  /// A call of what means a function; `checked` as of a method.
  Expr *callFunction(const ast::CallExpr *expr, const Meaning &callee,
                     llvm::ArrayRef<Expr *> checked = {});
  /// Whether a built-in function can be an argument, or get another name.
  static bool isPassable(BuiltinName builtin);
  /// How far the parameters of a method are from the arguments of a call, for
  /// overloads; none if they do not fit. Nothing is reported.
  std::optional<unsigned> distanceTo(FunctionDecl &method,
                                     const ast::CallExpr *expr, TypeRef self,
                                     llvm::ArrayRef<Expr *> args);
  /// Finds type parameters of a class by the type that a member gets.
  void inferClass(ClassDecl &decl, const ast::Expr *pattern, TypeRef type,
                  TypeNames &typeNames);

private:
  Expr *call(const ast::CallExpr *expr, FunctionDecl &decl, Expr *self,
             llvm::ArrayRef<Expr *> checked, const Meaning *callee = nullptr);
  bool mayLaunch(const ast::CallExpr *expr, const FunctionDecl &decl);
  void viewObjects(llvm::MutableArrayRef<ArgBinding> bindings,
                   llvm::MutableArrayRef<Expr *> values);
  bool bindAll(const ast::CallExpr *expr, FunctionDecl &decl,
               llvm::ArrayRef<const ast::Expr *> given,
               const std::vector<bool> &isDefault,
               llvm::ArrayRef<Expr *> checked,
               llvm::MutableArrayRef<ArgBinding> bindings,
               llvm::MutableArrayRef<Expr *> values, TypeNames &typeNames);
  Expr *callByReference(const ast::CallExpr *expr, FunctionDecl &decl,
                        std::vector<ArgBinding> bindings,
                        llvm::ArrayRef<Expr *> values,
                        const TypeNames &typeNames);
  bool matchArguments(const ast::CallExpr *expr, FunctionDecl &decl,
                      std::vector<const ast::Expr *> &given,
                      std::vector<bool> &isDefault);
  bool bindEntity(Meaning &meaning, SourceRange range);
  bool bindArgument(FunctionDecl &decl, const ast::Parameter &parameter,
                    const ast::Expr *given, bool isDefault, ArgBinding &binding,
                    Expr *&value,
                    std::map<std::string, Meaning, std::less<>> &typeNames);
  void holdArguments(llvm::MutableArrayRef<Expr *> values, TypeRef result,
                     std::vector<LetExpr *> &lets);
  void evaluateAsWritten(const ast::CallExpr *expr,
                         llvm::ArrayRef<const ast::Expr *> given,
                         llvm::MutableArrayRef<Expr *> values, TypeRef result,
                         std::vector<LetExpr *> &lets);
  Instance &
  chooseInstance(FunctionDecl &decl, llvm::ArrayRef<ArgBinding> bindings,
                 llvm::ArrayRef<Expr *> values, SourceRange range,
                 const std::map<std::string, Meaning, std::less<>> &typeNames);
  bool inferTypes(const ast::Expr *pattern, TypeRef type,
                  llvm::ArrayRef<ast::TypeParameter> typeParams,
                  NameChecker &names, TypeNames &typeNames);
  bool mayRecur(const ast::CallExpr *expr, Instance &callee);
  Expr *convertCall(const ast::CallExpr *expr, TypeRef type, bool isShort);
  Expr *vectorFrom(SourceRange range, TypeRef type, std::vector<Expr *> parts,
                   bool isFlexible);
  Expr *matrixFrom(SourceRange range, TypeRef type, std::vector<Expr *> parts,
                   bool isFlexible);
  Expr *toScalar(Expr *value, TypeRef scalar, bool isFlexible);
  TypeRef joinParts(std::vector<Expr *> &parts, TypeRef element,
                    bool isFlexible);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_CALLCHECKER_H
