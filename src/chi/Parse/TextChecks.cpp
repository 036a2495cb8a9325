//===- TextChecks.cpp - Bytes and characters of a program -----------------===//
#include "chi/Parse/TextChecks.h"
#include "chi/Support/Unicode.h"
#include "llvm/ADT/StringExtras.h"

using namespace chi;
using llvm::StringRef;

static constexpr StringRef byteOrderMark = "\xEF\xBB\xBF";
/// Positions are 32 bit, and a tree takes some fifty times the text.
static constexpr unsigned maxFileMegabytes = 64;

SourceRange chi::parse::programRange(const SourceFiles &sources,
                                     uint32_t file) {
  StringRef text = sources.text(file);
  uint32_t begin = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  return {file, begin, static_cast<uint32_t>(text.size())};
}

llvm::LogicalResult chi::parse::checkEncoding(const SourceFiles &sources,
                                              uint32_t file,
                                              DiagnosticEngine &diags) {
  StringRef text = sources.text(file);
  if (text.size() > size_t(maxFileMegabytes) << 20)
    return diags.report({file, 0, 0}, diag::FileTooLarge, maxFileMegabytes);
  if (auto invalid = findInvalidUtf8(text)) {
    auto offset = static_cast<uint32_t>(*invalid);
    std::string byte =
        "0x" + llvm::toHex(text.substr(offset, 1), /*LowerCase=*/true);
    return diags.report({file, offset, offset + 1}, diag::InvalidUtf8, byte);
  }
  size_t nul = text.find('\0');
  if (nul != StringRef::npos) {
    auto offset = static_cast<uint32_t>(nul);
    return diags.report({file, offset, offset + 1}, diag::NulByte);
  }
  return llvm::success();
}

namespace {
/// A character that people paste or type for another one.
struct LookAlike {
  uint32_t codePoint;
  const char *name;
  const char *meant;
};
} // namespace

static const LookAlike *findLookAlike(uint32_t codePoint) {
  static constexpr LookAlike lookAlikes[] = {
      {'!', "`!`", "not"},
      {0x00A0, "a no-break space", " "},
      {0x00B2, "`\xC2\xB2`", "**2"},
      {0x00B3, "`\xC2\xB3`", "**3"},
      {0x00B7, "`\xC2\xB7`", "*"},
      {0x00D7, "`\xC3\x97`", "*"},
      {0x00F7, "`\xC3\xB7`", "/"},
      {0x200B, "a zero-width space", ""},
      {0x2013, "an en dash", "-"},
      {0x2014, "an em dash", "-"},
      {0x2018, "a typographic quote", "'"},
      {0x2019, "a typographic quote", "'"},
      {0x201C, "a typographic quote", "\""},
      {0x201D, "a typographic quote", "\""},
      {0x2026, "an ellipsis", "..."},
      {0x2192, "an arrow", "->"},
      {0x2208, "`\xE2\x88\x88`", "in"},
      {0x2212, "a minus sign (U+2212)", "-"},
      {0x2260, "`\xE2\x89\xA0`", "!="},
      {0x2264, "`\xE2\x89\xA4`", "<="},
      {0x2265, "`\xE2\x89\xA5`", ">="},
      {0x3000, "an ideographic space", " "},
      {0xFEFF, "a byte order mark", ""},
      {0xFF08, "a wide parenthesis", "("},
      {0xFF09, "a wide parenthesis", ")"},
      {0xFF0C, "a wide comma", ","},
      {0xFF1A, "a wide colon", ":"},
  };
  for (const LookAlike &candidate : lookAlikes)
    if (candidate.codePoint == codePoint)
      return &candidate;
  return nullptr;
}

/// The name of a character without a look-alike, and the error for it.
static std::string nameOf(StringRef bytes, uint32_t codePoint) {
  if (codePoint == '\r')
    return "a carriage return without a line feed";
  if (codePoint < 0x20 || codePoint == 0x7F)
    return "the control character 0x" + llvm::utohexstr(codePoint, true);
  return "`" + bytes.str() + "`" +
         (codePoint < 0x7F ? "" : " (U+" + llvm::utohexstr(codePoint) + ")");
}

void chi::parse::reportUnknownCharacter(StringRef text, uint32_t file,
                                        uint32_t offset,
                                        DiagnosticEngine &diags) {
  CodePoint c = decodeUtf8(text.substr(offset)).value_or(CodePoint{0, 1});
  SourceRange range{file, offset, offset + c.size};
  if (const LookAlike *known = findLookAlike(c.value)) {
    StringRef meant = known->meant;
    std::string hint = meant.empty()   ? "; remove it"
                       : meant == " " ? "; write an ordinary space"
                                      : ("; write `" + meant + "`").str();
    // `!x` and `not x` differ by a space.
    bool needsSpace = meant == "not";
    diags.report(range, diag::UnknownCharacter, known->name, hint)
        .fixIt(range, needsSpace ? "not " : meant)
        .send();
    return;
  }
  StringRef hint = "";
  if (c.value == '?')
    hint = "; write `a if condition else b`";
  else if (c.value == '\\')
    hint = "; it joins lines only as the last character of a line";
  else if (c.value == '`')
    hint = "; write strings in `\"` or `'`";
  diags
      .report(range, diag::UnknownCharacter,
              nameOf(text.substr(offset, c.size), c.value), hint)
      .send();
}

llvm::LogicalResult chi::parse::checkName(StringRef text, SourceRange name,
                                          DiagnosticEngine &diags) {
  for (uint32_t at = name.begin; at < name.end;) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    CodePoint c = decodeUtf8(text.substr(at)).value_or(CodePoint{0xFFFD, 1});
    if (!isNameCodePoint(c.value, at == name.begin)) {
      reportUnknownCharacter(text, name.file, at, diags);
      return llvm::failure();
    }
    at += c.size;
  }
  return llvm::success();
}
