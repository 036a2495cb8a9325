//===- Redirect.cpp - Files of runs that leave no trace -------------------===//
#include "chirt/provenance/Redirect.h"

#include <climits>
#include <sys/stat.h>
#include <unistd.h>

namespace chirt {

/// Null: all files are where their paths say.
static const char *folderOfRun() {
  const char *folder = getenv("CHI_SAVE_UNDER");
  return folder && *folder ? folder : nullptr;
}

/// Appends the parts of a path to `out`, none of which leads above `root`.
static void appendParts(Text &out, size_t root, std::string_view path) {
  while (!path.empty()) {
    size_t end = path.find('/');
    std::string_view part = slice(path, 0, end);
    path = end == path.npos ? std::string_view() : slice(path, end + 1);
    if (part.empty() || part == ".")
      continue;
    if (part != "..") {
      out << '/' << part;
      continue;
    }
    size_t last = out.view().rfind('/');
    if (last != std::string_view::npos && last >= root)
      out.truncate(last);
  }
}

void appendBelow(Text &out, std::string_view folder, const char *path) {
  out << folder;
  size_t root = out.size();
  char here[PATH_MAX];
  if (*path != '/' && getcwd(here, sizeof(here)))
    appendParts(out, root, here);
  appendParts(out, root, path);
}

/// Makes the folders above a file, as far as they are behind byte `root`.
static void makeFoldersAbove(Text &path, size_t root) {
  for (size_t at = root + 1; at < path.size(); ++at) {
    if (path.view()[at] != '/')
      continue;
    Text folder;
    folder << slice(path, 0, at);
    mkdir(folder.c_str(), 0777);
  }
}

const char *placeToWrite(const char *path, Text &redirected) {
  const char *folder = folderOfRun();
  struct stat facts;
  bool isDevice = folder && stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
  if (!folder || isDevice)
    return path;
  appendBelow(redirected, folder, path);
  makeFoldersAbove(redirected, strlen(folder));
  return redirected.c_str();
}

const char *placeToRead(const char *path, Text &redirected) {
  const char *folder = folderOfRun();
  if (!folder)
    return path;
  appendBelow(redirected, folder, path);
  return access(redirected.c_str(), F_OK) == 0 ? redirected.c_str() : path;
}

} // namespace chirt
