//===- MadeFunctions.cpp - Functions in bodies, and of `key=` -------------===//
// `xs.sort(key=f)`, `sorted(xs, key=f)` and `min(xs, key=f)` mean functions
// that a program could define, too:
//
//   def keys(values, key):
//       return [key(value) for value in values]
//   def min(values, key):
//       made = [key(value) for value in values]
//       return values[made.index(min(made))]
//
// Each has the position of its `key=`, where its errors are reported.
#include "chi/Sema/Names/MadeFunctions.h"

using namespace chi;
using namespace chi::sema;

FunctionDecl &MadeFunctions::nested(
    ModuleScope &module, const ast::FunctionStmt *stmt,
    llvm::function_ref<std::vector<const ast::NameExpr *>()> captures) {
  std::unique_ptr<Nested> &slot = functions[stmt];
  if (slot)
    return slot->decl;
  slot.reset(new Nested{{}, *stmt, stmt->params.vec()});
  FunctionDecl &decl = slot->decl;
  decl.captures = captures();
  for (const ast::NameExpr *name : decl.captures) {
    ast::Parameter parameter;
    parameter.name = name->name;
    parameter.nameRange = name->range;
    slot->params.push_back(parameter);
  }
  slot->stmt.params = slot->params;
  decl.ast = &slot->stmt;
  decl.module = &module;
  decl.isNested = true;
  return decl;
}

namespace {
/// Makes syntax with one position.
class SyntaxMaker {
public:
  SyntaxMaker(ast::Context &context, SourceRange range)
      : context(context), range(range) {}

  template <typename T> T *make() { return context.make<T>(range); }
  template <typename T> llvm::ArrayRef<T> keep(std::initializer_list<T> parts) {
    return context.copy(llvm::ArrayRef<T>(parts));
  }
  ast::Expr *name(llvm::StringRef text) {
    auto *name = make<ast::NameExpr>();
    name->name = text;
    return name;
  }
  ast::Expr *call(ast::Expr *callee, ast::Expr *value) {
    auto *call = make<ast::CallExpr>();
    ast::Argument argument;
    argument.value = value;
    call->callee = callee;
    call->args = keep({argument});
    return call;
  }
  ast::Expr *keys();
  ast::Stmt *give(ast::Expr *value) {
    auto *result = make<ast::ReturnStmt>();
    result->value = value;
    return result;
  }
  llvm::ArrayRef<ast::Stmt *> best(llvm::StringRef builtin);

private:
  ast::Context &context;
  SourceRange range;
};
} // namespace

ast::Expr *SyntaxMaker::keys() {
  auto *collected = make<ast::CollectedExpr>();
  collected->value = call(name("key"), name("value"));
  auto *kept = make<ast::ExprStmt>();
  kept->value = collected;
  auto *loop = make<ast::ForStmt>();
  loop->targets = keep({name("value")});
  loop->iterable = name("values");
  loop->body = keep<ast::Stmt *>({kept});
  auto *list = make<ast::ComprehensionExpr>();
  list->loop = keep<ast::Stmt *>({loop});
  return list;
}

llvm::ArrayRef<ast::Stmt *> SyntaxMaker::best(llvm::StringRef builtin) {
  auto *assign = make<ast::AssignStmt>();
  assign->targets = keep({name("made")});
  assign->value = keys();
  auto *index = make<ast::AttributeExpr>();
  index->base = name("made");
  index->name = "index";
  index->nameRange = range;
  auto *element = make<ast::SubscriptExpr>();
  element->base = name("values");
  element->indices = keep({call(index, call(name(builtin), name("made")))});
  return keep<ast::Stmt *>({assign, give(element)});
}

FunctionDecl &MadeFunctions::byKey(ModuleScope &module, SourceRange range,
                                   KeyFunction what) {
  FunctionDecl *&slot = keyFunctions[{range.file, range.begin}];
  if (slot)
    return *slot;
  SyntaxMaker syntax(keySyntax, range);
  auto *function = syntax.make<ast::FunctionStmt>();
  function->name = what == Keys ? "keys" : what == Least ? "min" : "max";
  function->nameRange = range;
  ast::Parameter values, key;
  values.name = "values";
  key.name = "key";
  values.nameRange = key.nameRange = range;
  function->params = syntax.keep({values, key});
  function->body = what == Keys
                       ? syntax.keep<ast::Stmt *>({syntax.give(syntax.keys())})
                       : syntax.best(function->name);
  slot = &nested(module, function,
                 [] { return std::vector<const ast::NameExpr *>(); });
  // `min` in its body is the built-in function.
  slot->isNested = false;
  return *slot;
}
