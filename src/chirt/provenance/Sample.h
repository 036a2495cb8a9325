//===- Sample.h - Whose file a record is beside -----------------*- C++ -*-===//
#ifndef CHIRT_PROVENANCE_SAMPLE_H
#define CHIRT_PROVENANCE_SAMPLE_H

#include <cstdint>

namespace chirt {

/// Tells a file from another one that has its name by now: its size, and a hash
/// of its first and its last 64 KiB. The whole of a large file would cost more
/// time than the record is worth.
struct FileSample {
  int64_t bytes = -1; ///< negative: the file cannot be read
  uint64_t hash = 0;  ///< FNV-1a

  bool operator==(const FileSample &) const = default;
};
/// Reads the sample of a file.
FileSample sampleOf(const char *path);

} // namespace chirt
#endif // CHIRT_PROVENANCE_SAMPLE_H
