//===- NpyHeader.cpp ------------------------------------------------------===//
#include "chirt/io/NpyHeader.h"

#include "chirt/field/Field.h"

namespace chirt {

int64_t NpyHeader::valueBytes() const {
  if (textLength >= 0)
    return isUnicode ? 4 * textLength : textLength;
  return scalarBytes(dtype);
}

int64_t NpyHeader::bytes() const {
  int64_t all = valueBytes();
  bool isHuge = false, isEmpty = false;
  for (int k = 0; k < axes; ++k) {
    isEmpty |= extents[k] == 0;
    isHuge |= __builtin_mul_overflow(all, extents[k], &all);
  }
  return isEmpty ? 0 : isHuge ? -1 : all;
}

/// NumPy has no bf16 of its own: ml_dtypes saves its bfloat16 as two bytes
/// without a type ("V"), and so do we.
void appendNpyType(Text &out, int32_t dtype, bool isComplex) {
  int bytes = scalarBytes(dtype) * (isComplex ? 2 : 1);
  char letter = isComplex               ? 'c'
                : dtype == CHIRT_BOOL   ? 'b'
                : dtype == CHIRT_BF16   ? 'V'
                : isFloatType(dtype)    ? 'f'
                : isUnsignedType(dtype) ? 'u'
                                        : 'i';
  out << (bytes == 1 ? '|' : '<') << letter << bytes;
}

namespace {
constexpr char magic[] = "\x93NUMPY";
} // namespace

void makeNpyHeader(Text &out, std::string_view descr, int axes,
                   const int64_t *extents) {
  Text dict;
  dict << "{'descr': '" << descr << "', 'fortran_order': False, 'shape': ";
  appendShape(dict, axes, extents);
  dict << ", }";
  // The values begin at a multiple of 64 bytes.
  size_t total = (10 + dict.size() + 1 + 63) & ~size_t(63);
  dict.fill(' ', total - 10 - dict.size() - 1);
  dict << '\n';
  out << std::string_view(magic, 6) << '\x01' << '\0'
      << char(dict.size() & 0xff) << char(dict.size() >> 8) << dict;
}

namespace {
/// The dictionary of a header: the three keys, each once, and nothing behind.
class HeaderText {
public:
  explicit HeaderText(const char *text) : at(text) {}
  bool read(NpyHeader &header);

private:
  bool takes(char c) {
    at += strspn(at, blanks);
    return *at == c ? (++at, true) : false;
  }
  bool readQuoted(std::string_view &text);
  bool readDescr(NpyHeader &header);
  bool readTextLength(std::string_view digits, NpyHeader &header);
  bool readOrder(NpyHeader &header);
  bool readShape(NpyHeader &header);

  static constexpr const char *blanks = " \t\r\n";
  const char *at;
};

bool HeaderText::readQuoted(std::string_view &text) {
  at += strspn(at, blanks);
  char quote = *at;
  if (quote != '\'' && quote != '"')
    return false;
  const char *end = strchr(++at, quote);
  if (!end)
    return false;
  text = std::string_view(at, size_t(end - at));
  at = end + 1;
  return true;
}

bool HeaderText::readDescr(NpyHeader &header) {
  std::string_view text;
  if (!readQuoted(text))
    return false;
  for (char c : text) // it is shown to the user
    if (c < ' ' || c > '~')
      return false;
  header.descr << text;
  header.isBigEndian = text.starts_with('>');
  if (!text.empty() && strchr("<>|=", text[0]))
    text.remove_prefix(1);
  if (!text.empty() && (text[0] == 'U' || text[0] == 'S')) {
    header.isUnicode = text[0] == 'U';
    return readTextLength(slice(text, 1), header);
  }
  for (int32_t t = CHIRT_BOOL; t <= CHIRT_F64; ++t) {
    Text known;
    appendNpyType(known, t);
    if (text == slice(known, 1))
      header.dtype = t;
  }
  header.isComplex = text == "c8" || text == "c16";
  if (header.isComplex)
    header.dtype = text == "c8" ? CHIRT_F32 : CHIRT_F64;
  return true;
}

bool HeaderText::readTextLength(std::string_view digits, NpyHeader &header) {
  if (digits.empty() || digits.size() > 9)
    return false;
  header.textLength = 0;
  for (char c : digits) {
    if (c < '0' || c > '9')
      return false;
    header.textLength = 10 * header.textLength + (c - '0');
  }
  return true;
}

bool HeaderText::readOrder(NpyHeader &header) {
  at += strspn(at, blanks);
  size_t length = strcspn(at, " \t\r\n,}");
  std::string_view word(at, length);
  at += length;
  header.isFortran = word == "True";
  return header.isFortran || word == "False";
}

bool HeaderText::readShape(NpyHeader &header) {
  if (!takes('('))
    return false;
  for (;;) {
    at += strspn(at, " \t\r\n,L");
    if (*at == ')')
      return ++at, true;
    if (*at < '0' || *at > '9' || header.axes == 32)
      return false;
    int64_t extent = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
      if (__builtin_mul_overflow(extent, int64_t(10), &extent) ||
          __builtin_add_overflow(extent, int64_t(*at - '0'), &extent))
        return false;
    header.extents[header.axes++] = extent;
  }
}

bool HeaderText::read(NpyHeader &header) {
  struct Key {
    std::string_view name;
    bool (HeaderText::*read)(NpyHeader &);
    bool isKnown = false;
  };
  Key keys[] = {{"descr", &HeaderText::readDescr},
                {"fortran_order", &HeaderText::readOrder},
                {"shape", &HeaderText::readShape}};
  if (!takes('{'))
    return false;
  for (bool goesOn = true; goesOn && !takes('}');) {
    std::string_view name;
    bool isGood = readQuoted(name) && takes(':'), isKey = false;
    for (Key &key : keys) {
      if (!isGood || key.name != name)
        continue;
      isGood = !key.isKnown && (this->*key.read)(header);
      isKey = key.isKnown = true;
    }
    if (!isGood || !isKey)
      return false;
    goesOn = takes(',');
    if (!goesOn && !takes('}'))
      return false;
  }
  at += strspn(at, blanks);
  if (header.isComplex && header.axes < 32)
    header.extents[header.axes++] = 2;
  return *at == '\0' && keys[0].isKnown && keys[1].isKnown && keys[2].isKnown;
}

} // namespace

bool readNpyHeader(const ByteSource &source, NpyHeader &header) {
  unsigned char start[12];
  if (source.read(start, 10) != 10 || memcmp(start, magic, 6) != 0 ||
      start[6] < 1 || start[6] > 3)
    return false;
  size_t length = size_t(start[8]) | size_t(start[9]) << 8;
  if (start[6] >= 2) {
    if (source.read(start + 10, 2) != 2)
      return false;
    length |= size_t(start[10]) << 16 | size_t(start[11]) << 24;
  }
  if (length > (size_t(1) << 20))
    return false;
  Array<char> dict;
  dict.resize(length + 1);
  if (source.read(dict.data(), length) != length)
    return false;
  // A zero would end the text before its end.
  return strlen(dict.data()) == length && HeaderText(dict.data()).read(header);
}

} // namespace chirt
