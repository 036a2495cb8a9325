//===- Unicode.cpp - Code points in UTF-8 text ----------------------------===//
#include "chi/Support/Unicode.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <iterator>

using namespace chi;
using llvm::StringRef;

static bool isContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

std::optional<CodePoint> chi::decodeUtf8(StringRef text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80)
    return CodePoint{lead, 1};
  unsigned size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size)
    return std::nullopt;
  uint32_t value = lead & (0xFF >> (size + 1));
  for (unsigned i = 1; i < size; ++i) {
    if (!isContinuation(byte(i)))
      return std::nullopt;
    value = value << 6 | (byte(i) & 0x3F);
  }
  // Overlong forms and surrogates are not UTF-8 (RFC 3629).
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[size] || (value >= 0xD800 && value < 0xE000) ||
      value > 0x10FFFF)
    return std::nullopt;
  return CodePoint{value, size};
}

std::optional<size_t> chi::findInvalidUtf8(StringRef text) {
  for (size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    auto codePoint = decodeUtf8(text.substr(i));
    if (!codePoint)
      return i;
    i += codePoint->size;
  }
  return std::nullopt;
}

bool chi::appendUtf8(std::string &text, uint32_t c) {
  if ((c >= 0xD800 && c < 0xE000) || c > 0x10FFFF)
    return false;
  if (c < 0x80) {
    text += static_cast<char>(c);
    return true;
  }
  unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(leads[more] | (c >> (6 * more)));
  while (more-- > 0)
    text += static_cast<char>(0x80 | ((c >> (6 * more)) & 0x3F));
  return true;
}

unsigned chi::countCodePoints(StringRef text) {
  return static_cast<unsigned>(
      std::count_if(text.begin(), text.end(), [](char c) {
        return !isContinuation(static_cast<unsigned char>(c));
      }));
}

unsigned chi::displayWidth(uint32_t codePoint) {
  if (codePoint < 0x7F)
    return codePoint >= 0x20;
  std::string text;
  if (!appendUtf8(text, codePoint))
    return 1;
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? 1 : static_cast<unsigned>(width);
}

bool chi::isNameCodePoint(uint32_t c, bool isFirst) {
  struct Range {
    uint32_t first, last;
  };
  // An outline of the letters of Unicode (XID_Start), by blocks: symbols,
  // arrows, operators, punctuation and private use are left out.
  static const Range letters[] = {
      {0xAA, 0xAA},       {0xB5, 0xB5},       {0xBA, 0xBA},
      {0xC0, 0xD6},       {0xD8, 0xF6},       {0xF8, 0x2C1},
      {0x370, 0x373},     {0x376, 0x377},     {0x37B, 0x37D},
      {0x37F, 0x37F},     {0x386, 0x386},     {0x388, 0x3F5},
      {0x3F7, 0x481},     {0x48A, 0x556},     {0x561, 0x587},
      {0x5D0, 0x5EA},     {0x620, 0x64A},     {0x671, 0x6D3},
      {0x710, 0x167F},    {0x1681, 0x1FFC},   {0x2102, 0x2102},
      {0x2107, 0x2107},   {0x210A, 0x2113},   {0x2115, 0x2115},
      {0x2119, 0x211D},   {0x2124, 0x2124},   {0x2126, 0x2126},
      {0x212A, 0x2139},   {0x2C00, 0x2DFF},   {0x3005, 0x3007},
      {0x3041, 0x3096},   {0x30A1, 0x30FA},   {0x30FC, 0x30FF},
      {0x3105, 0x31BF},   {0x3400, 0x4DBF},   {0x4E00, 0xA48C},
      {0xA4D0, 0xABEA},   {0xAC00, 0xD7A3},   {0xF900, 0xFB06},
      {0xFB1D, 0xFDFB},   {0xFE70, 0xFEFC},   {0xFF21, 0xFF3A},
      {0xFF41, 0xFF5A},   {0xFF66, 0xFFDC},   {0x10000, 0x1CFFF},
      {0x1D400, 0x1D7FF}, {0x1E000, 0x1EFFF}, {0x20000, 0x3FFFF}};
  if (!isFirst && c >= 0x300 && c <= 0x36F)
    return true;
  const Range *range =
      std::upper_bound(std::begin(letters), std::end(letters), c,
                       [](uint32_t c, const Range &r) { return c < r.first; });
  return range != std::begin(letters) && c <= std::prev(range)->last;
}
