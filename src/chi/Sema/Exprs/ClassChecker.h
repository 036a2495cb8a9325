//===- ClassChecker.h - Objects of classes ([Cls.1]) ------------*- C++ -*-===//
// Note [Self]: `self` is a reference. A method is first checked with a value of
// `self`. If it changes that (Instance::writesSelf), a call takes another
// instance, by what it is called on:
// - An element of a field: the instance takes the field and the indices, and
//   `self` is that element, so that `self.x += e` is an update of the field.
// - Anything else: the instance takes the value and returns it, behind its
//   result. If it is a variable or a member of one, the caller stores it there.
//   Nothing else sees the variable in the meantime.
//
// Note [Host objects]: an object of a class that holds a field, a str or a list
// is an object of the run time, of which host code has references (a Ref). A
// kernel gets a value instead, with those of its members that kernels can have,
// as they are at the call (ClassInstance::view). Its methods are checked once
// for `self` as a reference, and once for such a value; there they cannot
// assign members, since nothing would see it.
//
// Note [Initializers]: `__init__` is a method that returns its `self` (Note
// [Self]). `P(…)` calls it with an object that holds the
// defaults.
#ifndef CHI_SEMA_EXPRS_CLASSCHECKER_H
#define CHI_SEMA_EXPRS_CLASSCHECKER_H

#include "chi/Sema/Build/Complex.h"
#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks constructors, members and methods of classes.
class ClassChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// `P(…)`; of a generic class the arguments say what it is made of.
  Expr *construct(const ast::CallExpr *expr, ClassDecl &decl);
  /// `P(…)` of a class with its type.
  Expr *construct(const ast::CallExpr *expr, TypeRef type);

  /// `p.x`; also reports that `p` has no such member.
  Expr *member(Expr *base, llvm::StringRef name, SourceRange nameRange,
               SourceRange range);
  /// What a kernel gets of an object that is a reference: its members as they
  /// are at the call (Note [Host objects]).
  Expr *viewed(Expr *object);
  /// Member number `k` of an object, or its field, of a field of a class.
  Expr *memberAt(Expr *base, unsigned k, SourceRange range);
  /// The same, of a field of a class.
  Expr *fieldOfMember(Expr *field, unsigned k, SourceRange range);
  /// A field that has the shape of `field` and no members: the first one in it.
  Expr *leafOf(Expr *field);

  /// `p.f(…)`.
  Expr *callMethod(const ast::CallExpr *expr, Expr *base,
                   const ast::AttributeExpr *callee);
  /// The call of a method that the language itself calls, such as `__add__`.
  /// Null, without a report, if `self` is of no class or that has no such
  /// method.
  Expr *callNamed(SourceRange range, llvm::StringRef name, Expr *self,
                  llvm::ArrayRef<Expr *> args);
  /// Whether objects of the type have the method.
  static bool hasMethod(TypeRef type, llvm::StringRef name);

  /// `lhs op rhs` where one of them is of a class; `isInPlace` of `lhs op=
  /// rhs`.
  Expr *binary(SourceRange range, SourceRange opRange, ast::BinaryOp op,
               Expr *lhs, Expr *rhs, bool isInPlace);
  /// `-p`, `+p`, `~p`.
  Expr *unary(SourceRange range, ast::UnaryOp op, Expr *operand);
  /// `p < q` and the other comparisons, where one of both is of a class.
  /// `equal` compares members.
  Expr *compare(SourceRange range, ast::CompareOp op, Expr *lhs, Expr *rhs,
                llvm::function_ref<Expr *(Expr *, Expr *)> equal);

  /// Stores the `self` that a call has changed, and gives its result.
  /// `callee`: where it is written, for reports; may be null.
  Expr *storeSelf(Expr *call, TypeRef result, Expr *self,
                  const ast::Expr *callee);
  /// Reports that no member has the name.
  void reportNoMember(TypeRef type, llvm::StringRef name,
                      SourceRange nameRange);

private:
  bool matchMembers(const ast::CallExpr *expr, const ClassDecl &decl,
                    std::vector<size_t> &numbers);
  Expr *makeObject(const ast::CallExpr *expr, TypeRef type,
                   llvm::ArrayRef<size_t> numbers, std::vector<Expr *> values);
  Expr *makeReference(SourceRange range, TypeRef type,
                      std::vector<Expr *> parts, bool isInitialized);
  Expr *omitted(SourceRange range, TypeRef type, unsigned number,
                std::vector<Expr *> &parts, std::vector<LetExpr *> &lets);
  bool checkValues(const ast::CallExpr *expr, std::vector<Expr *> &values);
  bool areInferred(const ast::CallExpr *expr, const ClassDecl &decl,
                   const TypeNames &typeNames);
  Expr *initialized(const ast::CallExpr *expr, TypeRef type);
  Expr *inferInitialized(const ast::CallExpr *expr, ClassDecl &decl);
  bool setsMembers(const FunctionDecl &init, TypeRef type);
  Expr *callOne(const ast::CallExpr *expr, Expr *self,
                llvm::ArrayRef<FunctionDecl *> methods, SourceRange nameRange);
  bool inferArguments(const ast::CallExpr *expr, ClassDecl &decl,
                      llvm::ArrayRef<size_t> numbers,
                      llvm::ArrayRef<Expr *> values, TypeNames &typeNames);
  FunctionDecl *choose(const ast::CallExpr *expr, TypeRef type,
                       llvm::ArrayRef<FunctionDecl *> methods,
                       llvm::ArrayRef<Expr *> args, SourceRange nameRange);
  Expr *storeElement(Expr *call, TypeRef result, HostOpExpr *element,
                     llvm::ArrayRef<unsigned> path);
  bool mayStore(Expr *place, SourceRange range, const ast::Expr *callee);
  Expr *replaced(Expr *whole, llvm::ArrayRef<unsigned> path, Expr *part);
};

/// Checks what complex numbers have beyond other classes.
class ComplexChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// `2.5j`
  Expr *literal(const ast::FloatExpr *expr);
  /// `complex64(x, y)`, `complex128(z)`; with `isFlexible`, `complex(x, y)`,
  /// the precision is that of the arguments.
  Expr *construct(const ast::CallExpr *expr, TypeRef type, bool isFlexible);
  /// Gives the operands of an operator, one of them complex, one precision; a
  /// real one stays real. Returns the result where both are constants, null if
  /// the operator is still to be applied.
  Expr *unify(SourceRange range, ast::BinaryOp op, Expr *&lhs, Expr *&rhs);
  /// `z ** n` of a known number of factors; null if it is none.
  Expr *power(SourceRange range, Expr *number, Expr *exponent);
  /// Makes both sides of `==` complex; false if one is no number.
  bool makeAlike(Expr *&lhs, Expr *&rhs);
  /// `-z` of a literal; null of anything else.
  Expr *negated(SourceRange range, Expr *operand);

  /// 0 of "real", 1 of "imag"; none of another name.
  static std::optional<unsigned> partNamed(llvm::StringRef name);
  /// `z.real`, `z.imag`
  Expr *part(Expr *number, unsigned part, SourceRange range);
  /// The parts, of an element of a field loaded alone.
  Expr *partsOf(Expr *number);
  /// The field of the parts of a field of complex numbers.
  Expr *fieldOfParts(Expr *field);

private:
  bool takeArguments(const ast::CallExpr *expr, TypeRef type,
                     Expr *(&given)[2]);
  Expr *fromParts(SourceRange range, TypeRef type, bool isFlexible, Expr *real,
                  Expr *imaginary);
};

/// Whether a type is a field of complex numbers.
inline bool isFieldOfComplex(TypeRef type) {
  return type->isField() && type->element->isComplex;
}

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_CLASSCHECKER_H
