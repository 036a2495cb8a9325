//===- TextChecks.h - Bytes and characters of a program ---------*- C++ -*-===//
#ifndef CHI_PARSE_TEXTCHECKS_H
#define CHI_PARSE_TEXTCHECKS_H

#include "chi/Diagnostics/Diagnostics.h"

namespace chi::parse {

/// The part of a file that is program text: all but a byte order mark.
SourceRange programRange(const SourceFiles &sources, uint32_t file);

/// Fails, with a report, if a file is not UTF-8 text or is too large.
llvm::LogicalResult checkEncoding(const SourceFiles &sources, uint32_t file,
                                  DiagnosticEngine &diags);

/// Describes the error of the character at `offset`, which begins no token.
void reportUnknownCharacter(llvm::StringRef text, uint32_t file,
                            uint32_t offset, DiagnosticEngine &diags);

/// Fails, with a report, if a name contains a character that is no letter: a
/// typographic quote, a no-break space, a mathematical sign.
llvm::LogicalResult checkName(llvm::StringRef text, SourceRange name,
                              DiagnosticEngine &diags);

} // namespace chi::parse
#endif // CHI_PARSE_TEXTCHECKS_H
