//===- Points.cpp ---------------------------------------------------------===//
#include "chirt/containers/Points.h"

#include "chirt/text/CodePoints.h"
#include "chirt/text/Padding.h"
#include "chirt/text/Str.h"

namespace chirt {

size_t pointSize(std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80)
    return 1;
  uint32_t point = 0;
  size_t size = decodeUtf8(text, point);
  return size ? size : 1;
}

uint32_t pointOf(std::string_view text) {
  uint32_t point = 0;
  if (decodeUtf8(text, point) == 0)
    return 0xdc00 + static_cast<unsigned char>(text[0]);
  return point;
}

int64_t numPoints(std::string_view text) {
  return int64_t(countCodePoints(text));
}

size_t offsetOf(std::string_view text, int64_t index) {
  size_t offset = 0;
  for (; index > 0 && offset < text.size(); --index)
    offset += pointSize(slice(text, offset));
  return offset;
}

bool isSpacePoint(uint32_t point) {
  return (point >= 9 && point <= 13) || (point >= 28 && point <= 32) ||
         point == 0x85 || point == 0xa0 || point == 0x1680 ||
         (point >= 0x2000 && point <= 0x200a) || point == 0x2028 ||
         point == 0x2029 || point == 0x202f || point == 0x205f ||
         point == 0x3000;
}

bool isDigitPoint(uint32_t point) { return point >= '0' && point <= '9'; }

bool isLetterPoint(uint32_t point) {
  if (point < 0x80)
    return (point | 32) >= 'a' && (point | 32) <= 'z';
  if (point < 0x250)
    return point == 0xaa || point == 0xb5 || point == 0xba ||
           (point >= 0xc0 && point != 0xd7 && point != 0xf7);
  return (point >= 0x370 && point <= 0x52f) ||   // Greek, Cyrillic
         (point >= 0x531 && point <= 0x556) ||   // Armenian
         (point >= 0x5d0 && point <= 0x5ea) ||   // Hebrew
         (point >= 0x620 && point <= 0x64a) ||   // Arabic
         (point >= 0x904 && point <= 0x939) ||   // Devanagari
         (point >= 0x1e00 && point <= 0x1fff) || // Latin and Greek, more
         (point >= 0x3041 && point <= 0x3096) || // Hiragana
         (point >= 0x30a1 && point <= 0x30fa) || // Katakana
         (point >= 0x30fc && point <= 0x30ff) || // and its long vowels
         (point >= 0x4e00 && point <= 0x9fff) || // Han
         (point >= 0xac00 && point <= 0xd7a3);   // Hangul
}

uint32_t upperPoint(uint32_t point) {
  if (point < 0x80)
    return point >= 'a' && point <= 'z' ? point - 32 : point;
  if ((point >= 0xe0 && point <= 0xfe && point != 0xf7) ||
      (point >= 0x3b1 && point <= 0x3c9 && point != 0x3c2) ||
      (point >= 0x430 && point <= 0x44f))
    return point - 32;
  if (point >= 0x450 && point <= 0x45f)
    return point - 80;
  if (point == 0xff)
    return 0x178;
  // Latin Extended-A comes in pairs.
  bool isPaired =
      (point >= 0x100 && point <= 0x137) || (point >= 0x14a && point <= 0x177);
  if (isPaired && point != 0x131)
    return point & ~1u;
  bool isOddPaired =
      (point >= 0x139 && point <= 0x148) || (point >= 0x179 && point <= 0x17e);
  return isOddPaired && point % 2 == 0 ? point - 1 : point;
}

uint32_t lowerPoint(uint32_t point) {
  if (point < 0x80)
    return point >= 'A' && point <= 'Z' ? point + 32 : point;
  if ((point >= 0xc0 && point <= 0xde && point != 0xd7) ||
      (point >= 0x391 && point <= 0x3a9) || (point >= 0x410 && point <= 0x42f))
    return point + 32;
  if (point >= 0x400 && point <= 0x40f)
    return point + 80;
  if (point == 0x178)
    return 0xff;
  bool isPaired =
      (point >= 0x100 && point <= 0x137) || (point >= 0x14a && point <= 0x177);
  if (isPaired && point != 0x130)
    return point | 1u;
  bool isOddPaired =
      (point >= 0x139 && point <= 0x148) || (point >= 0x179 && point <= 0x17e);
  return isOddPaired && point % 2 == 1 ? point + 1 : point;
}

namespace {
/// All strs of one ASCII character, each with its end.
struct AsciiStrs {
  char texts[128][2] = {};
  constexpr AsciiStrs() {
    for (int c = 0; c < 128; ++c)
      texts[c][0] = char(c);
  }
};
constexpr AsciiStrs asciiStrs;
} // namespace

const char *makePointStr(std::string_view point) {
  auto first = static_cast<unsigned char>(point[0]);
  return point.size() == 1 && first < 0x80 ? asciiStrs.texts[first]
                                           : makeStr(point);
}

} // namespace chirt
