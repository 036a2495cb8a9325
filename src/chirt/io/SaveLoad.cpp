//===- SaveLoad.cpp - save and load, by the file's extension --------------===//
#include "chirt/io/Formats.h"
#include "chirt/io/Named.h"
#include "chirt/io/Npz.h"
#include "chirt/provenance/Record.h"
#include "chirt/text/Str.h"

namespace chirt {

namespace {
enum class FileKind { Npy, Npz, Png, Unknown };

bool equalsIgnoringCase(const char *a, const char *b) {
  return strcasecmp(a, b) == 0;
}

/// The kind of file that the extension says; fails if it says none.
FileKind kindOf(const chirt_site *site, const char *path) {
  const char *name = strrchr(path, '/');
  const char *dot = strrchr(name ? name : path, '.');
  if (dot && equalsIgnoringCase(dot, ".npy"))
    return FileKind::Npy;
  if (dot && equalsIgnoringCase(dot, ".npz"))
    return FileKind::Npz;
  if (dot && equalsIgnoringCase(dot, ".png"))
    return FileKind::Png;
  failAt(site, UserFault,
         "`%s`: the extension `%s` is not supported; use .npy, .npz or .png",
         path, dot ? dot : "");
  return FileKind::Unknown;
}

chirt_field *load(const chirt_site *site, const char *path, const char *desc,
                  int64_t rank, bool isCast) {
  FieldType type;
  chirt_field *field = nullptr;
  if (readFieldType(site, desc, rank, type))
    switch (kindOf(site, path)) {
    case FileKind::Npy:
      field = loadNpy(site, path, type, int(rank), isCast);
      break;
    case FileKind::Png: // converts in any case
      field = loadPng(site, path, type, int(rank));
      break;
    case FileKind::Npz:
      failAt(site, UserFault,
             "`%s` has arrays with names: `load(path, \"x\", …)`", path);
      break;
    case FileKind::Unknown:
      break;
    }
  if (!field)
    leave();
  return field;
}

/// Whether named values can be in that file.
bool isNpz(const chirt_site *site, const char *path) {
  FileKind kind = kindOf(site, path);
  return kind == FileKind::Npz ||
         (kind != FileKind::Unknown &&
          failAt(site, UserFault, "`%s`: only .npz files have named values",
                 path));
}

bool addNamed(NpzWriter &writer, const NamedValues &values,
              const NamedValue &value) {
  const FieldType &type = value.type;
  if (value.field)
    return writer.add(value.name, value.field);
  if (value.text)
    return writer.addText(value.name, value.text);
  int64_t extents[] = {type.rows, type.columns};
  int axes = type.isComplex ? 0 : type.elementRank;
  return writer.add(value.name, type.dtype, axes, extents,
                    values.scalars(value), type.isComplex);
}

bool saveNamed(const chirt_site *site, const char *path,
               const NamedValues &values) {
  if (!isNpz(site, path))
    return false;
  NpzWriter writer(path);
  bool isGood = true;
  for (const NamedValue &value : values)
    isGood = isGood && addNamed(writer, values, value);
  if (recordsProvenance()) {
    Text record;
    appendRecord(record, path);
    isGood = isGood && writer.addAscii(kRecordName, record);
    writer.attachMaking();
  }
  return (isGood && writer.commit()) || writer.fail(site);
}

bool loadValue(const chirt_site *site, const char *path, const char *name,
               const char *desc, bool isCast, void *values) {
  NpzReader reader(path);
  FieldType type;
  return readFieldType(site, desc, 0, type) && isNpz(site, path) &&
         reader.open(site) &&
         reader.loadValue(site, name, type, isCast, values);
}

chirt_field *loadArray(const chirt_site *site, const char *path,
                       const char *name, const char *desc, int64_t rank,
                       bool isCast) {
  NpzReader reader(path);
  FieldType type;
  if (!readFieldType(site, desc, rank, type) || !isNpz(site, path) ||
      !reader.open(site))
    return nullptr;
  return reader.load(site, name, type, int(rank), isCast);
}

const char *loadStr(const chirt_site *site, const char *path,
                    const char *name) {
  NpzReader reader(path);
  Text text;
  bool isRead = isNpz(site, path) && reader.open(site) &&
                reader.loadText(site, name, text);
  return isRead ? makeStr(text) : nullptr;
}
} // namespace

} // namespace chirt

using namespace chirt;

void chirt_save(const chirt_site *site, const char *path,
                const chirt_field *field, int32_t axes_xy) {
  bool isSaved = false;
  switch (kindOf(site, path)) {
  case FileKind::Npy:
    isSaved = saveNpy(site, path, field);
    break;
  case FileKind::Png:
    isSaved = savePng(site, path, field, axes_xy != 0);
    break;
  case FileKind::Npz:
    failAt(site, UserFault,
           "`%s`: the arrays of an .npz have names: `save(path, x=x)`", path);
    break;
  case FileKind::Unknown:
    break;
  }
  if (!isSaved)
    leave();
}

chirt_field *chirt_load(const chirt_site *site, const char *path,
                        const char *desc, int64_t rank) {
  return load(site, path, desc, rank, /*isCast=*/false);
}

chirt_field *chirt_load_cast(const chirt_site *site, const char *path,
                             const char *desc, int64_t rank) {
  return load(site, path, desc, rank, /*isCast=*/true);
}

chirt_field *chirt_load_array(const chirt_site *site, const char *path,
                              const char *name, const char *desc, int64_t rank,
                              int32_t is_cast) {
  chirt_field *field = loadArray(site, path, name, desc, rank, is_cast != 0);
  if (!field)
    leave();
  return field;
}

void chirt_load_value(const chirt_site *site, const char *path,
                      const char *name, const char *desc, int32_t is_cast,
                      void *values) {
  if (!loadValue(site, path, name, desc, is_cast != 0, values))
    leave();
}

const char *chirt_load_str(const chirt_site *site, const char *path,
                           const char *name) {
  const char *text = loadStr(site, path, name);
  if (!text)
    leave();
  return text;
}

void chirt_save_named(const chirt_site *site, const char *path) {
  bool isDone = saveNamed(site, path, namedValues());
  namedValues().clear();
  if (!isDone)
    leave();
}
