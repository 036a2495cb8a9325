//===- Folders.cpp - What lies in folders ---------------------------------===//
#include "chirt/containers/Object.h"
#include "chirt/containers/Points.h"
#include "chirt/failure/Failure.h"
#include "chirt/text/Str.h"
#include <cerrno>
#include <dirent.h>
#include <sys/stat.h>

namespace chirt {

static int32_t kindOf(const char *path) {
  struct stat found;
  if (stat(path, &found) != 0)
    return 0;
  return S_ISDIR(found.st_mode) ? 2 : 1;
}

/// Makes a folder and those above it. False, with errno set, if it cannot; one
/// that is there already is fine.
static bool makeFolders(std::string_view path) {
  Text part;
  for (size_t at = 0; at < path.size();) {
    size_t end = path.find('/', at + 1);
    end = end == path.npos ? path.size() : end;
    part << slice(path, at, end - at);
    at = end;
    if (mkdir(part.c_str(), 0777) != 0 && kindOf(part.c_str()) != 2)
      return false;
  }
  return !path.empty() || ((errno = ENOENT), false);
}

[[noreturn]] static void refuse(const chirt_site *site, const char *path) {
  failAt(site, WorldFault, "%s: %s", path ? path : "", strerror(errno));
  leave();
}

} // namespace chirt

using namespace chirt;

int32_t chirt_path_kind(const char *path) { return kindOf(path ? path : ""); }

chirt_object *chirt_path_list(const chirt_site *site, const char *path) {
  DIR *folder = opendir(path ? path : "");
  if (!folder)
    refuse(site, path);
  List *names = makeStrList();
  while (dirent *entry = readdir(folder)) {
    std::string_view name = entry->d_name;
    if (name != "." && name != "..")
      pushStr(*names, makeStr(name));
  }
  closedir(folder);
  chirt_list_sort(names, false);
  return names;
}

void chirt_path_make(const chirt_site *site, const char *path) {
  if (!makeFolders(viewOf(path)))
    refuse(site, path);
}
