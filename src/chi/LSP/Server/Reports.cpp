//===- Reports.cpp - Diagnostics for the editor ---------------------------===//
#include "chi/LSP/Server/Reports.h"
#include "chi/LSP/Server/Lookup.h"
#include "llvm/ADT/StringSet.h"

using namespace chi;
using namespace chi::lsp;

static llvm::json::Value toProtocol(const Analysis &analysis,
                                    const Diagnostic &each) {
  SourceRange range = each.range.isValid() ? each.range : SourceRange{0, 0, 0};
  std::string message = each.message;
  llvm::json::Array related;
  for (const DiagnosticNote &note : each.notes) {
    if (auto location = locationOf(analysis, note.range))
      related.push_back(llvm::json::Object{{"location", toValue(*location)},
                                           {"message", note.message}});
    else
      message += "\n" + note.message;
  }
  bool isError = each.severity == Severity::Error;
  auto severity = isError ? protocol::DiagnosticSeverity::Error
                          : protocol::DiagnosticSeverity::Warning;
  llvm::json::Object made{
      {"range", analysis.textOf(range.file).range(range.begin, range.end)},
      {"severity", int(severity)},
      {"source", "chi"},
      {"message", message}};
  if (!each.code.empty())
    made["code"] = each.code;
  if (!related.empty())
    made["relatedInformation"] = std::move(related);
  return made;
}

std::set<std::string> Reports::update(Document &document,
                                      const std::string &path) {
  std::set<std::string> changed = remove(path);
  const Analysis &analysis = *document.analysis;
  for (const Diagnostic &each : analysis.diagnostics()) {
    uint32_t file = each.range.isValid() ? each.range.file : 0;
    shown[analysis.pathOf(file)][path].push_back(toProtocol(analysis, each));
    changed.insert(analysis.pathOf(file));
  }
  changed.insert(path);
  return changed;
}

std::set<std::string> Reports::remove(const std::string &path) {
  std::set<std::string> changed;
  for (auto &[file, byDocument] : shown)
    if (byDocument.erase(path))
      changed.insert(file);
  std::erase_if(shown, [](auto &entry) { return entry.second.empty(); });
  return changed;
}

llvm::json::Array Reports::of(const std::string &file) const {
  llvm::json::Array all;
  llvm::StringSet<> seen;
  auto found = shown.find(file);
  if (found == shown.end())
    return all;
  for (auto &[path, diagnostics] : found->second)
    for (const llvm::json::Value &each : diagnostics) {
      std::string text;
      llvm::raw_string_ostream(text) << each;
      if (seen.insert(text).second)
        all.push_back(each);
    }
  return all;
}
