//===- JsonRenderer.cpp - Diagnostics for programs ------------------------===//
#include "chi/Diagnostics/JsonRenderer.h"
#include "chi/Diagnostics/Catalogue.h"
#include "llvm/Support/JSON.h"

using namespace chi;
namespace json = llvm::json;

static json::Value toJson(const SourceFiles &sources, SourceRange range) {
  if (!range.isValid())
    return nullptr;
  auto position = [&](uint32_t offset) {
    LineColumn at = sources.lineColumn(range.file, offset);
    return json::Object{
        {"line", at.line}, {"column", at.column}, {"offset", offset}};
  };
  return json::Object{{"file", json::fixUTF8(sources.name(range.file))},
                      {"begin", position(range.begin)},
                      {"end", position(range.end)}};
}

void JsonRenderer::consume(const Diagnostic &diagnostic) {
  json::Array notes, fixes;
  for (const DiagnosticNote &note : diagnostic.notes)
    notes.push_back(json::Object{{"message", json::fixUTF8(note.message)},
                                 {"range", toJson(sources, note.range)}});
  for (const FixIt &fixIt : diagnostic.fixIts)
    fixes.push_back(json::Object{{"range", toJson(sources, fixIt.range)},
                                 {"text", json::fixUTF8(fixIt.text)}});
  json::Object object{{"severity", severityName(diagnostic.severity)},
                      {"code", diagnostic.code},
                      {"name", diagnostic.name},
                      {"message", json::fixUTF8(diagnostic.message)},
                      {"range", toJson(sources, diagnostic.range)},
                      {"notes", std::move(notes)},
                      {"fixes", std::move(fixes)}};
  out << json::Value(std::move(object)) << '\n';
}
