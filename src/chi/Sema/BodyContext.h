//===- BodyContext.h - The checkers of a body -------------------*- C++ -*-===//
#ifndef CHI_SEMA_BODYCONTEXT_H
#define CHI_SEMA_BODYCONTEXT_H

#include "chi/Sema/BodyState.h"

namespace chi::sema {

class Advice;
class AssignChecker;
class BodyChecker;
class BuiltinChecker;
class CallChecker;
class DerivativeChecker;
class ExprChecker;
class ForeignNames;
class HostCallChecker;
class IterableChecker;
class LoopChecker;
class MethodChecker;
class NameChecker;
class PlaceChecker;
class StmtChecker;
class SubscriptChecker;
class TapeChecker;
class TypeExprChecker;
class UpdateChecker;

/// The parts of a value have names of their own in the code: so many, and no
/// more.
inline constexpr int64_t kMaxEntries = 1 << 16;

BinaryOp binaryOpOf(ast::BinaryOp op);
/// What a call of a word asks for that is not supported yet.
std::string laterText(const ast::CallExpr *expr, Word word);
/// The components that a swizzle such as `xz` names in a vec; none if it is not
/// one.
std::vector<unsigned> swizzle(llvm::StringRef name, int64_t size);
/// Whether derivatives go through values of the type.
bool isDifferentiable(TypeRef type);
/// Names of members that a value has, for advice; and of a method, whether it
/// takes an argument.
std::vector<llvm::StringRef> membersOf(TypeRef type);
std::optional<bool> methodTakes(TypeRef type, llvm::StringRef name);
llvm::SmallVector<const ast::NameExpr *>
flatNames(llvm::ArrayRef<ast::Expr *> targets);

/// A method of a vec or mat (Methods.cpp).
enum class Method;

/// The checkers of one body, each of which knows the others by it.
struct BodyContext {
  ProgramChecker &program;
  BodyState &state;
  BodyChecker &body;
  NameChecker &names;
  ForeignNames &foreign;
  Advice &advice;
  TypeExprChecker &typeExprs;
  ExprChecker &exprs;
  SubscriptChecker &subscripts;
  CallChecker &calls;
  DerivativeChecker &derivatives;
  BuiltinChecker &builtins;
  MethodChecker &methods;
  HostCallChecker &hostCalls;
  IterableChecker &iterables;
  PlaceChecker &places;
  AssignChecker &assigns;
  UpdateChecker &updates;
  LoopChecker &loops;
  TapeChecker &tapes;
  StmtChecker &stmts;
};

/// What a checker of a part starts from.
class BodyPart {
public:
  explicit BodyPart(BodyContext &ctx)
      : ctx(ctx), state(ctx.state), program(ctx.program),
        build(ctx.program.build), types(ctx.program.types),
        diags(ctx.program.diags) {}

protected:
  /// The value of what was reported.
  Expr *fail(SourceRange range) { return build.error(range); }

  BodyContext &ctx;
  BodyState &state;
  ProgramChecker &program;
  Builder &build;
  TypeContext &types;
  DiagnosticEngine &diags;
};

} // namespace chi::sema
#endif // CHI_SEMA_BODYCONTEXT_H
