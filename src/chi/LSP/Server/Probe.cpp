//===- Probe.cpp - What stands in a line that is not done -----------------===//
#include "chi/LSP/Server/Repair.h"
#include "chi/LSP/Server/Typing.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

namespace {
/// Reads strings, comments and brackets from the beginning of a text.
class Scanner {
public:
  Scanner(StringRef text, size_t end) : text(text), end(end) {}
  void run();
  std::vector<size_t> brackets; ///< those that are open
  bool isInText = false;

private:
  size_t skipString(size_t at);
  StringRef text;
  size_t end;
};
} // namespace

/// The first byte behind the string that begins at `at`.
size_t Scanner::skipString(size_t at) {
  StringRef three = text.substr(at, 3);
  bool isLong = three == "\"\"\"" || three == "'''";
  StringRef quote = isLong ? three : text.substr(at, 1);
  for (size_t k = at + quote.size(); k < text.size(); ++k) {
    if (text[k] == '\\')
      ++k;
    else if (text.substr(k).starts_with(quote))
      return k + quote.size();
    else if (!isLong && text[k] == '\n')
      return k;
  }
  return text.size() + 1;
}

void Scanner::run() {
  for (size_t at = 0; at < end;) {
    char c = text[at];
    if (c == '"' || c == '\'' || c == '#') {
      size_t next = c == '#' ? text.find('\n', at) : skipString(at);
      // Behind the last character of a comment one still writes it.
      isInText = next > end || (c == '#' && next == end);
      if (isInText)
        return;
      at = std::min(next, text.size());
      continue;
    }
    if (StringRef("([{").contains(c))
      brackets.push_back(at);
    else if (StringRef(")]}").contains(c) && !brackets.empty())
      brackets.pop_back();
    ++at;
  }
}

bool lsp::isInText(const Text &text, uint32_t offset) {
  Scanner scanner(text.str(), offset);
  scanner.run();
  return scanner.isInText;
}

std::optional<OpenCall> lsp::openCallAt(const Text &text, uint32_t offset) {
  Scanner scanner(text.str(), offset);
  scanner.run();
  StringRef all = text.str();
  while (!scanner.brackets.empty()) {
    size_t at = scanner.brackets.back();
    scanner.brackets.pop_back();
    StringRef callee = all[at] == '(' ? exprBefore(text, at) : StringRef();
    if (callee.empty() || !isOfName(callee.back()))
      continue;
    OpenCall call;
    call.paren = at;
    call.callee = callee;
    size_t begin = at + 1;
    int depth = 0;
    for (size_t k = at + 1; k < offset; ++k) {
      depth += StringRef("([{").contains(all[k]);
      depth -= StringRef(")]}").contains(all[k]);
      if (all[k] == ',' && depth == 0)
        ++call.argument, begin = k + 1;
    }
    StringRef written = all.slice(begin, offset).ltrim();
    auto [word, value] = written.split('=');
    if (word.size() < written.size() && !value.starts_with("="))
      call.keyword = word.rtrim();
    return call;
  }
  return std::nullopt;
}

/// The parts of names and dots alone; none of other expressions.
static Symbol *findDotted(const Scope *scope, StringRef expr) {
  if (!scope)
    return nullptr;
  if (Symbol *whole = scope->find(expr))
    return whole;
  auto [base, name] = expr.rsplit('.');
  Symbol *module = name.empty() ? nullptr : scope->find(base);
  if (!module || module->kind != Symbol::Module || !module->members)
    return nullptr;
  auto found = module->members->names.find(name);
  return found == module->members->names.end() ? nullptr : found->second;
}

Probed lsp::probe(Documents &documents, Document &document, uint32_t offset,
                  StringRef expr) {
  Probed found;
  Analysis &analysis = documents.analyze(document);
  if (analysis.hasNames()) {
    const Scope *scope = analysis.names().scopeAt(analysis.mainFile(), offset);
    Symbol *symbol = findDotted(scope, expr);
    bool isOfItself = symbol && (symbol->declaration()->stmt ||
                                 symbol->kind == Symbol::Module);
    if (isOfItself) { // a variable may have another type elsewhere
      found.analysis = &analysis;
      found.symbol = symbol;
      return found;
    }
  }
  size_t line = document.text.lineOf(offset);
  Probe text = probeLine(document.text, line, expr);
  found.own = documents.analyzeAs(plainPath(document.uri.file()), text.text);
  found.analysis = found.own.get();
  if (!found.own->hasNames())
    return found;
  const Names &names = found.own->names();
  const ast::Expr *own =
      names.exprAt({found.own->mainFile(), text.begin, text.end});
  if (!own)
    return found;
  found.symbol = names.symbolOf(own);
  found.klass = names.classOf(own);
  found.type = found.own->facts.typeOf(own);
  if (auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(own))
    found.baseType = found.own->facts.typeOf(attribute->base);
  if (!found.type && found.symbol)
    for (sema::TypeRef type : found.own->facts.typesOf(found.symbol->range))
      found.type = type;
  return found;
}
