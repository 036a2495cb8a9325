//===- TextRenderer.h - Diagnostics for people ------------------*- C++ -*-===//
#ifndef CHI_DIAGNOSTICS_TEXTRENDERER_H
#define CHI_DIAGNOSTICS_TEXTRENDERER_H

#include "chi/Diagnostics/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

namespace chi {

/// Writes each diagnostic as
///
///   a.chi:3:9: error[E0203]: `norm` takes 1 argument(s)
///       n = norm(a, b)
///           ^^^^
///
/// followed by its notes and fix-its. Tabs, wide characters and long lines
/// are laid out so that the carets are under the range.
class TextRenderer : public DiagnosticConsumer {
public:
  /// With `color`, escape codes mark severity and carets. `out` and `sources`
  /// must live as long as the renderer.
  TextRenderer(const SourceFiles &sources, llvm::raw_ostream &out,
               bool color = false)
      : sources(sources), out(out), color(color) {}

  void consume(const Diagnostic &diagnostic) override;

private:
  void writeHeader(Severity severity, llvm::StringRef code, SourceRange range,
                   llvm::StringRef message);
  void writeExcerpt(SourceRange range);
  void writeFixIt(const FixIt &fixIt);
  void paint(const char *code);

  const SourceFiles &sources;
  llvm::raw_ostream &out;
  bool color;
};

} // namespace chi
#endif // CHI_DIAGNOSTICS_TEXTRENDERER_H
