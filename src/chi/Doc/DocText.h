//===- DocText.h - Docstrings as Markdown -----------------------*- C++ -*-===//
#ifndef CHI_DOC_DOCTEXT_H
#define CHI_DOC_DOCTEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace chi::doc {

/// A docstring without the indentation that its lines share, with its examples
/// (`>>>`) as blocks of code. Ends with a line break unless it is empty.
std::string markdown(llvm::StringRef doc);

/// The first sentence of a docstring, on one line.
std::string summary(llvm::StringRef doc);

} // namespace chi::doc
#endif // CHI_DOC_DOCTEXT_H
