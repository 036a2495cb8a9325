//===- Describe.cpp - A symbol in words -----------------------------------===//
#include "chi/LSP/Server/Describe.h"
#include "chi/Doc/DocText.h"
#include "chi/Doc/Signatures.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

std::string lsp::codeBlock(StringRef code) {
  return "```chi\n" + code.str() + "\n```\n";
}

std::string lsp::typesText(llvm::ArrayRef<sema::TypeRef> types) {
  std::string text;
  for (sema::TypeRef type : types)
    text += (text.empty() ? "" : " | ") + type->str();
  return text;
}

/// A variable, parameter or member, with its types.
static std::string variableHead(const Analysis &analysis, const Symbol &symbol,
                                const ast::Expr *use) {
  std::string types = typesText(analysis.facts.typesOf(symbol.range));
  sema::TypeRef ofUse = use ? analysis.facts.typeOf(use) : nullptr;
  if (types.empty() && ofUse)
    types = ofUse->str();
  // A generic class knows what is written.
  auto *member = llvm::dyn_cast_or_null<ast::AnnAssignStmt>(symbol.stmt);
  if (types.empty() && member)
    types = analysis.sources.text(member->type->range).str();
  return symbol.name.str() + (types.empty() ? "" : ": " + types);
}

std::string lsp::headOf(const Analysis &analysis, const Symbol &symbol,
                        const ast::Expr *use) {
  std::string types = typesText(analysis.facts.typesOf(symbol.range));
  switch (symbol.kind) {
  case Symbol::Module:
    return "import " + symbol.path;
  case Symbol::Alias:
    return symbol.target
               ? headOf(analysis, *symbol.target, use)
               : "from " + symbol.path + " import " + symbol.name.str();
  case Symbol::Function:
  case Symbol::Class:
  case Symbol::Param:
  case Symbol::Type:
    return doc::signature(analysis.sources, symbol.stmt, symbol.name);
  case Symbol::Const: {
    auto *decl = llvm::cast<ast::ConstStmt>(symbol.stmt);
    std::string type = decl->type || types.empty() ? "" : "  # " + types;
    return doc::signature(analysis.sources, decl, symbol.name) + type;
  }
  case Symbol::TypeParameter:
    return symbol.name.str();
  case Symbol::Variable:
  case Symbol::Parameter:
  case Symbol::Member:
    return variableHead(analysis, symbol, use);
  }
  llvm_unreachable("kind of symbol");
}

std::string lsp::docOf(const Analysis &analysis, const Symbol &symbol) {
  const Symbol &decl = *symbol.declaration();
  if (auto *function = llvm::dyn_cast_or_null<ast::FunctionStmt>(decl.stmt))
    return doc::markdown(function->doc);
  if (auto *klass = llvm::dyn_cast_or_null<ast::ClassStmt>(decl.stmt))
    return doc::markdown(klass->doc);
  if (auto *param = llvm::dyn_cast_or_null<ast::ParamStmt>(decl.stmt))
    return param->doc.str();
  if (decl.kind == Symbol::Module && decl.members)
    for (const ast::Module *module : analysis.names().modules())
      if (module->file == decl.members->file)
        return doc::markdown(module->doc);
  return "";
}

/// Of a generic function, or one without a written result: what it was called
/// with.
static std::string instancesText(const Analysis &analysis,
                                 const Symbol &symbol) {
  auto *function = llvm::dyn_cast_or_null<ast::FunctionStmt>(symbol.stmt);
  if (!function)
    return "";
  bool isWritten = function->returnType != nullptr;
  for (const ast::Parameter &each : function->params)
    isWritten &= each.type != nullptr;
  std::string text;
  for (const std::string &each : analysis.facts.instancesOf(function))
    text += (text.empty() ? "" : ", ") + ("`" + each + "`");
  return isWritten || text.empty() ? "" : "\n" + text + "\n";
}

std::string lsp::describe(const Analysis &analysis, const Symbol &symbol,
                          const ast::Expr *use) {
  const Symbol &decl = *symbol.declaration();
  std::string text = codeBlock(headOf(analysis, decl, use));
  if (decl.owner)
    text += "\n" +
            std::string(decl.kind == Symbol::Member ? "member" : "method") +
            " of `" + decl.owner->name.str() + "`\n";
  text += instancesText(analysis, decl);
  std::string doc = docOf(analysis, decl);
  return text + (doc.empty() ? "" : "\n" + doc);
}
