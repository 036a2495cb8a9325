//===- Npy.cpp - NumPy's array files --------------------------------------===//
// Format: numpy.lib.format, versions 1 to 3.
#include "chirt/field/Copies.h"
#include "chirt/field/Making.h"
#include "chirt/io/Formats.h"
#include "chirt/support/Memory.h"
#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"

namespace chirt {

namespace {
constexpr char magic[] = "\x93NUMPY";
constexpr int maxAxes = CHIRT_MAX_RANK + 2;

/// "|b1", "<f4", …
/// NumPy has no bf16 of its own: ml_dtypes saves its bfloat16 as two bytes
/// without a type ("V"), and so do we.
void appendDescr(Text &out, int32_t dtype) {
  int bytes = scalarBytes(dtype);
  char letter = dtype == CHIRT_BOOL     ? 'b'
                : dtype == CHIRT_BF16   ? 'V'
                : isFloatType(dtype)    ? 'f'
                : isUnsignedType(dtype) ? 'u'
                                        : 'i';
  out << (bytes == 1 ? '|' : '<') << letter << bytes;
}

/// All axes of the file: the field's, then the element's.
int axesOf(const chirt_field *f, int64_t *extents) {
  int count = 0;
  for (int k = 0; k < f->rank; ++k)
    extents[count++] = f->extents[k];
  if (f->element_rank >= 1)
    extents[count++] = f->rows;
  if (f->element_rank == 2)
    extents[count++] = f->columns;
  return count;
}

void makeHeader(Text &out, const chirt_field *field) {
  int64_t extents[maxAxes];
  int axes = axesOf(field, extents);
  Text dict;
  dict << "{'descr': '";
  appendDescr(dict, field->dtype);
  dict << "', 'fortran_order': False, 'shape': ";
  appendShape(dict, axes, extents);
  dict << ", }";
  // The values begin at a multiple of 64 bytes.
  size_t total = (10 + dict.size() + 1 + 63) & ~size_t(63);
  dict.fill(' ', total - 10 - dict.size() - 1);
  dict << '\n';
  out << std::string_view(magic, 6) << '\x01' << '\0'
      << char(dict.size() & 0xff) << char(dict.size() >> 8) << dict;
}

/// Writes the values in logical order, a row's worth of elements at a time.
bool writeValues(NewFile &file, const chirt_field *field) {
  int components = componentsOf(field);
  size_t bytes = size_t(scalarBytes(field->dtype));
  const char *data = hostCopy(field);
  if (isInLogicalOrder(field) && (!field->is_soa || components == 1))
    return file.write(data, size_t(field->bytes));
  LogicalWalk walk(field);
  for (int64_t i = 0; i < field->elements; ++i, walk.next())
    for (int c = 0; c < components; ++c)
      if (!file.write(data + scalarOffset(field, walk.storage(), c), bytes))
        return false;
  return true;
}
} // namespace

bool saveNpy(const chirt_site *site, const char *path,
             const chirt_field *field) {
  Text header;
  makeHeader(header, field);
  NewFile file(path);
  if (!file.write(header.view().data(), header.size()) ||
      !writeValues(file, field) || !file.commit())
    return file.fail(site);
  return true;
}

namespace {
/// What the header of a file says.
struct Header {
  int32_t dtype = -1;
  Text descr;
  bool isBigEndian = false, isFortran = false;
  int axes = 0;
  int64_t extents[32];
};

/// The dictionary of a header: the three keys, each once, and nothing behind.
class HeaderText {
public:
  explicit HeaderText(const char *text) : at(text) {}
  bool read(Header &header);

private:
  bool takes(char c) {
    at += strspn(at, blanks);
    return *at == c ? (++at, true) : false;
  }
  bool readQuoted(std::string_view &text);
  bool readDescr(Header &header);
  bool readOrder(Header &header);
  bool readShape(Header &header);

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

bool HeaderText::readDescr(Header &header) {
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
  for (int32_t t = CHIRT_BOOL; t <= CHIRT_F64; ++t) {
    Text known;
    appendDescr(known, t);
    if (text == slice(known, 1))
      header.dtype = t;
  }
  return true;
}

bool HeaderText::readOrder(Header &header) {
  at += strspn(at, blanks);
  size_t length = strcspn(at, " \t\r\n,}");
  std::string_view word(at, length);
  at += length;
  header.isFortran = word == "True";
  return header.isFortran || word == "False";
}

bool HeaderText::readShape(Header &header) {
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

bool HeaderText::read(Header &header) {
  struct Key {
    std::string_view name;
    bool (HeaderText::*read)(Header &);
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
  return *at == '\0' && keys[0].isKnown && keys[1].isKnown && keys[2].isKnown;
}

bool readHeader(OpenFile &file, Header &header) {
  unsigned char start[12];
  if (file.read(start, 10) != 10 || memcmp(start, magic, 6) != 0 ||
      start[6] < 1 || start[6] > 3)
    return false;
  size_t length = size_t(start[8]) | size_t(start[9]) << 8;
  if (start[6] >= 2) {
    if (file.read(start + 10, 2) != 2)
      return false;
    length |= size_t(start[10]) << 16 | size_t(start[11]) << 24;
  }
  if (length > (size_t(1) << 20))
    return false;
  Array<char> dict;
  dict.resize(length + 1);
  if (file.read(dict.data(), length) != length)
    return false;
  // A zero would end the text before its end.
  return strlen(dict.data()) == length && HeaderText(dict.data()).read(header);
}

/// Whether the file holds what the program asks for.
bool checkType(const chirt_site *site, const char *path, const FieldType &type,
               int rank, bool isCast, Header &header) {
  Text wanted;
  appendElementType(wanted, type.dtype, type.elementRank, type.rows,
                    type.columns);
  if (header.dtype < 0)
    return failAt(
        site, UserFault,
        "`%s` contains numbers of a type unknown to Chi ('%s'), not %s", path,
        header.descr.c_str(), dtypeName(type.dtype));
  // Where gradients are checked, the program's floats are f64.
  isCast |= settings().gradCheck && isFloatType(header.dtype);
  if (header.dtype != type.dtype && !isCast)
    return failAt(site, UserFault,
                  "`%s` contains numbers of type %s ('%s'), not %s; `load(…, "
                  "cast=True)` converts them",
                  path, dtypeName(header.dtype), header.descr.c_str(),
                  dtypeName(type.dtype));
  if (header.axes != rank + type.elementRank) {
    Text shape;
    appendShape(shape, header.axes, header.extents);
    return failAt(
        site, UserFault,
        "`%s` contains an array of shape %s; field(%s, %d) needs %d axes", path,
        shape.c_str(), wanted.c_str(), rank, rank + type.elementRank);
  }
  const int64_t *inner = header.extents + rank;
  if ((type.elementRank >= 1 && inner[0] != type.rows) ||
      (type.elementRank == 2 && inner[1] != type.columns)) {
    Text shape;
    appendShape(shape, header.axes, header.extents);
    return failAt(
        site, UserFault,
        "`%s` contains an array of shape %s, whose last axes do not match %s",
        path, shape.c_str(), wanted.c_str());
  }
  return true;
}

void swapBytes(char *data, size_t bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i, data += bytes)
    for (size_t k = 0; k < bytes / 2; ++k)
      std::swap(data[k], data[bytes - 1 - k]);
}

/// Puts values in the file's order where the field wants them.
void scatter(const char *from, chirt_field *field, bool isFortran) {
  int components = componentsOf(field);
  size_t bytes = size_t(scalarBytes(field->dtype));
  char *data = hostCopyToOverwrite(field);
  int64_t extents[maxAxes], stride[maxAxes];
  int axes = axesOf(field, extents);
  int64_t step = 1;
  for (int k = 0; k < axes; ++k) {
    int axis = isFortran ? k : axes - 1 - k;
    stride[axis] = step;
    step *= extents[axis];
  }
  LogicalWalk walk(field);
  for (int64_t i = 0; i < field->elements; ++i, walk.next()) {
    int64_t start = 0;
    for (int k = 0; k < field->rank; ++k)
      start += walk.indices()[k] * stride[k];
    for (int c = 0; c < components; ++c) {
      int64_t at = start;
      if (field->element_rank >= 1)
        at += c / field->columns * stride[field->rank];
      if (field->element_rank == 2)
        at += c % field->columns * stride[field->rank + 1];
      memcpy(data + scalarOffset(field, walk.storage(), c),
             from + size_t(at) * bytes, bytes);
    }
  }
}

/// Reads the next `count` scalars of the file as scalars of `dtype`. Returns
/// the bytes of the file that were there.
size_t readScalars(OpenFile &file, const Header &header, int32_t dtype,
                   char *to, int64_t count) {
  size_t bytes = size_t(scalarBytes(header.dtype));
  // A bool is 0 or 1 in memory, whatever the file says.
  bool isAsItIs = header.dtype == dtype && dtype != CHIRT_BOOL;
  if (isAsItIs) {
    size_t done = file.read(to, size_t(count) * bytes);
    if (header.isBigEndian)
      swapBytes(to, bytes, count);
    return done;
  }
  constexpr int64_t chunk = 8192;
  char buffer[chunk * 8];
  size_t done = 0;
  for (int64_t n; count > 0; count -= n) {
    n = count < chunk ? count : chunk;
    size_t wanted = size_t(n) * bytes, got = file.read(buffer, wanted);
    done += got;
    if (got < wanted)
      return done;
    if (header.isBigEndian)
      swapBytes(buffer, bytes, n);
    for (int64_t k = 0; header.dtype == CHIRT_BOOL && k < n; ++k)
      buffer[k] = buffer[k] != 0;
    castScalars(header.dtype, buffer, dtype, to, n);
    to += n * scalarBytes(dtype);
  }
  return done;
}

bool readValues(OpenFile &file, const Header &header, chirt_field *field,
                size_t &done) {
  int64_t count = field->elements * componentsOf(field);
  bool isDirect = isInLogicalOrder(field) && !header.isFortran &&
                  (!field->is_soa || componentsOf(field) == 1);
  char *memory =
      isDirect ? hostCopyToOverwrite(field)
               : static_cast<char *>(allocateUncleared(size_t(field->bytes)));
  if (!memory)
    return field->bytes == 0;
  done = readScalars(file, header, field->dtype, memory, count);
  if (!isDirect) {
    scatter(memory, field, header.isFortran);
    releaseMemory(memory);
  }
  return done == size_t(count) * size_t(scalarBytes(header.dtype));
}

/// Bytes of values that the header announces, or -1 if they cannot be counted.
int64_t bytesAnnounced(const Header &header) {
  int64_t bytes = scalarBytes(header.dtype);
  bool isHuge = false, isEmpty = false;
  for (int k = 0; k < header.axes; ++k) {
    isEmpty |= header.extents[k] == 0;
    isHuge |= __builtin_mul_overflow(bytes, header.extents[k], &bytes);
  }
  return isEmpty ? 0 : isHuge ? -1 : bytes;
}
} // namespace

/// NumPy reads the values and ignores what follows them, as it must in a file
/// of several arrays; in a file of one array, it means that the header is
/// wrong.
static void warnOfRest(const chirt_site *site, const char *path,
                       const OpenFile &file) {
  int64_t rest = file.left();
  if (rest <= 0)
    return;
  Text text, out;
  text << '`' << path << "` has " << rest << (rest == 1 ? " byte" : " bytes")
       << " after the values that its header announces, which are ignored";
  describeFailure(out, site, "warning", text, nullptr);
  writeError(out);
}

chirt_field *loadNpy(const chirt_site *site, const char *path,
                     const FieldType &type, int rank, bool isCast) {
  OpenFile file(path);
  Header header;
  bool isRead = !file.error() && readHeader(file, header);
  if (file.error()) {
    failAt(site, WorldFault, "cannot read `%s`: %s", path,
           strerror(file.error()));
    return nullptr;
  }
  if (!isRead) {
    failAt(site, WorldFault, "`%s` is not an npy file", path);
    return nullptr;
  }
  if (!checkType(site, path, type, rank, isCast, header))
    return nullptr;
  // Before memory is asked for: a header may claim anything.
  int64_t announced = bytesAnnounced(header);
  if (announced < 0 || (file.size() >= 0 && announced > file.size())) {
    failAt(site, WorldFault,
           "`%s` ends before the values that its header announces", path);
    return nullptr;
  }
  chirt_field *field = makeField(site, type, rank, header.extents);
  size_t done = 0;
  if (!field)
    return nullptr;
  if (readValues(file, header, field, done)) {
    warnOfRest(site, path, file);
    return field;
  }
  failAt(site, WorldFault, "`%s` ends after %zu of %zu bytes of values", path,
         done, size_t(announced));
  chirt_field_release(field);
  return nullptr;
}

} // namespace chirt
