//===- LineFiles.h - Reading what workers wrote -----------------*- C++ -*-===//
#ifndef CHI_SWEEP_WORKERS_LINEFILES_H
#define CHI_SWEEP_WORKERS_LINEFILES_H

#include "chi/Launch/Descriptor.h"
#include "chi/Sweep/Store/Line.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <string>
#include <vector>

namespace chi::sweep {

/// The files of lines in a folder, each read up to an offset.
class LineFiles {
public:
  explicit LineFiles(std::string folder) : folder(std::move(folder)) {}

  /// How far a file was read before.
  void setOffset(const std::string &name, int64_t bytes) {
    files[name].bytes = bytes;
  }
  /// Reads the whole lines that came to a file, in order. Lines that another
  /// file replaces are skipped.
  void read(const std::string &name,
            llvm::function_ref<void(const Line &)> apply);
  /// The same for all files of the folder ("*.jsonl").
  void readAll(llvm::function_ref<void(const Line &)> apply);
  /// No more of this file is read.
  void close(const std::string &name);
  /// The offsets that changed since the last call.
  std::vector<std::pair<std::string, int64_t>> takeChanged();

  /// The names of the files in the folder, sorted.
  std::vector<std::string> names() const;
  /// Whether a process holds the lock of a file, as living workers do.
  bool isLocked(const std::string &name) const;

private:
  struct File {
    launch::Descriptor file;
    int64_t bytes = 0;
    int64_t limit = -1; ///< what counts of it; -1: all
    bool isChanged = false;
  };
  void open(const std::string &name, File &one);

  std::string folder;
  std::map<std::string, File> files;
};

} // namespace chi::sweep
#endif // CHI_SWEEP_WORKERS_LINEFILES_H
