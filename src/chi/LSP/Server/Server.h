//===- Server.h - The language server ---------------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_SERVER_H
#define CHI_LSP_SERVER_SERVER_H

#include "chi/LSP/Server/World.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace chi::lsp {

/// Answers an editor by the language server protocol until it says `exit` or
/// closes the input. Returns the exit status of the protocol: 0 if `shutdown`
/// came before, else 1. `in` should not be buffered, so that the world sees
/// when there is more in it.
int serve(World &world, std::FILE *in, llvm::raw_ostream &out);

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_SERVER_H
