//===- Documents.h - What the editor has open -------------------*- C++ -*-===//
#ifndef CHI_LSP_SERVER_DOCUMENTS_H
#define CHI_LSP_SERVER_DOCUMENTS_H

#include "chi/LSP/Server/Analysis.h"
#include <set>

namespace chi::lsp {

/// A file that is open.
struct Document {
  protocol::URIForFile uri;
  int64_t version = 0;
  Text text;
  /// Of the text, or of an earlier one if it changed since.
  std::unique_ptr<Analysis> analysis;
  bool isStale = true; ///< the text, or what it imports, changed
  /// The last one with names, if `analysis` has none.
  std::unique_ptr<Analysis> lastGood;
  /// Whether the editor has the diagnostics of the text as it is.
  bool isShown = false;
};

/// A place in an analysis.
struct Place {
  const Analysis *analysis = nullptr; ///< null: nothing is known of the text
  uint32_t file = 0, offset = 0;
  /// The use at the place, or null.
  const Use *use() const {
    return analysis ? analysis->names().useAt(file, offset) : nullptr;
  }
};

/// The open files, each a program of its own.
class Documents {
public:
  explicit Documents(World &world) : world(world) {}

  /// Opens a file, or gives an open one another text.
  Document &open(const protocol::URIForFile &uri, int64_t version,
                 std::string text);
  /// To be called when a document's text was changed.
  void changed(Document &document);
  void close(const std::string &path);
  /// To be called when a file changed, here or on the disk.
  void outdate(const std::string &path);
  /// The open file of that path; null if it is not open.
  Document *find(const std::string &path);
  /// The files, by path.
  std::map<std::string, Document> &all() { return documents; }

  /// The analysis of the text as it is now.
  Analysis &analyze(Document &document);
  /// An analysis of another text instead of the file's.
  std::unique_ptr<Analysis> analyzeAs(const std::string &path,
                                      std::string text);
  /// A position in the analysis of a document, or in the last one that has
  /// names.
  Place placeAt(Document &document, protocol::Position position);

private:
  World &world;
  std::map<std::string, Document> documents;
  OpenTexts texts;
};

} // namespace chi::lsp
#endif // CHI_LSP_SERVER_DOCUMENTS_H
