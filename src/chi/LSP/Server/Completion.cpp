//===- Completion.cpp - What fits where one types -------------------------===//
#include "chi/LSP/Server/Describe.h"
#include "chi/LSP/Server/Repair.h"
#include "chi/LSP/Server/Typing.h"
#include "llvm/Support/Path.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;
using Kind = protocol::CompletionItemKind;

static constexpr StringRef kStatementWords[] = {
    "and",    "as",     "assert", "break",  "class", "const", "continue",
    "def",    "elif",   "else",   "False",  "for",   "from",  "if",
    "import", "in",     "is",     "lambda", "not",   "or",    "param",
    "pass",   "return", "test",   "True",   "type",  "while", "with"};

namespace {
/// Gathers what fits at one place.
class Completer {
public:
  Completer(Documents &documents, Document &document, World &world,
            const Words &words, uint32_t offset)
      : documents(documents), document(document), world(world), words(words),
        text(document.text), offset(offset) {
    prefix = text.wordAt(offset, wordBegin).take_front(offset - wordBegin);
  }
  std::vector<protocol::CompletionItem> run();

private:
  void addNames(const Analysis &analysis, const Scope &scope, StringRef rank,
                bool isOfModule = false);
  void addSymbol(const Analysis &analysis, StringRef name, const Symbol &symbol,
                 StringRef rank);
  void addWord(StringRef name, const Word *word, Kind kind, StringRef rank);
  void addMembers(StringRef base);
  void addMembersOfModule(const Analysis &analysis, const Symbol &module);
  void addModules(StringRef typed);
  bool addImports();
  void addParameters();
  void addVisible();

  Documents &documents;
  Document &document;
  World &world;
  const Words &words;
  const Text &text;
  uint32_t offset, wordBegin = 0;
  StringRef prefix;
  std::vector<protocol::CompletionItem> items;
  std::set<std::string> seen;
};
} // namespace

static Kind kindOf(const Symbol &symbol) {
  switch (symbol.declaration()->kind) {
  case Symbol::Module:
    return Kind::Module;
  case Symbol::Function:
    return symbol.declaration()->owner ? Kind::Method : Kind::Function;
  case Symbol::Class:
    return Kind::Class;
  case Symbol::Const:
    return Kind::Constant;
  case Symbol::Type:
  case Symbol::TypeParameter:
    return Kind::TypeParameter;
  case Symbol::Member:
    return Kind::Field;
  default:
    return Kind::Variable;
  }
}

void Completer::addSymbol(const Analysis &analysis, StringRef name,
                          const Symbol &symbol, StringRef rank) {
  if (!name.starts_with(prefix) || !seen.insert(name.str()).second)
    return;
  protocol::CompletionItem &item =
      items.emplace_back(name, kindOf(symbol), (rank + name).str());
  const Symbol &decl = *symbol.declaration();
  item.detail = headOf(analysis, decl);
  std::string doc = docOf(analysis, decl);
  if (!doc.empty())
    item.documentation = {protocol::MarkupKind::Markdown, doc};
}

void Completer::addWord(StringRef name, const Word *word, Kind kind,
                        StringRef rank) {
  if (!name.starts_with(prefix) || !seen.insert(name.str()).second)
    return;
  protocol::CompletionItem &item =
      items.emplace_back(name, kind, (rank + name).str());
  if (!word)
    return;
  item.detail = word->written;
  if (!word->meaning.empty())
    item.documentation = {protocol::MarkupKind::Markdown, word->meaning};
}

/// The names of a scope; of a module those that others see.
void Completer::addNames(const Analysis &analysis, const Scope &scope,
                         StringRef rank, bool isOfModule) {
  for (auto &[name, symbol] : scope.names) {
    bool isHidden = name.contains('.') ||
                    (isOfModule &&
                     (name.starts_with("_") || symbol->kind == Symbol::Module));
    if (!isHidden)
      addSymbol(analysis, name, *symbol, rank);
  }
}

void Completer::addMembersOfModule(const Analysis &analysis,
                                   const Symbol &module) {
  if (module.members)
    return addNames(analysis, *module.members, "1", /*isOfModule=*/true);
  for (StringRef name : words.namesIn(module.path)) {
    const Word *word = words.find((module.path + "." + name).str());
    addWord(name, word ? word : words.find(name), Kind::Function, "1");
  }
}

void Completer::addMembers(StringRef base) {
  Probed found = probe(documents, document, offset, base);
  if (!found.analysis)
    return;
  const Symbol *symbol = found.symbol ? found.symbol->declaration() : nullptr;
  if (symbol && symbol->kind == Symbol::Module)
    return addMembersOfModule(*found.analysis, *symbol);
  if (found.klass && found.klass->members)
    for (auto &[name, member] : found.klass->members->names)
      if (!name.starts_with("__"))
        addSymbol(*found.analysis, name, *member, "1");
  if (!found.type)
    return;
  for (StringRef name : builtinMembers(found.type)) {
    const Word *word = words.findMember(found.type, name);
    bool isData = name.size() == 1 || name == "shape" || name == "grad";
    addWord(name, word, isData ? Kind::Field : Kind::Method, "2");
  }
}

/// The modules of the file's folder and of the standard library, behind the
/// part of a dotted name that is typed.
void Completer::addModules(StringRef typed) {
  std::string own = llvm::sys::path::parent_path(document.uri.file()).str();
  for (const std::string &folder : {own, world.standardFolder()})
    for (const std::string &file : world.filesIn(folder, 500)) {
      StringRef relative = file;
      if (!relative.consume_front(folder) || !relative.consume_back(".chi"))
        continue;
      std::string name = relative.ltrim('/').str();
      std::replace(name.begin(), name.end(), '/', '.');
      StringRef rest = name;
      if (!rest.consume_front(typed) || rest.starts_with("internal"))
        continue;
      addWord(rest.split('.').first, nullptr, Kind::Module, "1");
    }
  for (StringRef name : {"math", "time"})
    if (typed.empty())
      addWord(name, nullptr, Kind::Module, "1");
}

/// `import a.`, `from m import f, `: true if it is such a line.
bool Completer::addImports() {
  uint32_t begin = text.lineBegin(text.lineOf(offset));
  StringRef line = StringRef(text.str()).slice(begin, wordBegin).ltrim();
  bool isFrom = line.consume_front("from ");
  if (!isFrom && !line.consume_front("import "))
    return false;
  size_t names = isFrom ? line.find(" import ") : StringRef::npos;
  if (names == StringRef::npos) {
    addModules(line.rsplit(' ').second.empty() ? line
                                               : line.rsplit(' ').second);
    return true;
  }
  // The module is loaded by a line of its own.
  std::string path = line.take_front(names).trim().str();
  std::string other = "import " + path + "\n";
  auto analysis = documents.analyzeAs(plainPath(document.uri.file()), other);
  if (analysis->hasNames())
    if (const Scope *scope = analysis->names().moduleOf(analysis->mainFile()))
      if (Symbol *module = scope->find(path))
        addMembersOfModule(*analysis, *module);
  return true;
}

/// `f(x, ep`: the names of parameters.
void Completer::addParameters() {
  auto call = openCallAt(text, offset);
  if (!call || !call->keyword.empty())
    return;
  Probed found = probe(documents, document, call->paren, call->callee);
  const Symbol *symbol = found.symbol ? found.symbol->declaration() : nullptr;
  const Scope *members =
      symbol && symbol->kind == Symbol::Class ? symbol->members : nullptr;
  const Symbol *made = members ? members->find("__init__") : nullptr;
  if (made)
    symbol = made;
  else if (members)
    for (auto &[name, member] : members->names)
      if (member->kind == Symbol::Member)
        addWord((name + "=").str(), nullptr, Kind::Property, "0");
  auto *function = symbol
                       ? llvm::dyn_cast_or_null<ast::FunctionStmt>(symbol->stmt)
                       : nullptr;
  if (function)
    for (const ast::Parameter &each : function->params)
      if (each.name != "self")
        addWord((each.name + "=").str(), nullptr, Kind::Property, "0");
}

void Completer::addVisible() {
  Place place = documents.placeAt(document, document.text.position(wordBegin));
  if (place.analysis) {
    const Names &names = place.analysis->names();
    for (const Scope *scope = names.scopeAt(place.file, place.offset); scope;
         scope = scope->parent)
      addNames(*place.analysis, *scope, scope->parent ? "1" : "2");
  }
  for (StringRef name : words.bareNames())
    addWord(name, words.find(name), Kind::Function, "3");
  for (StringRef word : kStatementWords)
    addWord(word, nullptr, Kind::Keyword, "4");
}

std::vector<protocol::CompletionItem> Completer::run() {
  if (isInText(text, offset))
    return {};
  if (addImports())
    return std::move(items);
  if (wordBegin > 0 && text.str()[wordBegin - 1] == '.') {
    StringRef base = exprBefore(text, wordBegin - 1);
    if (!base.empty())
      addMembers(base);
    return std::move(items);
  }
  addParameters();
  addVisible();
  return std::move(items);
}

std::vector<protocol::CompletionItem>
lsp::completionsAt(Documents &documents, Document &document,
                   protocol::Position position, World &world,
                   const Words &words) {
  uint32_t offset = document.text.offset(position);
  return Completer(documents, document, world, words, offset).run();
}
