//===- BodyPart.h - What a checker of a part starts from --------*- C++ -*-===//
#ifndef CHI_SEMA_NAMES_BODYPART_H
#define CHI_SEMA_NAMES_BODYPART_H

#include "chi/Sema/Names/BodyState.h"

namespace chi::sema {

/// What a checker of a part of a body starts from.
class BodyPart {
public:
  BodyPart(ProgramScope &program, BodyState &state)
      : state(state), program(program), build(program.build),
        types(program.types), diags(program.diags) {}

protected:
  /// The value of what was reported.
  Expr *fail(SourceRange range) { return build.error(range); }

  BodyState &state;
  ProgramScope &program;
  Builder &build;
  TypeContext &types;
  DiagnosticEngine &diags;
};

} // namespace chi::sema
#endif // CHI_SEMA_NAMES_BODYPART_H
