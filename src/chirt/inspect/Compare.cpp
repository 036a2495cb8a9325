//===- Compare.cpp - Whether two files hold the same ----------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/Field.h"
#include "chirt/host.h"
#include "chirt/inspect/Kind.h"
#include "chirt/io/Formats.h"
#include "chirt/io/NpyHeader.h"
#include "chirt/io/ZipReader.h"
#include "chirt/provenance/Record.h"
#include "chirt/text/Element.h"
#include "chirt/text/Format.h"

namespace chirt {

namespace {
enum Verdict : int32_t { Same, Different, Unreadable };

Verdict worse(Verdict a, Verdict b) { return a > b ? a : b; }

/// Values of two arrays that are compared one after the other.
struct Differences {
  explicit Differences(const NpyHeader &header) : header(header) {}
  void take(const char *a, const char *b, int64_t number);
  void describe(Text &out, std::string_view what, int64_t count) const;

  const NpyHeader &header;
  int64_t found = 0, first = -1;
  double greatest = 0;
  char one[8] = {}, other[8] = {}; ///< the first two that differ
};

void Differences::take(const char *a, const char *b, int64_t number) {
  size_t bytes = size_t(header.valueBytes());
  if (memcmp(a, b, bytes) == 0)
    return;
  bool isNumber = header.dtype >= 0 && !header.isBigEndian;
  if (found++ == 0) {
    first = number;
    memcpy(one, a, isNumber ? bytes : 0);
    memcpy(other, b, isNumber ? bytes : 0);
  }
  if (!isNumber)
    return;
  double x = scalarAsDouble(header.dtype, a);
  double y = scalarAsDouble(header.dtype, b);
  double difference = x < y ? y - x : x - y;
  if (difference > greatest)
    greatest = difference;
}

/// "[3, 4]": the place of a value in an array.
void appendPlace(Text &out, const NpyHeader &header, int64_t number) {
  int64_t index[32];
  for (int k = 0; k < header.axes; ++k) {
    int axis = header.isFortran ? k : header.axes - 1 - k;
    index[axis] = number % header.extents[axis];
    number /= header.extents[axis];
  }
  out << '[';
  for (int k = 0; k < header.axes; ++k)
    out << (k ? ", " : "") << static_cast<long long>(index[k]);
  out << ']';
}

void Differences::describe(Text &out, std::string_view what,
                           int64_t count) const {
  out << what << ": ";
  if (header.axes > 0)
    out << static_cast<long long>(found) << " of "
        << static_cast<long long>(count) << " values differ, the first at ";
  else
    out << "the value differs";
  if (header.axes > 0)
    appendPlace(out, header, first);
  if (header.dtype >= 0 && !header.isBigEndian) {
    formatScalar(out << ": ", header.dtype, one, FormatSpec());
    formatScalar(out << " and ", header.dtype, other, FormatSpec());
  }
  if (greatest > 0 && found > 1)
    formatScalar(out << "; the greatest difference is ", CHIRT_F64, &greatest,
                 FormatSpec());
  out << '\n';
}

bool hasSameShape(const NpyHeader &a, const NpyHeader &b) {
  bool isSame = a.axes == b.axes && a.isFortran == b.isFortran;
  for (int k = 0; isSame && k < a.axes; ++k)
    isSame = a.extents[k] == b.extents[k];
  return isSame;
}

Verdict compareArrays(Text &out, std::string_view what, const ByteSource &a,
                      const ByteSource &b) {
  NpyHeader one, other;
  if (!readNpyHeader(a, one) || !readNpyHeader(b, other) || one.bytes() < 0) {
    out << what << " cannot be read\n";
    return Unreadable;
  }
  if (one.descr.view() != other.descr.view() || !hasSameShape(one, other)) {
    Text before, now;
    appendShape(before, one.axes, one.extents);
    appendShape(now, other.axes, other.extents);
    out << what << ": values of type " << one.descr << " and shape " << before
        << " became type " << other.descr << " and shape " << now << '\n';
    return Different;
  }
  size_t bytes = size_t(one.valueBytes());
  int64_t count = bytes ? one.bytes() / int64_t(bytes) : 0;
  size_t most = bytes < 65536 && bytes ? 65536 / bytes : 1;
  Array<char> x, y;
  x.resize(most * bytes);
  y.resize(most * bytes);
  Differences differences(one);
  for (int64_t done = 0; done < count;) {
    size_t part = count - done < int64_t(most) ? size_t(count - done) : most;
    if (a.read(x.data(), part * bytes) < part * bytes ||
        b.read(y.data(), part * bytes) < part * bytes) {
      out << what << " is cut off\n";
      return Unreadable;
    }
    for (size_t k = 0; k < part; ++k)
      differences.take(x.data() + k * bytes, y.data() + k * bytes,
                       done + int64_t(k));
    done += int64_t(part);
  }
  if (differences.found)
    differences.describe(out, what, count);
  return differences.found ? Different : Same;
}

ByteSource sourceOf(OpenFile &file) {
  return {[](void *from, void *data, size_t size) {
            return static_cast<OpenFile *>(from)->read(data, size);
          },
          &file};
}

ByteSource sourceOf(ZipReader &zip) {
  return {[](void *from, void *data, size_t size) {
            return static_cast<ZipReader *>(from)->read(data, size);
          },
          &zip};
}

constexpr size_t kNone = size_t(-1);

size_t findMember(const ZipReader &zip, std::string_view name) {
  for (size_t k = 0; k < zip.size(); ++k)
    if (zip.name(k) == name)
      return k;
  return kNone;
}

bool isRecord(std::string_view member) {
  return member.starts_with(kRecordName) &&
         slice(member, sizeof(kRecordName) - 1) == ".npy";
}

Verdict compareMember(Text &out, std::string_view name, ZipReader &a, size_t k,
                      ZipReader &b) {
  Text what;
  what << '`'
       << (name.ends_with(".npy") ? slice(name, 0, name.size() - 4) : name)
       << '`';
  size_t other = findMember(b, name);
  if (other == kNone) {
    out << what << " is missing in the new file\n";
    return Different;
  }
  if (!a.begin(k) || !b.begin(other)) {
    out << what << " is damaged\n";
    return Unreadable;
  }
  return compareArrays(out, what, sourceOf(a), sourceOf(b));
}

Verdict compareNpz(Text &out, const char *path, const char *other) {
  ZipReader a(path), b(other);
  for (auto [zip, name] : {std::pair(&a, path), {&b, other}})
    if (!zip->readDirectory()) {
      out << '`' << name << "` is damaged or cut off\n";
      return Unreadable;
    }
  Verdict verdict = Same;
  for (size_t k = 0; k < a.size(); ++k)
    if (!isRecord(a.name(k)))
      verdict = worse(verdict, compareMember(out, a.name(k), a, k, b));
  for (size_t k = 0; k < b.size(); ++k)
    if (!isRecord(b.name(k)) && findMember(a, b.name(k)) == kNone) {
      out << '`' << slice(b.name(k), 0, b.name(k).rfind('.')) << "` is new\n";
      verdict = worse(verdict, Different);
    }
  return verdict;
}

/// The pixels of two pictures; null ends the comparison.
Verdict comparePixels(Text &out, const chirt_field *a, const chirt_field *b) {
  if (a->extents[0] != b->extents[0] || a->extents[1] != b->extents[1]) {
    Text before, now;
    appendShape(before, 2, a->extents);
    appendShape(now, 2, b->extents);
    out << "the picture of shape " << before << " became one of shape " << now
        << '\n';
    return Different;
  }
  constexpr size_t pixel = 4 * sizeof(uint16_t);
  auto *x = static_cast<const char *>(a->data);
  auto *y = static_cast<const char *>(b->data);
  int64_t found = 0, first = 0;
  for (int64_t k = 0; k < a->elements; ++k, x += pixel, y += pixel)
    if (memcmp(x, y, pixel) != 0 && found++ == 0)
      first = k;
  if (found)
    out << static_cast<long long>(found) << " of "
        << static_cast<long long>(a->elements)
        << " pixels differ, the first in row "
        << static_cast<long long>(first / a->extents[1]) << ", column "
        << static_cast<long long>(first % a->extents[1]) << '\n';
  return found ? Different : Same;
}

Verdict comparePng(Text &out, const char *path, const char *other) {
  FieldType type;
  parseFieldType("u16:4", type);
  bool wasSilent = silenceFailures(true);
  chirt_field *a = loadPng(nullptr, path, type, 2);
  chirt_field *b = a ? loadPng(nullptr, other, type, 2) : nullptr;
  silenceFailures(wasSilent);
  Verdict verdict = Unreadable;
  if (b)
    verdict = comparePixels(out, a, b);
  else
    out << '`' << (a ? other : path) << "` is damaged or cut off\n";
  for (chirt_field *field : {a, b})
    if (field)
      chirt_field_release(field);
  return verdict;
}

Verdict compareFiles(Text &out, const char *path, const char *other) {
  OpenFile a(path), b(other);
  for (auto [file, name] : {std::pair(&a, path), {&b, other}})
    if (file->error()) {
      out << "cannot read `" << name << "`: " << strerror(file->error())
          << '\n';
      return Unreadable;
    }
  FileContent kind = contentOf(a);
  if (kind != contentOf(b)) {
    out << "the files are of different formats\n";
    return Different;
  }
  switch (kind) {
  case FileContent::Npy:
    return compareArrays(out, "the array", sourceOf(a), sourceOf(b));
  case FileContent::Npz:
    return compareNpz(out, path, other);
  case FileContent::Png:
    return comparePng(out, path, other);
  case FileContent::Other:
    out << '`' << path << "` is no png, npz or npy file\n";
    return Unreadable;
  }
  return Unreadable;
}
} // namespace

} // namespace chirt

using namespace chirt;

int32_t chirt_compare_files(const char *path, const char *other, char **text) {
  Text out;
  Verdict verdict = compareFiles(out, path, other);
  *text = strdup(out.c_str());
  return verdict;
}
