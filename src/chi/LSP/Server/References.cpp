//===- References.cpp - Where a symbol is named ---------------------------===//
#include "chi/LSP/Server/References.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace chi;
using namespace chi::lsp;
using llvm::StringRef;

/// More files than these are not searched for names.
static constexpr size_t kMostFiles = 2000;

/// Whether the text has a name, as a word.
static bool hasWord(StringRef text, StringRef word) {
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    bool begins = at == 0 || !isOfName(text[at - 1]);
    size_t end = at + word.size();
    if (begins && (end == text.size() || !isOfName(text[end])))
      return true;
  }
  return false;
}

/// The declaration at a place of a file; null if there is none in the program.
static const Symbol *declaredAt(const Analysis &analysis,
                                const std::string &path, uint32_t begin) {
  auto file = analysis.hasNames() ? analysis.fileOf(path) : std::nullopt;
  const Use *use = file ? analysis.names().useAt(*file, begin) : nullptr;
  bool isIt =
      use && use->range.begin == begin && use->symbol->range.begin == begin;
  return isIt ? use->symbol : nullptr;
}

void References::addFrom(const Analysis &analysis, const std::string &path,
                         uint32_t begin, std::vector<Reference> &found) {
  const Symbol *symbol = declaredAt(analysis, path, begin);
  if (!symbol)
    return;
  for (const Use &use : analysis.names().usesOf(symbol)) {
    auto location = locationOf(analysis, use.range);
    bool isKnown = !location || llvm::any_of(found, [&](const Reference &each) {
      return each.location == *location;
    });
    if (!isKnown)
      found.push_back({*location, use.isWrite, use.range == symbol->range});
  }
}

void References::eachAnalysis(
    const Symbol &symbol, llvm::function_ref<void(const Analysis &)> visit) {
  std::set<std::string> seen;
  for (auto &[path, document] : documents.all()) {
    seen.insert(path);
    if (hasWord(document.text.str(), symbol.name))
      visit(documents.analyze(document));
  }
  for (const std::string &folder : folders)
    for (const std::string &file : world.filesIn(folder, kMostFiles)) {
      std::string path = plainPath(file);
      auto text = seen.insert(path).second ? world.read(path) : std::nullopt;
      if (text && hasWord(*text, symbol.name))
        visit(*documents.analyzeAs(path, std::move(*text)));
    }
}

std::vector<Reference> References::inFile(const Place &place,
                                          const Symbol &symbol) {
  std::vector<Reference> found;
  for (const Use &use : place.analysis->names().usesOf(&symbol))
    if (use.range.file == place.file)
      if (auto location = locationOf(*place.analysis, use.range))
        found.push_back({*location, use.isWrite, use.range == symbol.range});
  return found;
}

std::vector<Reference> References::to(const Place &place,
                                      const Symbol &symbol) {
  // Copies: the analysis of the place may be made again.
  std::string path = place.analysis->pathOf(symbol.range.file);
  uint32_t begin = symbol.range.begin;
  std::vector<Reference> found;
  addFrom(*place.analysis, path, begin, found);
  eachAnalysis(symbol, [&](const Analysis &analysis) {
    addFrom(analysis, path, begin, found);
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Rename
//===----------------------------------------------------------------------===//

static llvm::Error refuse(const llvm::Twine &why) {
  return llvm::make_error<protocol::LSPError>(
      why.str(), protocol::ErrorCode::RequestFailed);
}

/// Names that a statement or an expression begins with.
static bool isKeyword(StringRef name) {
  static constexpr StringRef kKeywords[] = {
      "and",   "as",   "assert",  "async", "await", "break",  "class",
      "const", "def",  "del",     "elif",  "else",  "except", "continue",
      "False", "for",  "finally", "from",  "if",    "global", "import",
      "in",    "is",   "lambda",  "None",  "or",    "not",    "nonlocal",
      "param", "pass", "raise",   "True",  "try",   "return", "while",
      "with",  "yield"};
  return llvm::is_contained(kKeywords, name);
}

static bool isName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, isOfName) && !isKeyword(name);
}

llvm::Expected<const Symbol *> References::symbolToRename(const Place &place) {
  if (!place.analysis || place.analysis->mainFile() != 0)
    return refuse("the syntax errors have to go first: there may be uses in "
                  "these lines");
  const Use *use = place.use();
  if (!use) {
    uint32_t begin = 0;
    StringRef word =
        place.analysis->textOf(place.file).wordAt(place.offset, begin);
    if (words.find(word))
      return refuse("`" + word + "` is built in");
    return refuse("there is no name to change");
  }
  const Symbol &symbol = *use->symbol;
  std::string path = place.analysis->pathOf(symbol.range.file);
  if (StringRef(path).starts_with(plainPath(world.standardFolder())))
    return refuse("`" + symbol.name + "` is of the standard library");
  if (symbol.kind == Symbol::Module)
    return refuse("`" + symbol.name + "` is the name of a file");
  if (symbol.name.starts_with("__") || place.analysis->names().isSelf(&symbol))
    return refuse("`" + symbol.name + "` has a meaning of its own");
  if (symbol.isUnknownImport())
    return refuse("`" + symbol.name + "` is built in, or is not found");
  return &symbol;
}

llvm::Expected<protocol::Range> References::renamable(const Place &place) {
  auto symbol = symbolToRename(place);
  if (!symbol)
    return symbol.takeError();
  SourceRange range = place.use()->range;
  return place.analysis->textOf(range.file).range(range.begin, range.end);
}

/// What another name would clash with in an analysis; "" if nothing does.
std::string References::conflict(const Analysis &analysis, const Symbol &symbol,
                                 StringRef name) {
  const Names &names = analysis.names();
  auto lineOf = [&](SourceRange range) {
    return llvm::sys::path::filename(analysis.pathOf(range.file)).str() + ":" +
           std::to_string(analysis.textOf(range.file).lineOf(range.begin) + 1);
  };
  if (symbol.owner) {
    if (symbol.owner->members->names.count(name))
      return "`" + symbol.owner->name.str() + "` has a member `" + name.str() +
             "`";
    for (const ast::AttributeExpr *each : names.unknownMembers())
      if (each->name == symbol.name)
        return "whether " + lineOf(each->nameRange) +
               " is a use is unknown: nothing calls that code";
    return "";
  }
  for (const Use &use : names.usesOf(&symbol)) {
    const Scope *scope = names.scopeAt(use.range.file, use.range.begin);
    if (scope && scope->find(name))
      return "`" + name.str() + "` is another name at " + lineOf(use.range);
  }
  return "";
}

llvm::Expected<protocol::WorkspaceEdit>
References::rename(const Place &place, const std::string &name) {
  auto found = symbolToRename(place);
  if (!found)
    return found.takeError();
  const Symbol &symbol = **found;
  if (!isName(name))
    return refuse("`" + name + "` is no name");
  if (!symbol.owner && words.find(name))
    return refuse("`" + name + "` is built in");
  std::string path = place.analysis->pathOf(symbol.range.file), problem;
  uint32_t begin = symbol.range.begin;
  std::vector<Reference> references;
  auto visit = [&](const Analysis &analysis) {
    const Symbol *same = declaredAt(analysis, path, begin);
    if (!same || !problem.empty())
      return;
    problem = analysis.mainFile() != 0
                  ? "there are syntax errors in " +
                        analysis.pathOf(analysis.mainFile())
                  : conflict(analysis, *same, name);
    addFrom(analysis, path, begin, references);
  };
  visit(*place.analysis);
  eachAnalysis(symbol, visit);
  if (!problem.empty())
    return refuse(problem);
  protocol::WorkspaceEdit edit;
  for (const Reference &each : references)
    edit.changes[each.location.uri.uri().str()].push_back(
        {each.location.range, name});
  return edit;
}
