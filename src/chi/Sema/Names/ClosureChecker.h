//===- ClosureChecker.h - What nested functions capture ---------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_CLOSURECHECKER_H
#define CHI_SEMA_NAMES_CLOSURECHECKER_H

#include "chi/Sema/Names/NameChecker.h"

namespace chi::sema {

/// Passes what nested functions capture, in further parameters
/// (docs/design/0130-nested-functions.md).
class ClosureChecker : BodyPart {
public:
  ClosureChecker(ProgramScope &program, BodyState &state, NameChecker &names)
      : BodyPart(program, state), names(names) {}

  /// Binds what a call of `callee` passes to its last parameters; false after
  /// a report.
  bool bindCaptured(const Meaning &callee, SourceRange range,
                    llvm::MutableArrayRef<ArgBinding> bindings,
                    llvm::MutableArrayRef<Expr *> values, TypeNames &typeNames);
  /// The same for the function that `binding` passes on, if it is one.
  bool bind(ArgBinding &binding, SourceRange range);
  /// Reports a use that the definition or assignment of a function's name does
  /// not precede on each path.
  void checkDefined(const Meaning &meaning, SourceRange range);

private:
  bool bindOne(const Meaning &function, size_t number, SourceRange range,
               ArgBinding &binding, Expr *&value);

  NameChecker &names;
  unsigned depth = 0; ///< of functions that capture functions
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_CLOSURECHECKER_H
