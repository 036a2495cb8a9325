//===- ZipReader.cpp ------------------------------------------------------===//
// Format: APPNOTE.TXT of PKWARE, version 6.3.
#include "chirt/io/ZipReader.h"

#include "chirt/text/Write.h"

namespace chirt {

namespace {
constexpr uint32_t entryMark = 0x02014b50, headerMark = 0x04034b50,
                   endMark = 0x06054b50, largeEndMark = 0x06064b50,
                   locatorMark = 0x07064b50;
constexpr size_t entrySize = 46, headerSize = 30, endSize = 22,
                 largeEndSize = 56, locatorSize = 20;
constexpr uint32_t stored = 0, deflated = 8;
/// Where a number of 32 bits is this one, one of 64 bits follows elsewhere.
constexpr uint32_t saturated = 0xffffffff;

/// A number of `bytes` bytes at `at`, little-endian.
uint64_t numberAt(const unsigned char *at, int bytes) {
  uint64_t value = 0;
  for (int k = bytes; k-- > 0;)
    value = value << 8 | at[k];
  return value;
}
uint32_t wordAt(const unsigned char *at) { return uint32_t(numberAt(at, 4)); }
uint16_t shortAt(const unsigned char *at) { return uint16_t(numberAt(at, 2)); }
} // namespace

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

bool ZipReader::readBytes(uint64_t at, void *data, size_t count) {
  auto all = uint64_t(file.size());
  return at <= all && count <= all - at &&
         file.readAt(at, data, count) == count;
}

/// The record of a file with numbers of 64 bits, if there is one.
bool ZipReader::findLargeDirectory(uint64_t endAt, Directory &directory) {
  unsigned char locator[locatorSize], end[largeEndSize];
  if (endAt < locatorSize ||
      !readBytes(endAt - locatorSize, locator, locatorSize) ||
      wordAt(locator) != locatorMark)
    return true;
  if (!readBytes(numberAt(locator + 8, 8), end, largeEndSize) ||
      wordAt(end) != largeEndMark)
    return false;
  directory = {numberAt(end + 48, 8), numberAt(end + 40, 8),
               numberAt(end + 32, 8)};
  return true;
}

/// Searches the record at the end of the file, behind which a comment may
/// stand.
bool ZipReader::findDirectory(Directory &directory) {
  constexpr size_t longestComment = 0xffff;
  int64_t all = file.size();
  if (all < int64_t(endSize))
    return false;
  Array<unsigned char> tail;
  size_t count = endSize + longestComment;
  tail.resize(uint64_t(all) < count ? size_t(all) : count);
  uint64_t tailAt = uint64_t(all) - tail.size();
  if (!readBytes(tailAt, tail.data(), tail.size()))
    return false;
  for (size_t at = tail.size() - endSize + 1; at-- > 0;) {
    const unsigned char *end = tail.data() + at;
    if (wordAt(end) != endMark ||
        shortAt(end + 20) != tail.size() - at - endSize)
      continue;
    directory = {wordAt(end + 16), wordAt(end + 12), shortAt(end + 10)};
    uint64_t endAt = tailAt + at;
    return findLargeDirectory(endAt, directory) && directory.at <= endAt &&
           directory.size <= endAt - directory.at;
  }
  return false;
}

/// Appends the entry at `at`, and goes behind it.
bool ZipReader::readEntry(uint64_t &at) {
  unsigned char entry[entrySize];
  if (!readBytes(at, entry, entrySize) || wordAt(entry) != entryMark)
    return false;
  Member member = {names.size(),        shortAt(entry + 28), wordAt(entry + 24),
                   wordAt(entry + 20),  wordAt(entry + 42),  wordAt(entry + 16),
                   shortAt(entry + 10), (entry[8] & 1) != 0};
  size_t extra = shortAt(entry + 30), comment = shortAt(entry + 32);
  Array<unsigned char> bytes;
  bytes.resize(member.nameSize + extra);
  if (!readBytes(at + entrySize, bytes.data(), bytes.size()))
    return false;
  names << std::string_view(reinterpret_cast<char *>(bytes.data()),
                            member.nameSize);
  const unsigned char *field = bytes.data() + member.nameSize;
  for (size_t left = extra; left >= 4;) {
    size_t size = shortAt(field + 2);
    if (size > left - 4)
      break;
    const unsigned char *number = field + 4, *fieldEnd = number + size;
    for (uint64_t *large : {&member.size, &member.packed, &member.headerAt})
      if (shortAt(field) == 1 && *large == saturated && fieldEnd - number >= 8)
        *large = numberAt(number, 8), number += 8;
    field = fieldEnd, left -= 4 + size;
  }
  members.push(member);
  at += entrySize + bytes.size() + comment;
  // A byte becomes at most 1032. A file that says more asks for memory only.
  return member.method == stored ? member.size == member.packed
                                 : member.size / 1040 <= member.packed;
}

bool ZipReader::readDirectory() {
  Directory directory;
  if (error() || !findDirectory(directory))
    return false;
  directoryAt = directory.at;
  uint64_t at = directory.at, end = directory.at + directory.size;
  for (uint64_t k = 0; k < directory.count; ++k)
    if (at >= end || !readEntry(at))
      return false;
  return at == end;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

void ZipReader::stop() {
  if (isInflating)
    inflateEnd(&stream);
  isInflating = false;
}

bool ZipReader::begin(size_t k) {
  stop();
  current = &members[k];
  done = 0, checksum = 0, packedLeft = 0;
  unsigned char header[headerSize];
  if (!readBytes(current->headerAt, header, headerSize) ||
      wordAt(header) != headerMark || shortAt(header + 26) != current->nameSize)
    return false;
  Array<char> known;
  known.resize(current->nameSize);
  packedAt = current->headerAt + headerSize;
  if (!readBytes(packedAt, known.data(), known.size()) ||
      std::string_view(known.data(), known.size()) != name(k))
    return false;
  packedAt += current->nameSize + shortAt(header + 28);
  packedLeft = current->packed;
  if (packedAt > directoryAt || packedLeft > directoryAt - packedAt ||
      current->isEncrypted)
    return false;
  if (current->method == stored)
    return true;
  stream = {};
  isInflating =
      current->method == deflated && inflateInit2(&stream, -MAX_WBITS) == Z_OK;
  return isInflating;
}

size_t ZipReader::readStored(char *to, size_t count) {
  size_t got = file.readAt(packedAt, to, count);
  packedAt += got, packedLeft -= got;
  return got;
}

size_t ZipReader::readPacked(char *to, size_t count) {
  constexpr size_t most = size_t(1) << 16;
  input.resize(most);
  stream.next_out = reinterpret_cast<unsigned char *>(to);
  stream.avail_out = unsigned(count);
  while (stream.avail_out > 0) {
    if (stream.avail_in == 0 && packedLeft > 0) {
      size_t wanted = packedLeft < most ? size_t(packedLeft) : most;
      size_t got = readStored(reinterpret_cast<char *>(input.data()), wanted);
      stream.next_in = input.data();
      stream.avail_in = unsigned(got);
      if (got < wanted)
        break;
    }
    if (inflate(&stream, Z_NO_FLUSH) != Z_OK)
      break;
  }
  return count - stream.avail_out;
}

size_t ZipReader::read(void *data, size_t count) {
  char *to = static_cast<char *>(data);
  size_t before = size_t(done);
  while (count > 0 && left() > 0) {
    size_t chunk = count < kChunkBytes ? count : kChunkBytes;
    chunk = left() < chunk ? size_t(left()) : chunk;
    size_t got = isInflating ? readPacked(to, chunk) : readStored(to, chunk);
    checksum = uint32_t(
        crc32(checksum, reinterpret_cast<unsigned char *>(to), unsigned(got)));
    to += got, count -= got, done += got;
    if (got < chunk)
      break;
  }
  return size_t(done) - before;
}

bool ZipReader::end() {
  char rest[4096];
  while (read(rest, sizeof(rest)) > 0)
    ;
  return left() == 0 && checksum == current->checksum;
}

} // namespace chirt
