//===- LineFiles.cpp - Reading what workers wrote -------------------------===//
#include "chi/Sweep/Workers/LineFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

/// What a file has from `offset`.
static std::string textFrom(const launch::Descriptor &file, int64_t offset) {
  std::string text;
  char buffer[16384];
  ssize_t count;
  while ((count = ::pread(file.get(), buffer, sizeof(buffer),
                          offset + int64_t(text.size()))) > 0)
    text.append(buffer, size_t(count));
  return text;
}

void LineFiles::open(const std::string &name, File &one) {
  one.file = launch::Descriptor(
      ::open((folder + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
  // What it replaces is its first line, also if that was read before.
  std::string text = one.bytes ? textFrom(one.file, 0) : "";
  if (auto first = readLine(llvm::StringRef(text).split('\n').first))
    if (first->kind == Line::Replaces)
      files[first->file].limit = first->bytes;
}

void LineFiles::read(const std::string &name,
                     llvm::function_ref<void(const Line &)> apply) {
  File &one = files[name];
  if (!one.file.isOpen())
    open(name, one);
  std::string text = textFrom(one.file, one.bytes);
  llvm::StringRef rest = text;
  while (rest.contains('\n')) {
    auto [line, after] = rest.split('\n');
    rest = after;
    one.bytes += int64_t(line.size()) + 1;
    one.isChanged = true;
    auto read = readLine(line);
    if (!read || (one.limit >= 0 && one.bytes > one.limit))
      continue;
    if (read->kind == Line::Replaces)
      files[read->file].limit = read->bytes;
    else
      apply(*read);
  }
}

void LineFiles::readAll(llvm::function_ref<void(const Line &)> apply) {
  // A file that replaces another one sorts behind it, and is read before.
  std::vector<std::string> all = names();
  for (const std::string &name : llvm::reverse(all))
    read(name, apply);
}

void LineFiles::close(const std::string &name) {
  (void)files[name].file.close();
}

std::vector<std::pair<std::string, int64_t>> LineFiles::takeChanged() {
  std::vector<std::pair<std::string, int64_t>> taken;
  for (auto &[name, one] : files)
    if (std::exchange(one.isChanged, false))
      taken.emplace_back(name, one.bytes);
  return taken;
}

std::vector<std::string> LineFiles::names() const {
  std::vector<std::string> names;
  if (DIR *open = ::opendir(folder.c_str())) {
    while (dirent *entry = ::readdir(open))
      if (llvm::StringRef(entry->d_name).ends_with(".jsonl"))
        names.push_back(entry->d_name);
    ::closedir(open);
  }
  llvm::sort(names);
  return names;
}

bool LineFiles::isLocked(const std::string &name) const {
  launch::Descriptor file(
      ::open((folder + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
  return file.isOpen() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}
