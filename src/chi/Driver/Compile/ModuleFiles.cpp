//===- ModuleFiles.cpp ----------------------------------------------------===//
#include "chi/Driver/Compile/ModuleFiles.h"
#include "chi/Launch/Files.h"
#include "chi/Parse/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <unistd.h>

using namespace chi;
using namespace chi::driver;

/// The source of the library hides the copy beside chic, which it is.
static bool haveSameText(const std::string &a, const std::string &b) {
  std::string why;
  return launch::readModule(a, why) == launch::readModule(b, why);
}

const std::string *ModuleFiles::openText(const std::string &file) const {
  if (!open)
    return nullptr;
  llvm::SmallString<128> plain(file);
  llvm::sys::path::remove_dots(plain, /*remove_dot_dot=*/true);
  auto found = open->find(plain.str());
  return found == open->end() ? nullptr : &found->second;
}

bool ModuleFiles::isThere(const std::string &file) const {
  return openText(file) || ::access(file.c_str(), R_OK) == 0;
}

sema::ModuleLoader::Result ModuleFiles::load(llvm::StringRef path,
                                             uint32_t fromFile) {
  std::string relative = path.str();
  std::replace(relative.begin(), relative.end(), '.', '/');
  relative += ".chi";

  std::vector<std::string> folders;
  folders.push_back(llvm::sys::path::parent_path(sources.name(fromFile)).str());
  // A module in a folder names its neighbours as its importer does.
  std::string main = llvm::sys::path::parent_path(sources.name(0)).str();
  if (main != folders.front())
    folders.push_back(main);
  folders.insert(folders.end(), includeDirs.begin(), includeDirs.end());
  std::string standard = stdlibFolder + "/" + relative;
  for (const std::string &folder : folders) {
    std::string file = folder.empty() ? relative : folder + "/" + relative;
    if (file == standard)
      break;
    if (!isThere(file)) {
      dependencies.push_back({file, /*isAbsent=*/true, {}});
      continue;
    }
    Result result = loadFile(file);
    result.hidesStandard = isThere(standard) && !haveSameText(file, standard);
    return result;
  }
  if (isThere(standard))
    return loadFile(standard);
  dependencies.push_back({standard, /*isAbsent=*/true, {}});
  Result result;
  folders.push_back(stdlibFolder);
  for (const std::string &folder : folders) {
    llvm::SmallString<128> shown(folder.empty() ? "." : folder);
    llvm::sys::path::remove_dots(shown, /*remove_dot_dot=*/true);
    if (shown.empty())
      shown = ".";
    if (!llvm::is_contained(result.searched, shown.str()))
      result.searched.push_back(shown.str().str());
  }
  return result;
}

sema::ModuleLoader::Result ModuleFiles::loadFile(const std::string &file) {
  Result result;
  result.found = true;
  if (auto known = modules.find(file); known != modules.end()) {
    result.module = known->second;
    return result;
  }
  std::string why;
  const std::string *unsaved = openText(file);
  auto text = unsaved ? std::optional(*unsaved) : launch::readModule(file, why);
  if (!text) {
    problem = "'" + file + "': " + why;
    return result;
  }
  dependencies.push_back({file, /*isAbsent=*/false, launch::hashBytes(*text)});
  uint32_t id = sources.add(file, std::move(*text));
  result.module = parse::parseModule(sources, id, context, diags);
  modules[file] = result.module;
  return result;
}
