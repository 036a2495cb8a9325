//===- Lookup.cpp - What stands at a place --------------------------------===//
#include "chi/LSP/Server/Lookup.h"
#include "chi/LSP/Server/Describe.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

std::optional<protocol::Location> lsp::locationOf(const Analysis &analysis,
                                                  SourceRange range) {
  if (!range.isValid())
    return std::nullopt;
  auto uri = protocol::URIForFile::fromFile(analysis.pathOf(range.file));
  if (!uri) {
    llvm::consumeError(uri.takeError());
    return std::nullopt;
  }
  return protocol::Location(
      *uri, analysis.textOf(range.file).range(range.begin, range.end));
}

llvm::json::Value lsp::toValue(const protocol::Location &location) {
  return llvm::json::Object{{"uri", location.uri.uri().str()},
                            {"range", location.range}};
}

/// A name in a line that is not parsed, by the names that hold there.
static NamedHere namedInBrokenLine(const Place &place) {
  const Analysis &analysis = *place.analysis;
  const Text &text = analysis.textOf(place.file);
  size_t line = text.lineOf(place.offset);
  uint32_t first = text.lineBegin(line), last = text.lineEnd(line);
  bool isParsed = analysis.sources.text({place.file, first, last}) ==
                  StringRef(text.str()).slice(first, last);
  uint32_t begin = 0;
  StringRef word = text.wordAt(place.offset, begin);
  bool isMember = begin > 0 && text.str()[begin - 1] == '.';
  const Scope *scope = analysis.names().scopeAt(place.file, place.offset);
  if (isParsed || isMember || word.empty() || !scope)
    return {};
  return {scope->find(word),
          {place.file, begin, uint32_t(begin + word.size())}};
}

NamedHere lsp::namedAt(const Place &place) {
  if (!place.analysis)
    return {};
  if (const Use *use = place.use())
    return {use->symbol, use->range};
  return namedInBrokenLine(place);
}

std::optional<protocol::Location> lsp::definitionAt(const Place &place) {
  NamedHere named = namedAt(place);
  if (!named.symbol)
    return std::nullopt;
  const Symbol &symbol = *named.symbol->declaration();
  if (symbol.kind != Symbol::Module)
    return locationOf(*place.analysis, symbol.range);
  if (!symbol.members) // `math`, `time`
    return std::nullopt;
  return locationOf(*place.analysis, {symbol.members->file, 0, 0});
}

//===----------------------------------------------------------------------===//
// Hover
//===----------------------------------------------------------------------===//

static std::string wordText(StringRef name, const Word &word) {
  std::string written = word.written.empty() ? name.str() : word.written;
  return codeBlock(written) + (word.meaning.empty() ? "" : "\n" + word.meaning);
}

/// `x.norm()`, `x.shape`
static std::string memberText(const Analysis &analysis,
                              const ast::AttributeExpr *expr,
                              const Words &words) {
  const Symbol *base = analysis.names().symbolOf(expr->base);
  bool isModule = base && base->kind == Symbol::Module;
  if (isModule) {
    StringRef module = base->path;
    if (const Word *word = words.find((module + "." + expr->name).str()))
      return wordText(expr->name, *word);
    const Word *word = words.find(expr->name);
    return word ? wordText(expr->name, *word) : "";
  }
  sema::TypeRef type = analysis.facts.typeOf(expr->base);
  sema::TypeRef own = analysis.facts.typeOf(expr);
  std::string text = own ? codeBlock(expr->name.str() + ": " + own->str()) : "";
  const Word *word = type ? words.findMember(type, expr->name) : nullptr;
  return word ? wordText(expr->name, *word) : text;
}

/// Of the innermost expression around the place.
static const ast::Expr *exprAround(const Place &place) {
  return place.analysis->names().exprAround(place.file, place.offset);
}

static std::string textAt(const Place &place, const Words &words,
                          SourceRange &range) {
  const Analysis &analysis = *place.analysis;
  const ast::Expr *expr = exprAround(place);
  NamedHere named = namedAt(place);
  range = named.range;
  bool isBuiltin = named.symbol && named.symbol->kind == Symbol::Alias &&
                   !named.symbol->target;
  if (isBuiltin) // `from math import sin as s`
    if (const Word *word = words.find(named.symbol->imported))
      return wordText(named.symbol->imported, *word);
  if (named.symbol)
    return describe(analysis, *named.symbol, expr);
  auto *attribute = llvm::dyn_cast_or_null<ast::AttributeExpr>(expr);
  if (attribute && place.offset >= attribute->nameRange.begin) {
    range = attribute->nameRange;
    return memberText(analysis, attribute, words);
  }
  auto *name = llvm::dyn_cast_or_null<ast::NameExpr>(expr);
  if (name) {
    range = name->range;
    if (const Word *word = words.find(name->name))
      return wordText(name->name, *word);
  }
  if (!expr)
    return "";
  range = expr->range;
  sema::TypeRef type = analysis.facts.typeOf(expr);
  return type ? codeBlock(type->str()) : "";
}

std::optional<protocol::Hover> lsp::hoverAt(const Place &place,
                                            const Words &words) {
  if (!place.analysis)
    return std::nullopt;
  SourceRange range;
  std::string text = textAt(place, words, range);
  if (text.empty())
    return std::nullopt;
  protocol::Hover hover(
      place.analysis->textOf(place.file).range(range.begin, range.end));
  hover.contents.value = std::move(text);
  return hover;
}

//===----------------------------------------------------------------------===//
// Outline
//===----------------------------------------------------------------------===//

namespace {
/// Makes the outline of one file.
class Outline {
public:
  explicit Outline(const Analysis &analysis)
      : analysis(analysis), text(analysis.textOf(analysis.mainFile())) {}

  std::vector<protocol::DocumentSymbol> of(ast::Body body, uint32_t end,
                                           bool isClass = false);

private:
  using Kind = protocol::SymbolKind;
  void add(std::vector<protocol::DocumentSymbol> &list, StringRef name,
           Kind kind, SourceRange own, uint32_t begin, uint32_t end);
  void addStmt(std::vector<protocol::DocumentSymbol> &list,
               const ast::Stmt *stmt, uint32_t end, bool isClass);
  uint32_t lastOf(uint32_t begin, uint32_t end) const;

  const Analysis &analysis;
  const Text &text;
};
} // namespace

/// The end of a block that reaches to `end` at most: blank lines and comments
/// behind it are not part of it.
uint32_t Outline::lastOf(uint32_t begin, uint32_t end) const {
  size_t line = text.lineOf(end), first = text.lineOf(begin);
  while (line > first) {
    StringRef written =
        StringRef(text.str())
            .slice(text.lineBegin(line), std::min(text.lineEnd(line), end))
            .trim();
    if (!written.empty() && !written.starts_with("#"))
      break;
    --line;
  }
  return std::max(begin, std::min(end, text.lineEnd(line)));
}

void Outline::add(std::vector<protocol::DocumentSymbol> &list, StringRef name,
                  Kind kind, SourceRange own, uint32_t begin, uint32_t end) {
  if (name.empty() || own.file != analysis.mainFile())
    return;
  begin = std::min(begin, own.begin);
  end = std::max(lastOf(begin, end), own.end);
  list.emplace_back(name, kind, text.range(begin, end),
                    text.range(own.begin, own.end));
  const Symbol *symbol = nullptr;
  if (const Use *use = analysis.names().useAt(own.file, own.begin))
    symbol = use->symbol;
  if (symbol && symbol->range == own && !symbol->stmt)
    list.back().detail = typesText(analysis.facts.typesOf(own));
}

void Outline::addStmt(std::vector<protocol::DocumentSymbol> &list,
                      const ast::Stmt *stmt, uint32_t end, bool isClass) {
  uint32_t begin = stmt->range.begin;
  if (auto *function = llvm::dyn_cast<ast::FunctionStmt>(stmt)) {
    add(list, function->name, isClass ? Kind::Method : Kind::Function,
        function->nameRange, begin, end);
  } else if (auto *klass = llvm::dyn_cast<ast::ClassStmt>(stmt)) {
    add(list, klass->name, Kind::Class, klass->nameRange, begin, end);
    if (!list.empty())
      list.back().children = of(klass->body, end, /*isClass=*/true);
  } else if (auto *test = llvm::dyn_cast<ast::TestStmt>(stmt)) {
    add(list, test->name, Kind::Event, test->nameRange, begin, end);
  } else if (auto *constant = llvm::dyn_cast<ast::ConstStmt>(stmt)) {
    add(list, constant->name, Kind::Constant, constant->nameRange, begin, end);
  } else if (auto *param = llvm::dyn_cast<ast::ParamStmt>(stmt)) {
    add(list, param->name, Kind::Property, param->nameRange, begin, end);
  } else if (auto *alias = llvm::dyn_cast<ast::TypeAliasStmt>(stmt)) {
    add(list, alias->name, Kind::TypeParameter, alias->nameRange, begin, end);
  } else if (auto *member = llvm::dyn_cast<ast::AnnAssignStmt>(stmt)) {
    if (auto *name = llvm::dyn_cast<ast::NameExpr>(member->target))
      add(list, name->name, isClass ? Kind::Field : Kind::Variable, name->range,
          begin, end);
  } else if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
    for (const ast::Expr *target : assign->targets)
      if (auto *name = llvm::dyn_cast<ast::NameExpr>(target)) {
        const Symbol *symbol = analysis.names().symbolOf(target);
        if (symbol && symbol->range == name->range) // its first assignment
          add(list, name->name, Kind::Variable, name->range, begin,
              stmt->range.end);
      }
  }
}

std::vector<protocol::DocumentSymbol> Outline::of(ast::Body body, uint32_t end,
                                                  bool isClass) {
  std::vector<protocol::DocumentSymbol> list;
  for (size_t k = 0; k < body.size(); ++k)
    addStmt(list, body[k], k + 1 < body.size() ? body[k + 1]->range.begin : end,
            isClass);
  return list;
}

std::vector<protocol::DocumentSymbol> lsp::outlineOf(const Analysis &analysis) {
  const Text &text = analysis.textOf(analysis.mainFile());
  return Outline(analysis).of(analysis.module().body,
                              uint32_t(text.str().size()));
}

//===----------------------------------------------------------------------===//
// Fix-its
//===----------------------------------------------------------------------===//

std::vector<protocol::CodeAction> lsp::actionsAt(const Analysis &analysis,
                                                 uint32_t begin, uint32_t end) {
  std::vector<protocol::CodeAction> actions;
  for (const Diagnostic &each : analysis.diagnostics()) {
    bool isHere = analysis.pathOf(each.range.isValid() ? each.range.file : 0) ==
                      analysis.pathOf(0) &&
                  each.range.begin <= end && begin <= each.range.end;
    if (!isHere || each.fixIts.empty())
      continue;
    protocol::CodeAction &action = actions.emplace_back();
    action.kind = protocol::CodeAction::kQuickFix.str();
    action.isPreferred = true;
    action.edit.emplace();
    for (const FixIt &fix : each.fixIts) {
      auto location = locationOf(analysis, fix.range);
      if (location)
        action.edit->changes[location->uri.uri().str()].push_back(
            {location->range, fix.text});
      action.title =
          fix.text.empty()
              ? "remove `" + analysis.sources.text(fix.range).trim().str() + "`"
              : "write `" + StringRef(fix.text).trim().str() + "`";
    }
  }
  return actions;
}
