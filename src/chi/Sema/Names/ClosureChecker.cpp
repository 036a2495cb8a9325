//===- ClosureChecker.cpp - What nested functions capture -----------------===//
#include "chi/Sema/Names/ClosureChecker.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace chi;
using namespace chi::sema;

/// What captured name `number` of a function gives; false after a report.
bool ClosureChecker::bindOne(const Meaning &function, size_t number,
                             SourceRange range, ArgBinding &binding,
                             Expr *&value) {
  llvm::StringRef name = function.function->captures[number]->name;
  Meaning meaning =
      function.closure ? (*function.closure)[number] : names.lookup(name);
  switch (meaning.kind) {
  case Meaning::Alias:
    meaning.type = program.aliasType(*meaning.alias, range);
    meaning.kind = Meaning::Type;
    [[fallthrough]];
  case Meaning::Function:
  case Meaning::Type:
  case Meaning::Builtin:
  case Meaning::Class:
  case Meaning::Module:
    binding.meaning = meaning;
    return bind(binding, range);
  default:
    break;
  }
  ast::NameExpr read(range);
  read.name = name;
  value = function.closure ? names.valueOf(meaning, name, range)
                           : names.checkName(&read);
  if (isError(value))
    return false;
  if (isConstant(value)) {
    binding.constant = value;
  } else {
    value = build.withDefault(value);
    if (isError(value))
      return false;
  }
  binding.type = value->type;
  return true;
}

bool ClosureChecker::bindCaptured(const Meaning &callee, SourceRange range,
                                  llvm::MutableArrayRef<ArgBinding> bindings,
                                  llvm::MutableArrayRef<Expr *> values,
                                  TypeNames &typeNames) {
  llvm::ArrayRef<const ast::NameExpr *> captures = callee.function->captures;
  size_t first = bindings.size() - captures.size();
  for (auto [k, name] : llvm::enumerate(captures)) {
    ArgBinding &binding = bindings[first + k];
    if (!bindOne(callee, k, range, binding, values[first + k]))
      return false;
    // Annotations have them, too.
    if (binding.meaning.kind == Meaning::Type)
      typeNames[name->name.str()] = binding.meaning;
    else if (binding.constant)
      typeNames[name->name.str()] = boundTo(binding.constant);
  }
  return true;
}

void ClosureChecker::checkDefined(const Meaning &meaning, SourceRange range) {
  if (!meaning.flowKey || state.isAssigned(meaning.flowKey) || !state.reachable)
    return;
  llvm::StringRef name = meaning.function ? meaning.function->ast->name
                                          : builtinText(meaning.builtin);
  diags.report(range, diag::MaybeUnassigned, name)
      .note(meaning.range, diag::DeclaredHere, name)
      .send();
  state.assigned.insert(meaning.flowKey); // once is enough
}

bool ClosureChecker::bind(ArgBinding &binding, SourceRange range) {
  constexpr unsigned kMostNested = 16;
  checkDefined(binding.meaning, range);
  binding.meaning.flowKey = nullptr; // of this body
  const Meaning &function = binding.meaning;
  if (function.kind != Meaning::Function)
    return true;
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (depth > kMostNested) {
    diags.report(range, diag::NestedCycle, function.function->ast->name).send();
    return false;
  }
  for (size_t k = 0; k < function.function->captures.size(); ++k) {
    ArgBinding inner;
    Expr *value = nullptr;
    if (!bindOne(function, k, range, inner, value))
      return false;
    binding.captured.push_back(std::move(inner));
    binding.values.push_back(value);
  }
  return true;
}
