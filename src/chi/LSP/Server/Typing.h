//===- Typing.h - What is being typed ---------------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_TYPING_H
#define CHI_LSP_SERVER_TYPING_H

#include "chi/LSP/Server/Documents.h"
#include "chi/LSP/Server/Words.h"

namespace chi::lsp {

/// The call whose arguments are being typed.
struct OpenCall {
  uint32_t paren = 0;      ///< where its bracket opens
  llvm::StringRef callee;  ///< what is called: "f", "m.f", "p.norm"
  unsigned argument = 0;   ///< the number of the argument
  llvm::StringRef keyword; ///< the argument's, if it has one: "eps"
};
/// The innermost call that is open at a place; none if there is none.
std::optional<OpenCall> openCallAt(const Text &text, uint32_t offset);

/// Whether a place is inside of a string or a comment.
bool isInText(const Text &text, uint32_t offset);

/// An expression that stands in a line which may not be parsed, by itself.
struct Probed {
  /// Of the text with the expression instead of the line, if that was
  /// needed; what is below is of it then.
  std::unique_ptr<Analysis> own;
  const Analysis *analysis = nullptr;
  const Symbol *symbol = nullptr; ///< what it names
  const Symbol *klass = nullptr;  ///< the class of its value
  sema::TypeRef type = nullptr;   ///< of its value
  /// Of `x.norm`: the type of `x`.
  sema::TypeRef baseType = nullptr;
};
/// What an expression of names and dots, calls and indices is at a place.
Probed probe(Documents &documents, Document &document, uint32_t offset,
             llvm::StringRef expr);

/// What fits at a place.
std::vector<protocol::CompletionItem>
completionsAt(Documents &documents, Document &document,
              protocol::Position position, World &world, const Words &words);

/// The parameters of the call at a place; none if there is no call, or nothing
/// is known of it.
std::optional<protocol::SignatureHelp> signatureAt(Documents &documents,
                                                   Document &document,
                                                   protocol::Position position,
                                                   const Words &words);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_TYPING_H
