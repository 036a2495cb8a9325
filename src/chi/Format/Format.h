//===- Format.h - Canonical source text -------------------------*- C++ -*-===//
#ifndef CHI_FORMAT_FORMAT_H
#define CHI_FORMAT_FORMAT_H

#include "chi/Diagnostics/Diagnostics.h"
#include <optional>
#include <string>

namespace chi::format {

/// Returns the text of a file as `chic fmt` writes it: four spaces a block,
/// one space round operators, single blank lines, no trailing spaces.
/// Comments, line breaks inside statements, quotes and numbers stay as they
/// are. Formatting a second time changes nothing, and the result has the same
/// syntax tree. Returns nothing, with reports, if the file has syntax errors.
std::optional<std::string> formatSource(SourceFiles &sources, uint32_t file,
                                        DiagnosticEngine &diags);

} // namespace chi::format
#endif // CHI_FORMAT_FORMAT_H
