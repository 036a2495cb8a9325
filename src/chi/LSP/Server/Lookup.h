//===- Lookup.h - What stands at a place ------------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_LOOKUP_H
#define CHI_LSP_SERVER_LOOKUP_H

#include "chi/LSP/Server/Documents.h"
#include "chi/LSP/Server/Words.h"

namespace chi::lsp {

/// A range of the analysis as the protocol has it; none if the file is none.
std::optional<protocol::Location> locationOf(const Analysis &analysis,
                                             SourceRange range);

/// The same as JSON. It owns its text, unlike what the protocol's own
/// conversion makes.
llvm::json::Value toValue(const protocol::Location &location);

/// The symbol that is named at a place, with the name's range; also in a line
/// that is not parsed. Null if there is none.
struct NamedHere {
  const Symbol *symbol = nullptr;
  SourceRange range;
};
NamedHere namedAt(const Place &place);

/// Where the symbol at a place is declared; none of built-in ones.
std::optional<protocol::Location> definitionAt(const Place &place);

/// What is to be shown of a place: a symbol with its type and docstring, a
/// built-in name with its line, else the type of the expression.
std::optional<protocol::Hover> hoverAt(const Place &place, const Words &words);

/// The outline of a file.
std::vector<protocol::DocumentSymbol> outlineOf(const Analysis &analysis);

/// The replacements in the file that its diagnostics suggest where they touch a
/// range.
std::vector<protocol::CodeAction> actionsAt(const Analysis &analysis,
                                            uint32_t begin, uint32_t end);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_LOOKUP_H
