//===- Signatures.cpp - Declarations without their bodies -----------------===//
#include "chi/Doc/Signatures.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace chi;
using namespace chi::doc;
using llvm::StringRef;

/// The last column of a line of code in a page.
static constexpr size_t maxColumn = 88;

/// An expression as it is written, with single spaces for its line breaks.
static std::string written(const SourceFiles &sources, const ast::Expr *expr) {
  std::string text;
  for (char c : sources.text(expr->range))
    if (!llvm::isSpace(c))
      text += c;
    else if (!text.empty() && text.back() != ' ' && text.back() != '(' &&
             text.back() != '[')
      text += ' ';
  return text;
}

static std::string typeParamsOf(llvm::ArrayRef<ast::TypeParameter> params) {
  std::string text;
  for (const ast::TypeParameter &each : params)
    text += (text.empty() ? "[" : ", ") + each.name.str();
  return text.empty() ? text : text + "]";
}

/// `begin` and the words, each with a comma behind it but the last, on lines
/// that are not too long.
static std::string fill(const std::string &begin,
                        const std::vector<std::string> &words,
                        const std::string &end) {
  constexpr size_t deepest = 28;
  size_t indent = begin.size() <= deepest ? begin.size() : 8;
  std::string text = begin;
  size_t column = begin.size();
  for (size_t k = 0; k < words.size(); ++k) {
    bool isLast = k + 1 == words.size();
    size_t needed = words[k].size() + (isLast ? end.size() : 1);
    if (column + needed > maxColumn && column > indent) {
      text = StringRef(text).rtrim(' ').str() + "\n" + std::string(indent, ' ');
      column = indent;
    }
    text += words[k] + (isLast ? "" : ", ");
    column += words[k].size() + 2;
  }
  return text + end;
}

static std::string parameterText(const SourceFiles &sources,
                                 const ast::Parameter &parameter) {
  std::string text = parameter.name.str();
  if (parameter.type)
    text += ": " + written(sources, parameter.type);
  if (parameter.defaultValue)
    text += (parameter.type ? " = " : "=") +
            written(sources, parameter.defaultValue);
  return text;
}

static std::string functionText(const SourceFiles &sources,
                                const ast::FunctionStmt &function,
                                StringRef name) {
  std::string decorators;
  for (const ast::Expr *each : function.decorators)
    decorators += "@" + written(sources, each) + "\n";
  std::vector<std::string> params;
  for (const ast::Parameter &parameter : function.params)
    params.push_back(parameterText(sources, parameter));
  std::string end = ")";
  if (function.returnType)
    end += " -> " + written(sources, function.returnType);
  std::string begin =
      "def " + name.str() + typeParamsOf(function.typeParams) + "(";
  return decorators + fill(begin, params, end);
}

/// A member of a class, or an operator of it; "" for what is shown elsewhere.
static std::string memberText(const SourceFiles &sources,
                              const ast::Stmt *stmt) {
  if (auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(stmt)) {
    std::string text = written(sources, member->target) + ": " +
                       written(sources, member->type);
    if (member->value)
      text += " = " + written(sources, member->value);
    return StringRef(text).starts_with("_") ? "" : text;
  }
  auto *method = llvm::dyn_cast<ast::FunctionStmt>(stmt);
  if (method && method->name.starts_with("__"))
    return functionText(sources, *method, method->name);
  return "";
}

static std::string classText(const SourceFiles &sources,
                             const ast::ClassStmt &klass, StringRef name) {
  std::string text =
      "class " + name.str() + typeParamsOf(klass.typeParams) + ":";
  bool isEmpty = true;
  for (const ast::Stmt *stmt : klass.body) {
    llvm::SmallVector<StringRef> lines;
    std::string member = memberText(sources, stmt);
    StringRef(member).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      text += "\n    " + line.str();
    isEmpty &= lines.empty();
  }
  return isEmpty ? StringRef(text).drop_back().str() : text;
}

static std::string paramText(const SourceFiles &sources,
                             const ast::ParamStmt &param) {
  std::string text = "param " + param.name.str();
  if (param.type)
    text += ": " + written(sources, param.type);
  if (param.value)
    text += " = " + written(sources, param.value);
  if (param.low && param.high)
    text += " in [" + written(sources, param.low) + ", " +
            written(sources, param.high) + "]";
  std::string choices;
  for (const ast::Expr *each : param.choices)
    choices += (choices.empty() ? " in {" : ", ") + written(sources, each);
  return text + (choices.empty() ? "" : choices + "}");
}

std::string chi::doc::signature(const SourceFiles &sources,
                                const ast::Stmt *stmt, StringRef name) {
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt))
    return functionText(sources, *function, name);
  if (auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt))
    return classText(sources, *klass, name);
  if (auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt))
    return paramText(sources, *param);
  if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt)) {
    std::string text = "const " + name.str();
    if (constant->type)
      text += ": " + written(sources, constant->type);
    return text + " = " + written(sources, constant->value);
  }
  auto *alias = llvm::cast<ast::TypeAliasStmt>(stmt);
  return "type " + name.str() + " = " + written(sources, alias->value);
}
