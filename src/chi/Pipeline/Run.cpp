//===- Run.cpp - Running passes, and what they report ---------------------===//

#include "chi/Pipeline/Pipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace chi;
using namespace chi::pipeline;

static FileLineColRange positionOf(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return range;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return positionOf(call.getCallee());
  if (auto name = dyn_cast<NameLoc>(loc))
    return positionOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColRange position = positionOf(part))
        return position;
  return {};
}

/// Offset of a line and a column counted in code points.
static uint32_t offsetOf(const SourceFiles &sources, uint32_t file,
                         unsigned line, unsigned column) {
  StringRef text = sources.line(file, line);
  uint32_t offset = 0;
  for (unsigned k = 1; k < column && offset < text.size(); ++k) {
    ++offset;
    while (offset < text.size() && (text[offset] & 0xC0) == 0x80)
      ++offset;
  }
  return sources.lineStart(file, line) + offset;
}

SourceRange pipeline::sourceRange(Location loc, const SourceFiles &sources) {
  FileLineColRange position = positionOf(loc);
  if (!position)
    return {};
  for (uint32_t file = 0; file < sources.size(); ++file)
    if (sources.name(file) == position.getFilename().getValue())
      return {file,
              offsetOf(sources, file, position.getStartLine(),
                       position.getStartColumn()),
              offsetOf(sources, file, position.getEndLine(),
                       position.getEndColumn())};
  return {};
}

/// "[E0410] text" as a diagnostic of Chi; nothing if it is none.
static std::optional<chi::Diagnostic> bridge(mlir::Diagnostic &report,
                                             const SourceFiles &sources) {
  std::string text = report.str();
  size_t end = text.find("] ");
  if (text.size() < 4 || text[0] != '[' || end == std::string::npos)
    return std::nullopt;
  chi::Diagnostic result;
  result.code = text.substr(1, end - 1);
  result.name = "ProvenRace";
  result.severity = result.code[0] == 'W' ? Severity::Warning : Severity::Error;
  result.message = text.substr(end + 2);
  result.range = sourceRange(report.getLocation(), sources);
  for (mlir::Diagnostic &note : report.getNotes())
    result.notes.push_back(
        {sourceRange(note.getLocation(), sources), note.str()});
  return result;
}

LogicalResult pipeline::run(PassManager &manager, ModuleOp module,
                            const SourceFiles &sources, DiagnosticEngine &diags,
                            std::string &fault) {
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &report) {
        if (auto known = bridge(report, sources)) {
          diags.add(std::move(*known));
        } else if (report.getSeverity() == DiagnosticSeverity::Error &&
                   fault.empty()) {
          llvm::raw_string_ostream out(fault);
          out << report.getLocation() << ": " << report.str();
          for (mlir::Diagnostic &note : report.getNotes())
            out << "\n  note: " << note.str();
        }
        return success();
      });
  // Once, not after each pass: chi-opt and the tests look between passes, and
  // programs of thousands of statements would be verified some forty times.
  manager.enableVerifier(false);
  LogicalResult result = manager.run(module);
  if (succeeded(result))
    result = verify(module);
  if (failed(result) && fault.empty() && !diags.hasErrors())
    fault = "a pass failed without a message";
  return failure(failed(result) || diags.hasErrors() || !fault.empty());
}
