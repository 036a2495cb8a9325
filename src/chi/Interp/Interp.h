//===- Interp.h - Reference interpreter -------------------------*- C++ -*-===//
// Evaluates a module at stage `simplified` or `grad`: host code, control
// functions and tasks, one iteration after the other, IEEE as written. It
// shares nothing with the code generators but the run time's fields and
// messages, so that "same answer as the interpreter" tests them. Never fast.
#ifndef CHI_INTERP_INTERP_H
#define CHI_INTERP_INTERP_H

#include "chirt/chirt.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <string>

namespace chi::interp {

class Machine;

/// A program made ready to be handed to chirt_run.
class Interpreter {
public:
  /// `mathLibrary` holds the elementary functions (`exp.f32`, …) and may be
  /// null: then the C library's are used. Both modules must stay alive.
  Interpreter(mlir::ModuleOp program, mlir::ModuleOp mathLibrary);
  ~Interpreter();

  /// False if the program has an operation that the interpreter does not
  /// know; `error()` names it.
  bool isValid() const;
  /// Names the operation that has no translation; empty if `isValid()`.
  const std::string &error() const;

  /// The program's table. Only one interpreter may run at a time in a
  /// process, because the table's functions take no context.
  const chirt_program *program() const;

private:
  std::unique_ptr<Machine> machine;
};

} // namespace chi::interp
#endif // CHI_INTERP_INTERP_H
