//===- Analysis.cpp - One text, checked -----------------------------------===//
#include "chi/LSP/Server/Analysis.h"
#include "chi/Diagnostics/Collector.h"
#include "chi/LSP/Server/Repair.h"
#include "chi/Parse/Parse.h"
#include "llvm/Support/Path.h"

using namespace chi;
using namespace chi::lsp;

/// The diagnostics so far, in the order of the text.
static std::vector<Diagnostic> flushed(DiagnosticEngine &engine) {
  DiagnosticCollector collector;
  engine.flush(collector);
  return std::move(collector.diagnostics);
}

std::string lsp::plainPath(llvm::StringRef path) {
  llvm::SmallString<256> plain(path);
  llvm::sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  return plain.str().str();
}

/// More repairs than this mean that the text is no program now.
static constexpr unsigned kMostRepairs = 12;

/// Parses the main file; where that fails, the same without the lines that are
/// wrong. Reports what is wrong in the text as it is.
bool Analysis::parse(const std::string &path) {
  tree = parse::parseModule(sources, 0, context, engine);
  if (tree)
    return true;
  reports = flushed(engine);
  const Text &given = textOf(0);
  std::set<size_t> lines = wrongLines(reports, 0, given);
  for (unsigned attempt = 0; attempt < kMostRepairs && !tree; ++attempt) {
    uint32_t file = sources.add(path, withoutLines(given, lines));
    DiagnosticEngine ignored;
    tree = parse::parseModule(sources, file, context, ignored);
    if (tree)
      break;
    size_t before = lines.size();
    lines.merge(wrongLines(flushed(ignored), file, given));
    if (lines.size() == before)
      break;
  }
  return tree != nullptr;
}

Analysis::Analysis(World &world, const OpenTexts &open, const std::string &path,
                   std::string text) {
  sources.add(path, std::move(text));
  loader = world.loader(sources, context, engine, open);
  bool isPrograms = parse(path);
  bool isWhole = isPrograms && tree->file == 0;
  if (!isPrograms)
    return;
  sema::Options options;
  options.collectTests = true;
  sema::check(sources, *tree, types, options, *loader, engine, &facts);
  resolved = std::make_unique<Names>(sources, *tree, *loader, facts);
  if (isWhole) // else what the missing lines lead to
    reports = flushed(engine);
}

const Text &Analysis::textOf(uint32_t file) const {
  // A repaired file has the bytes of the other lines in their places.
  if (file == mainFile())
    file = 0;
  auto known = texts.find(file);
  if (known == texts.end())
    known = texts.try_emplace(file, Text(sources.text(file).str())).first;
  return known->second;
}

std::string Analysis::pathOf(uint32_t file) const {
  return plainPath(sources.name(file));
}

std::optional<uint32_t> Analysis::fileOf(llvm::StringRef path) const {
  if (pathOf(mainFile()) == path)
    return mainFile();
  for (uint32_t file = 0; file < sources.size(); ++file)
    if (pathOf(file) == path)
      return file;
  return std::nullopt;
}
