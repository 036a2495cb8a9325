//===- Facts.cpp - What the checker found out of a text -------------------===//
#include "chi/LSP/Names/Facts.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;
using sema::TypeRef;

/// More types of one generic function's variable tell nobody anything.
static constexpr size_t kMostTypes = 4;

void Facts::startRound() {
  exprs.clear();
  declared.clear();
  instances.clear();
}

void Facts::sawExpr(const ast::Expr *expr, TypeRef type) {
  if (!type->isError())
    exprs[expr] = type;
}

void Facts::sawDeclared(SourceRange range, TypeRef type) {
  auto &known = declared[{range.file, range.begin}];
  if (!type->isError() && known.size() < kMostTypes &&
      !llvm::is_contained(known, type))
    known.push_back(type);
}

void Facts::sawInstance(const ast::FunctionStmt *function,
                        llvm::StringRef display, TypeRef result) {
  std::string text = display.str();
  if (result && result->isError())
    return;
  if (result && !result->isVoid())
    text += " -> " + result->str();
  std::vector<std::string> &known = instances[function];
  if (known.size() < kMostTypes && !llvm::is_contained(known, text))
    known.push_back(text);
}

void Facts::sawClass(const void *identity, const ast::ClassStmt *klass) {
  classes[identity] = klass;
}

llvm::ArrayRef<TypeRef> Facts::typesOf(SourceRange range) const {
  auto found = declared.find({range.file, range.begin});
  return found == declared.end() ? llvm::ArrayRef<TypeRef>()
                                 : llvm::ArrayRef(found->second);
}

const ast::ClassStmt *Facts::classOf(TypeRef type) const {
  if (type && type->isField())
    type = type->element;
  return type && type->isOfClass() ? classes.lookup(type->identity) : nullptr;
}

llvm::ArrayRef<std::string>
Facts::instancesOf(const ast::FunctionStmt *function) const {
  auto found = instances.find(function);
  return found == instances.end() ? llvm::ArrayRef<std::string>()
                                  : llvm::ArrayRef(found->second);
}
