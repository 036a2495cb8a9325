//===- Context.h - Memory of a syntax tree ----------------------*- C++ -*-===//
#ifndef CHI_AST_CONTEXT_H
#define CHI_AST_CONTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <utility>

namespace chi::ast {

/// Owns the nodes of one or more modules. Nodes are never destroyed one by
/// one, so they hold only plain data: pointers, ArrayRef, StringRef.
class Context {
public:
  /// Allocates a node. It lives as long as the context; its destructor never
  /// runs.
  template <typename T, typename... Args> T *make(Args &&...args) {
    return new (allocator.Allocate<T>()) T(std::forward<Args>(args)...);
  }
  /// Copies a list into the context.
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> from) {
    T *to = allocator.Allocate<T>(from.size());
    std::uninitialized_copy(from.begin(), from.end(), to);
    return {to, from.size()};
  }
  /// Copies a text into the context.
  llvm::StringRef copy(llvm::StringRef from) { return from.copy(allocator); }

private:
  llvm::BumpPtrAllocator allocator;
};

} // namespace chi::ast
#endif // CHI_AST_CONTEXT_H
