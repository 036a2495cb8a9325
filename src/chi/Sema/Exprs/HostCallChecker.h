//===- HostCallChecker.h - Calls of host code only --------------*- C++ -*-===//
#ifndef CHI_SEMA_EXPRS_HOSTCALLCHECKER_H
#define CHI_SEMA_EXPRS_HOSTCALLCHECKER_H

#include "chi/Sema/Exprs/ExprContext.h"

namespace chi::sema {

/// Checks what only host code calls: fields are made, loaded and saved.
class HostCallChecker : ExprPart {
public:
  using ExprPart::ExprPart;

  /// `field(f32, shape=n)`.
  Expr *makeField(const ast::CallExpr *expr);
  /// `load(path, field(f32, 2))`, `load(path, "steps", i32)`.
  Expr *callLoad(const ast::CallExpr *expr);
  /// `save(path, x)`, `save(path, x=x, steps=n)`.
  Expr *callSave(const ast::CallExpr *expr);
  /// A call with named values: `report(a=1)`, `append(path, step=k)`.
  Expr *callNamed(const ast::CallExpr *expr, HostOp kind);
  /// `exists(path)`.
  Expr *callExists(const ast::CallExpr *expr);
  /// `env(name, default)`.
  Expr *callEnv(const ast::CallExpr *expr);
  /// `__runtime("chirt_…", result, arguments)` of the library.
  Expr *callRuntime(const ast::CallExpr *expr);
  /// `time.sleep(seconds)`, `time.unix()`, `time.strftime(format, seconds)`.
  Expr *callTime(const ast::CallExpr *expr, BuiltinName builtin);
  /// `exit(n)`.
  Expr *callExit(const ast::CallExpr *expr);
  /// An operation of host code.
  HostOpExpr *hostOp(SourceRange range, HostOp op, TypeRef type,
                     std::vector<Expr *> args);
  /// A new field; of a class one for each member.
  Expr *newField(SourceRange range, TypeRef field,
                 llvm::ArrayRef<Expr *> extents, llvm::StringRef marks);

private:
  bool refuseFieldOrder(const ast::CallExpr *expr);
  void refuseExtents(const ast::CallExpr *expr);
  void adviseTypeOnce(DiagnosticBuilder &report, const ast::CallExpr *expr,
                      size_t k, const ast::Expr *element);
  bool fieldArguments(const ast::CallExpr *expr, FieldArguments &given);
  bool fieldOrder(const ast::Expr *order, size_t rank,
                  std::vector<unsigned> &axes);
  bool fieldOffset(const ast::Expr *offset, llvm::ArrayRef<Expr *> extents,
                   std::vector<int64_t> &first);
  bool fieldExtents(const ast::Expr *shape, std::vector<Expr *> &extents);
  // calls that read and write files
  Expr *textArgument(const ast::Expr *expr, llvm::StringRef function,
                     llvm::StringRef what);
  Expr *loadOne(SourceRange range, TypeRef type, Expr *path, Expr *name,
                bool isCast);
  Expr *loadMembers(SourceRange range, TypeRef type, Expr *path,
                    const std::string &name, bool isCast);
  void addMembers(Expr *value, const std::string &name, HostOpExpr *op);
  bool loadArguments(const ast::CallExpr *expr,
                     std::vector<const ast::Expr *> &given, bool &isCast);
  bool saveArguments(const ast::CallExpr *expr, std::vector<Expr *> &args,
                     bool &isXY);
  Expr *asField(Expr *value);
  void refuseSave(SourceRange range, llvm::ArrayRef<Expr *> args);
  bool addNamed(const ast::Argument &arg, HostOpExpr *op);
};

} // namespace chi::sema
#endif // CHI_SEMA_EXPRS_HOSTCALLCHECKER_H
