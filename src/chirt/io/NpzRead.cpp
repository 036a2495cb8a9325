//===- NpzRead.cpp - Members read by name ---------------------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/field/Making.h"
#include "chirt/io/Npz.h"
#include "chirt/provenance/Record.h"
#include "chirt/support/Memory.h"
#include "chirt/text/CodePoints.h"

namespace chirt {

size_t NpzReader::find(std::string_view member) const {
  // Of several of one name the last one counts, as for Python.
  for (size_t k = zip.size(); k-- > 0;)
    if (zip.name(k) == member)
      return k;
  return kNone;
}

bool NpzReader::open(const chirt_site *site) {
  bool isRead = zip.readDirectory();
  if (zip.error())
    return failAt(site, WorldFault, "cannot read `%s`: %s", path,
                  strerror(zip.error()));
  return isRead ||
         failAt(site, WorldFault,
                "`%s` is not an npz file, or is damaged or cut off", path);
}

void NpzReader::failMissing(const chirt_site *site, std::string_view member) {
  constexpr size_t most = 20;
  Text text;
  bool isArray = member.ends_with(".npy");
  if (isArray)
    member.remove_suffix(4);
  text << '`' << path << "` has no `" << member << '`';
  size_t shown = 0;
  for (size_t k = 0; k < size() && shown <= most; ++k) {
    std::string_view known = name(k);
    if (isArray != known.ends_with(".npy"))
      continue;
    known.remove_suffix(isArray ? 4 : 0);
    if (known == kRecordName)
      continue;
    text << (shown == 0 ? "; it has " : ", ");
    if (++shown > most)
      text << "…";
    else
      text << '`' << known << '`';
  }
  failAt(site, UserFault, "%s", text.c_str());
}

bool NpzReader::failDamaged(const chirt_site *site) {
  if (zip.error())
    return failAt(site, WorldFault, "cannot read `%s`: %s", path,
                  strerror(zip.error()));
  return failAt(site, WorldFault, "%s is damaged", what.c_str());
}

/// Opens a member, which `end` closes.
bool NpzReader::begin(const chirt_site *site, std::string_view member) {
  size_t number = find(member);
  if (number == kNone) {
    failMissing(site, member);
    return false;
  }
  bool isArray = member.ends_with(".npy");
  what.clear();
  what << '`' << slice(member, 0, member.size() - (isArray ? 4 : 0)) << "` in `"
       << path << '`';
  return zip.begin(number) || failDamaged(site);
}

ByteSource NpzReader::source() {
  return {[](void *zip, void *data, size_t size) {
            return static_cast<ZipReader *>(zip)->read(data, size);
          },
          &zip};
}

/// Ends the member, and compares its checksum.
bool NpzReader::end(const chirt_site *site) {
  return zip.end() || failDamaged(site);
}

bool NpzReader::beginArray(const chirt_site *site, std::string_view name,
                           NpyHeader &header) {
  Text member;
  member << name << ".npy";
  if (!begin(site, member))
    return false;
  if (readNpyHeader(source(), header))
    return true;
  // If it is damaged, that is what there is to say.
  return end(site) &&
         failAt(site, WorldFault, "%s is not an npy file", what.c_str());
}

/// Whether the member has all values, before memory is asked for them.
bool NpzReader::checkSize(const chirt_site *site, const NpyHeader &header) {
  int64_t announced = header.bytes();
  if (announced >= 0 && uint64_t(announced) <= zip.left())
    return true;
  return failAt(site, WorldFault,
                "%s ends before the values that its header announces",
                what.c_str());
}

chirt_field *NpzReader::load(const chirt_site *site, std::string_view name,
                             const FieldType &type, int rank, bool isCast) {
  NpyHeader header;
  if (!beginArray(site, name, header) ||
      !checkNpyType(site, what.c_str(), {&type, rank, false, isCast}, header) ||
      !checkSize(site, header))
    return nullptr;
  chirt_field *field = makeField(site, type, rank, header.extents);
  if (!field)
    return nullptr;
  readNpyValues(source(), header, field);
  if (end(site))
    return field;
  chirt_field_release(field);
  return nullptr;
}

bool NpzReader::loadInto(const chirt_site *site, std::string_view name,
                         chirt_field *field) {
  NpyHeader header;
  FieldType type = typeOf(field);
  if (!beginArray(site, name, header) ||
      !checkNpyType(site, what.c_str(), {&type, field->rank, false, false},
                    header) ||
      !checkSize(site, header))
    return false;
  for (int k = 0; k < field->rank; ++k) {
    if (header.extents[k] == field->extents[k])
      continue;
    Text there, wanted;
    appendShape(there, field->rank, header.extents);
    appendShape(wanted, field->rank, field->extents);
    return failAt(site, UserFault, "%s has the shape %s, not %s", what.c_str(),
                  there.c_str(), wanted.c_str());
  }
  readNpyValues(source(), header, field);
  return end(site);
}

bool NpzReader::loadValue(const chirt_site *site, std::string_view name,
                          const FieldType &type, bool isCast, void *values) {
  NpyHeader header;
  if (!beginArray(site, name, header) ||
      !checkNpyType(site, what.c_str(), {&type, 0, true, isCast}, header) ||
      !checkSize(site, header))
    return false;
  int64_t count = int64_t(type.rows) * type.columns;
  auto *to = static_cast<char *>(values);
  if (!header.isFortran || type.elementRank < 2) {
    readNpyScalars(source(), header, type.dtype, to, count);
    return end(site);
  }
  Array<char> columns;
  auto bytes = size_t(scalarBytes(type.dtype));
  columns.resize(size_t(count) * bytes);
  readNpyScalars(source(), header, type.dtype, columns.data(), count);
  for (int32_t i = 0; i < type.rows; ++i)
    for (int32_t j = 0; j < type.columns; ++j)
      memcpy(to + size_t(i * type.columns + j) * bytes,
             columns.data() + size_t(j * type.rows + i) * bytes, bytes);
  return end(site);
}

bool NpzReader::loadText(const chirt_site *site, std::string_view name,
                         Text &text) {
  NpyHeader header;
  if (!beginArray(site, name, header))
    return false;
  if (header.textLength < 0 || header.axes != 0) {
    Text shape;
    appendShape(shape, header.axes, header.extents);
    return failAt(site, UserFault,
                  "%s contains an array of type '%s' and shape %s, not a str",
                  what.c_str(), header.descr.c_str(), shape.c_str());
  }
  if (!checkSize(site, header))
    return false;
  if (!fitsInMemory(header.valueBytes()))
    return failAt(site, WorldFault, "%s does not fit in memory", what.c_str());
  Array<char> bytes;
  bytes.resize(size_t(header.valueBytes()));
  source().read(bytes.data(), bytes.size());
  if (!end(site))
    return false;
  if (header.isUnicode)
    return appendUtf8(text, bytes, header.isBigEndian) ||
           failAt(site, WorldFault, "%s contains a code that is no character",
                  what.c_str());
  text << std::string_view(bytes.data(), strnlen(bytes.data(), bytes.size()));
  return true;
}

bool NpzReader::loadBytes(const chirt_site *site, std::string_view member,
                          Text &bytes) {
  if (!begin(site, member))
    return false;
  if (!fitsInMemory(int64_t(zip.left())))
    return failAt(site, WorldFault, "%s does not fit in memory", what.c_str());
  char chunk[4096];
  ByteSource from = source();
  for (size_t count; (count = from.read(chunk, sizeof(chunk))) > 0;)
    bytes << std::string_view(chunk, count);
  return end(site);
}

} // namespace chirt
