//===- SaveLoad.cpp - save and load, by the file's extension --------------===//
#include "chirt/io/Formats.h"

namespace chirt {

namespace {
enum class FileKind { Npy, Png, Unknown };

bool equalsIgnoringCase(const char *a, const char *b) {
  return strcasecmp(a, b) == 0;
}

/// The kind of file that the extension says; fails if it says none.
FileKind kindOf(const chirt_site *site, const char *path) {
  const char *name = strrchr(path, '/');
  const char *dot = strrchr(name ? name : path, '.');
  if (dot && equalsIgnoringCase(dot, ".npy"))
    return FileKind::Npy;
  if (dot && equalsIgnoringCase(dot, ".png"))
    return FileKind::Png;
  failAt(site, UserFault,
         "`%s`: the extension `%s` is not supported; use .npy or .png", path,
         dot ? dot : "");
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
    case FileKind::Unknown:
      break;
    }
  if (!field)
    leave();
  return field;
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
