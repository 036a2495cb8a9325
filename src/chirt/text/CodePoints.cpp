//===- CodePoints.cpp -----------------------------------------------------===//
#include "chirt/text/CodePoints.h"

namespace chirt {

namespace {
constexpr uint32_t lastPoint = 0x10ffff;

bool isSurrogate(uint32_t point) { return point >= 0xd800 && point <= 0xdfff; }
} // namespace

void appendPoint(Text &out, uint32_t point) {
  if (point < 0x80) {
    out << char(point);
    return;
  }
  int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  out << char((0xf0 << (3 - more)) | (point >> (6 * more)));
  while (more-- > 0)
    out << char(0x80 | (point >> (6 * more) & 0x3f));
}

size_t decodeUtf8(std::string_view text, uint32_t &point) {
  auto first = static_cast<unsigned char>(text[0]);
  size_t size = first < 0x80             ? 1
                : (first & 0xe0) == 0xc0 ? 2
                : (first & 0xf0) == 0xe0 ? 3
                : (first & 0xf8) == 0xf0 ? 4
                                         : 0;
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (size == 0 || size > text.size())
    return 0;
  point = size == 1 ? first : first & (0x7fu >> size);
  for (size_t k = 1; k < size; ++k) {
    auto byte = static_cast<unsigned char>(text[k]);
    if ((byte & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (byte & 0x3f);
  }
  bool isOne =
      point >= least[size] && point <= lastPoint && !isSurrogate(point);
  return isOne ? size : 0;
}

void appendCodePoints(Array<uint32_t> &points, std::string_view text) {
  while (!text.empty()) {
    uint32_t point = 0;
    size_t size = decodeUtf8(text, point);
    if (size == 0)
      point = 0xdc00 + static_cast<unsigned char>(text[0]);
    points.push(point);
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

bool appendUtf8(Text &out, const Array<char> &points, bool isBigEndian) {
  for (size_t at = 0; at + 4 <= points.size(); at += 4) {
    uint32_t point;
    memcpy(&point, points.data() + at, sizeof(point));
    if (isBigEndian)
      point = __builtin_bswap32(point);
    if (point == 0)
      return true;
    bool isByte = point >= 0xdc80 && point <= 0xdcff;
    if (point > lastPoint || (isSurrogate(point) && !isByte))
      return false;
    if (isByte)
      out << char(point - 0xdc00);
    else
      appendPoint(out, point);
  }
  return true;
}

} // namespace chirt
