//===- ZipReader.h - Members of a ZIP file ----------------------*- C++ -*-===//
#ifndef CHIRT_IO_ZIPREADER_H
#define CHIRT_IO_ZIPREADER_H

#include "chirt/io/File.h"
#include <zlib.h>

namespace chirt {

/// Reads members that are stored as they are or compressed by Deflate, of any
/// size. What the file says is believed only as far as the file goes. Functions
/// return false where it is damaged or cut off.
class ZipReader {
public:
  explicit ZipReader(const char *path) : file(path) {}
  ~ZipReader() { stop(); }
  ZipReader(const ZipReader &) = delete;

  /// 0, or the errno of opening or reading.
  int error() const { return file.error(); }
  /// Reads the list of members. Before all others.
  bool readDirectory();
  /// The number of members, and their names in order.
  size_t size() const { return members.size(); }
  std::string_view name(size_t k) const {
    return slice(names, members[k].nameAt, members[k].nameSize);
  }

  /// Goes to the first byte of a member.
  bool begin(size_t k);
  /// Reads up to `count` bytes of the member; fewer only at its end, or where
  /// it is damaged.
  size_t read(void *data, size_t count);
  /// Bytes of the member that were not read yet.
  uint64_t left() const { return current->size - done; }
  /// Reads the rest of the member. Whether it is whole and has its checksum.
  bool end();

private:
  struct Member {
    size_t nameAt, nameSize; ///< in `names`
    uint64_t size, packed;   ///< bytes, and those that they take in the file
    uint64_t headerAt;       ///< the place of the header before them
    uint32_t checksum, method;
    bool isEncrypted;
  };
  struct Directory {
    uint64_t at, size, count;
  };
  bool findDirectory(Directory &directory);
  bool findLargeDirectory(uint64_t endAt, Directory &directory);
  bool readEntry(uint64_t &at);
  bool readBytes(uint64_t at, void *data, size_t count);
  size_t readStored(char *to, size_t count);
  size_t readPacked(char *to, size_t count);
  void stop();

  OpenFile file;
  uint64_t directoryAt = 0; ///< where the members end
  Array<Member> members;
  Text names;

  const Member *current = nullptr;
  uint64_t packedAt = 0;   ///< the place of the next bytes in the file
  uint64_t packedLeft = 0; ///< how many there are
  uint64_t done = 0;       ///< bytes that were read
  uint32_t checksum = 0;   ///< of these
  Array<unsigned char> input;
  z_stream stream = {};
  bool isInflating = false;
};

} // namespace chirt
#endif // CHIRT_IO_ZIPREADER_H
