//===- Doc.cpp - The reference of a module --------------------------------===//
#include "chi/Doc/Doc.h"
#include "chi/Doc/DocText.h"
#include "chi/Doc/Members.h"
#include "chi/Doc/Signatures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/Twine.h"

using namespace chi;
using namespace chi::doc;
using llvm::StringRef;

namespace {
/// The kinds of names, in the order of their sections.
struct Section {
  StringRef title;
  std::vector<ast::StmtKind> kinds;
};
} // namespace

static std::vector<Section> sections() {
  return {
      {"Params", {ast::StmtKind::Param}},
      {"Constants and types", {ast::StmtKind::Const, ast::StmtKind::TypeAlias}},
      {"Functions", {ast::StmtKind::Function}},
      {"Classes", {ast::StmtKind::Class}}};
}

static std::string codeBlock(const std::string &code) {
  return "```python\n" + code + "\n```\n";
}

/// A heading, a signature, and what the docstring says.
static std::string entry(const SourceFiles &sources, StringRef heading,
                         const ast::Stmt *stmt, StringRef name, StringRef doc) {
  std::string text =
      "\n" + heading.str() + "\n\n" + codeBlock(signature(sources, stmt, name));
  std::string words = markdown(doc);
  return text + (words.empty() ? "" : "\n" + words);
}

/// The methods of a class. Operators stand in its signature, and have an entry
/// only if they have a docstring.
static std::string methods(const SourceFiles &sources, StringRef className,
                           const ast::ClassStmt &klass) {
  std::string text;
  for (const ast::Stmt *stmt : klass.body) {
    auto *method = llvm::dyn_cast<ast::FunctionStmt>(stmt);
    bool isOperator = method && method->name.starts_with("__");
    if (!method || (isOperator ? method->doc.empty() : !isPublic(method->name)))
      continue;
    std::string heading =
        (llvm::Twine("#### `") + className + "." + method->name + "`").str();
    text += entry(sources, heading, stmt, method->name, method->doc);
  }
  return text;
}

/// A list of the names with the first sentence on each.
static std::string overview(llvm::ArrayRef<Member> members) {
  std::string text;
  llvm::SmallSet<StringRef, 16> seen;
  for (const Member &each : members) {
    if (!seen.insert(each.name).second)
      continue;
    std::string words = summary(each.doc);
    text += (llvm::Twine("- [`") + each.name + "`](#" + each.name.lower() + ")")
                .str() +
            (words.empty() ? "" : ": " + words) + "\n";
  }
  return text;
}

Page chi::doc::describe(const SourceFiles &sources, StringRef name,
                        const ast::Module &module, Finder find) {
  Page page;
  page.name = name.str();
  page.summary = summary(module.doc);
  page.text = "# `" + page.name + "`\n";
  std::string words = markdown(module.doc);
  page.text += words.empty() ? "" : "\n" + words;
  std::vector<Member> members =
      membersOf(name, sources, module, find, page.parts);
  std::vector<Member> ordered;
  std::string body;
  for (const Section &section : sections()) {
    std::string entries;
    for (const Member &each : members) {
      if (!llvm::is_contained(section.kinds, each.stmt->kind))
        continue;
      ordered.push_back(each);
      std::string heading = (llvm::Twine("### `") + each.name + "`").str();
      entries += entry(sources, heading, each.stmt, each.name, each.doc);
      if (auto *klass = llvm::dyn_cast<ast::ClassStmt>(each.stmt))
        entries += methods(sources, each.name, *klass);
    }
    if (!entries.empty())
      body += "\n## " + section.title.str() + "\n" + entries;
  }
  if (ordered.size() > 1)
    page.text += "\n" + overview(ordered);
  page.text += body;
  return page;
}

std::string chi::doc::index(llvm::ArrayRef<Page> pages) {
  std::string text = "# Modules\n\n"
                     "`chic doc` writes these pages from the docstrings of the "
                     "modules.\n\n";
  for (const Page &page : pages)
    text += "- [`" + page.name + "`](" + page.name + ".md)" +
            (page.summary.empty() ? "" : ": " + page.summary) + "\n";
  return text;
}
