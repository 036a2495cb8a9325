//===- Documents.cpp - What the editor has open ---------------------------===//
#include "chi/LSP/Server/Documents.h"

using namespace chi;
using namespace chi::lsp;

static std::string pathOf(const protocol::URIForFile &uri) {
  return plainPath(uri.file());
}

Document &Documents::open(const protocol::URIForFile &uri, int64_t version,
                          std::string text) {
  Document &document = documents[pathOf(uri)];
  document.uri = uri;
  document.version = version;
  document.text = Text(std::move(text));
  changed(document);
  return document;
}

/// Whether the program of a document has another file in it, or may have: what
/// is not found may be that file.
static bool mayHave(const Document &document, const std::string &path) {
  return !document.analysis || document.analysis->fileOf(path) ||
         llvm::any_of(document.analysis->diagnostics(), [](auto &each) {
           return each.code == diag::ModuleNotFound.code;
         });
}

void Documents::changed(Document &document) {
  std::string path = pathOf(document.uri);
  texts[path] = document.text.str();
  outdate(path);
}

void Documents::outdate(const std::string &path) {
  for (auto &[name, other] : documents)
    if (name == path || mayHave(other, path)) {
      other.isStale = true;
      other.isShown = false;
    }
}

void Documents::close(const std::string &path) {
  outdate(path); // what is on the disk holds again
  texts.erase(path);
  documents.erase(path);
}

Document *Documents::find(const std::string &path) {
  auto found = documents.find(path);
  return found == documents.end() ? nullptr : &found->second;
}

std::unique_ptr<Analysis> Documents::analyzeAs(const std::string &path,
                                               std::string text) {
  return std::make_unique<Analysis>(world, texts, path, std::move(text));
}

Analysis &Documents::analyze(Document &document) {
  if (!document.isStale)
    return *document.analysis;
  std::unique_ptr<Analysis> before = std::move(document.analysis);
  document.analysis = analyzeAs(pathOf(document.uri), document.text.str());
  document.isStale = false;
  if (document.analysis->hasNames())
    document.lastGood.reset();
  else if (before && before->hasNames())
    document.lastGood = std::move(before);
  return *document.analysis;
}

/// The place in an older text that is the same as one in a newer: what is
/// before and behind the change has moved with it.
static uint32_t placeInOlder(llvm::StringRef newer, llvm::StringRef older,
                             uint32_t offset) {
  size_t most = std::min(newer.size(), older.size()), same = 0, tail = 0;
  while (same < most && newer[same] == older[same])
    ++same;
  while (tail < most - same &&
         newer[newer.size() - 1 - tail] == older[older.size() - 1 - tail])
    ++tail;
  if (offset <= same)
    return offset;
  if (offset >= newer.size() - tail)
    return uint32_t(offset + older.size() - newer.size());
  return uint32_t(same);
}

Place Documents::placeAt(Document &document, protocol::Position position) {
  Analysis &analysis = analyze(document);
  uint32_t offset = document.text.offset(position);
  if (analysis.hasNames())
    return {&analysis, analysis.mainFile(), offset};
  if (!document.lastGood)
    return {};
  const Analysis &good = *document.lastGood;
  uint32_t file = good.mainFile();
  return {&good, file,
          placeInOlder(document.text.str(), good.textOf(file).str(), offset)};
}
