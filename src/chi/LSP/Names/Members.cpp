//===- Members.cpp - The names behind a dot, and keywords of calls --------===//
#include "chi/AST/Walk.h"
#include "chi/LSP/Names/Resolver.h"
#include "llvm/ADT/STLExtras.h"

using namespace chi;
using namespace chi::lsp;

void Resolver::finish() {
  // Inner ones first: `a.b` of `a.b.c`.
  llvm::sort(attributes, [](auto &a, auto &b) {
    return std::pair(a.first->range.file, a.first->nameRange.begin) <
           std::pair(b.first->range.file, b.first->nameRange.begin);
  });
  for (auto &[attribute, scope] : attributes)
    resolveMember(attribute, scope);
  for (const ast::CallExpr *call : calls)
    resolveKeywords(call);
}

/// What `m.name` is if `m` is a module; also `a.b` itself of `a.b.name`.
Symbol *Resolver::memberOfModule(const ast::AttributeExpr *attribute,
                                 Scope *scope) {
  std::string base = ast::dottedName(attribute->base);
  Symbol *module = base.empty() ? nullptr : scope->find(base);
  if (module && module->kind == Symbol::Module && module->members) {
    auto found = module->members->names.find(attribute->name);
    if (found != module->members->names.end())
      return found->second;
  }
  std::string whole = ast::dottedName(attribute);
  Symbol *itself = whole.empty() ? nullptr : scope->find(whole);
  return itself && itself->kind == Symbol::Module ? itself : nullptr;
}

void Resolver::resolveMember(const ast::AttributeExpr *attribute,
                             Scope *scope) {
  Symbol *symbol = memberOfModule(attribute, scope);
  Symbol *klass = symbol ? nullptr : names.classOf(attribute->base);
  if (klass && klass->members) {
    auto found = klass->members->names.find(attribute->name);
    if (found != klass->members->names.end())
      symbol = found->second;
  }
  if (symbol) {
    names.named[attribute] = symbol;
    addUse(attribute->nameRange, symbol);
    return;
  }
  Symbol *base = names.symbolOf(attribute->base);
  bool isKnown = klass || facts.typeOf(attribute->base) ||
                 (base && (base->kind == Symbol::Module ||
                           !facts.typesOf(base->range).empty()));
  if (!isKnown)
    names.unknown.push_back(attribute);
}

/// `f(x=1)`, `P(x=1)`
void Resolver::resolveKeywords(const ast::CallExpr *call) {
  Symbol *named = names.symbolOf(call->callee);
  const Symbol *callee = named ? named->declaration() : nullptr;
  if (!callee)
    return;
  if (callee->kind == Symbol::Class && callee->members) {
    auto made = callee->members->names.find("__init__");
    bool isMade = made != callee->members->names.end();
    for (const ast::Argument &each : call->args) {
      auto found = callee->members->names.find(each.keyword);
      if (!isMade && found != callee->members->names.end() &&
          !each.keyword.empty())
        addUse(each.keywordRange, found->second);
    }
    if (isMade)
      callee = made->second;
  }
  auto *function = llvm::dyn_cast_or_null<ast::FunctionStmt>(callee->stmt);
  if (!function)
    return;
  for (const ast::Argument &each : call->args)
    for (const ast::Parameter &parameter : function->params)
      if (!each.keyword.empty() && parameter.name == each.keyword)
        if (Symbol *known = parameters.lookup(&parameter))
          addUse(each.keywordRange, known);
}
