//===- Gradients.h - What a whole program says of gradients -----*- C++ -*-===//
#ifndef CHI_SEMA_PROGRAM_GRADIENTS_H
#define CHI_SEMA_PROGRAM_GRADIENTS_H

#include "chi/Sema/Program/FieldOrigins.h"

namespace chi::sema {

/// The parts of a program that say something of gradients.
struct TapeProgram {
  const Program &program;
  const SourceFiles &sources;
  const FieldOrigins &origins;
  DiagnosticEngine &diags;
};

/// `x.grad` of what is surely made without `grad=True`.
void checkMarks(const TapeProgram &all);
/// `k.grad()` of a kernel that the program never calls.
void checkKernelsCalled(const TapeProgram &all);
/// Warns of names that a tape binds again, and of gradients that are certainly
/// zero.
void warnInTapes(const TapeProgram &all);
/// Gradients that are read inside the tape that makes them (TapeReads.cpp).
void warnOfTapeReads(const TapeProgram &all);
/// The store by which each iteration of `for I in x: … x[I] = …` overwrites its
/// element, with no other use of x before; null if it is no such loop.
const AssignStmt *wholeStore(const ForStmt &loop);
/// What the adjoints of calls read of fields; refuses what they read of
/// variables that change (AdjointReads.cpp).
void findAdjointReads(const TapeProgram &all);
/// Adds the records of the functions that a library can differentiate: that
/// make fields of floats of such fields, change none that they are given, and
/// lose no derivative in host code (OperatorRecords.cpp).
void addOperatorRecords(const TapeProgram &all, Program &program);
/// Whether host code of a function loses the derivative of a float, if all
/// fields have one.
bool losesDerivatives(const TapeProgram &all, const Function &function);
/// Floats that go from an active field through host code back into the tape
/// (HostFloats.cpp).
void checkHostFloats(const TapeProgram &all);

} // namespace chi::sema
#endif // CHI_SEMA_PROGRAM_GRADIENTS_H
