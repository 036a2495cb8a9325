//===- ProjectTemplate.h - The files of a new project -----------*- C++ -*-===//
#ifndef CHI_DRIVER_PROJECTTEMPLATE_H
#define CHI_DRIVER_PROJECTTEMPLATE_H

#include <string>
#include <vector>

namespace chi::driver {

/// A file of a new project.
struct ProjectFile {
  std::string name, text;
};

/// A program with params, a kernel, a picture, an example and tests; README.md;
/// .gitignore. `name` consists of letters, digits, - and _.
std::vector<ProjectFile> projectFiles(const std::string &name);

} // namespace chi::driver
#endif // CHI_DRIVER_PROJECTTEMPLATE_H
