//===- ReadRecord.cpp - How a file was made -------------------------------===//
// The first bytes of a file decide its format, not its name.
#include "chirt/host.h"
#include "chirt/inspect/Kind.h"
#include "chirt/io/File.h"
#include "chirt/io/NpyHeader.h"
#include "chirt/io/ZipReader.h"
#include "chirt/provenance/Record.h"

#include <cerrno>
#include <sys/xattr.h>

namespace chirt {

namespace {
/// A record is not longer: what claims to be is damaged.
constexpr uint32_t kLongest = 1 << 24;

enum class Outcome { Read, Nothing, Damaged };

uint32_t bigEndian(const unsigned char *b) {
  return uint32_t(b[0]) << 24 | uint32_t(b[1]) << 16 | uint32_t(b[2]) << 8 |
         b[3];
}

/// The text of a tEXt chunk with our keyword is the record.
Outcome readTextChunk(OpenFile &file, uint32_t size, Text &record) {
  unsigned char end[4];
  Array<char> bytes;
  bytes.resize(4 + size_t(size)); // the type, which the checksum is of, too
  memcpy(bytes.data(), "tEXt", 4);
  if (file.read(bytes.data() + 4, size) < size || file.read(end, 4) < 4)
    return Outcome::Damaged;
  std::string_view text(bytes.data() + 4, size);
  constexpr std::string_view keyword(kRecordName, sizeof(kRecordName));
  if (!text.starts_with(keyword))
    return Outcome::Nothing;
  auto *data = reinterpret_cast<const Bytef *>(bytes.data());
  if (crc32(0, data, uInt(bytes.size())) != bigEndian(end))
    return Outcome::Damaged;
  record << slice(text, keyword.size());
  return Outcome::Read;
}

/// Goes through the chunks of a PNG file up to its pixels.
Outcome readPngRecord(OpenFile &file, Text &record) {
  unsigned char head[8];
  if (file.read(head, 8) < 8)
    return Outcome::Damaged;
  for (;;) {
    if (file.read(head, 8) < 8)
      return Outcome::Damaged;
    uint32_t size = bigEndian(head);
    bool isText = memcmp(head + 4, "tEXt", 4) == 0;
    if (memcmp(head + 4, "IEND", 4) == 0)
      return Outcome::Nothing;
    if (isText && size <= kLongest) {
      Outcome outcome = readTextChunk(file, size, record);
      if (outcome != Outcome::Nothing)
        return outcome;
      continue;
    }
    char skipped[4096];
    for (uint64_t left = uint64_t(size) + 4; left > 0;) {
      size_t part = left < sizeof(skipped) ? size_t(left) : sizeof(skipped);
      if (file.read(skipped, part) < part)
        return Outcome::Damaged;
      left -= part;
    }
  }
}

Outcome readNpzRecord(const char *path, Text &record) {
  ZipReader zip(path);
  if (!zip.readDirectory())
    return Outcome::Damaged;
  Text member;
  member << kRecordName << ".npy";
  size_t number = 0;
  while (number < zip.size() && zip.name(number) != member.view())
    ++number;
  if (number == zip.size())
    return Outcome::Nothing;
  ByteSource source = {[](void *from, void *data, size_t size) {
                         return static_cast<ZipReader *>(from)->read(data,
                                                                     size);
                       },
                       &zip};
  NpyHeader header;
  if (!zip.begin(number) || !readNpyHeader(source, header) ||
      header.isUnicode || header.textLength < 0 ||
      header.textLength > kLongest || header.axes != 0)
    return Outcome::Damaged;
  Array<char> text;
  text.resize(size_t(header.textLength));
  bool isWhole = zip.read(text.data(), text.size()) == text.size();
  record << std::string_view(text.data(), text.size());
  return isWhole && zip.end() ? Outcome::Read : Outcome::Damaged;
}

/// The file beside an npy file has the record.
Outcome readBeside(const char *path, Text &record) {
  Text name, sample;
  name << path << kRecordExtension;
  OpenFile file(name.c_str());
  if (file.error() == ENOENT)
    return Outcome::Nothing;
  Array<char> text;
  int64_t size = file.size();
  if (size < 0 || size > kLongest)
    return Outcome::Damaged;
  text.resize(size_t(size));
  record << std::string_view(text.data(), file.read(text.data(), text.size()));
  return file.error() ? Outcome::Damaged : Outcome::Read;
}

/// Whether a record that is read from beside a file is that file's.
bool isOfFile(const char *path, std::string_view record) {
  FileSample sample = sampleOf(path);
  Text words;
  words << "\"bytes\": " << static_cast<long long>(sample.bytes);
  words.appendf(", \"sample\": \"%016llx\"",
                static_cast<unsigned long long>(sample.hash));
  bool hasSample = record.find("\"sample\": \"") != record.npos;
  return !hasSample || record.find(words.view()) != record.npos;
}

/// "`a.png` has no record …", or a reason why it cannot be read.
int32_t explain(Text &out, const char *path, FileContent kind,
                Outcome outcome) {
  bool isBeside = kind == FileContent::Npy;
  if (outcome == Outcome::Damaged && isBeside)
    out << "the record in `" << path << kRecordExtension
        << "` cannot be read, or is damaged";
  else if (outcome == Outcome::Damaged)
    out << '`' << path << "` is damaged or cut off: its record cannot be read";
  else if (isBeside)
    out << '`' << path << "` has no record of how it was made: there is no `"
        << path << kRecordExtension << '`';
  else
    out << '`' << path << "` has no record of how it was made";
  return 1;
}

int32_t readRecord(Text &path, Text &out) {
  if (path.view().ends_with(kRecordExtension))
    path.truncate(path.size() + 1 - sizeof(kRecordExtension));
  OpenFile file(path.c_str());
  if (file.error()) {
    out << "cannot read `" << path << "`: " << strerror(file.error());
    return 2;
  }
  FileContent kind = contentOf(file);
  if (kind == FileContent::Other) {
    out << '`' << path
        << "` has no record of how it was made: it is no png, npz or npy file";
    return 1;
  }
  Text record;
  Outcome outcome = kind == FileContent::Png ? readPngRecord(file, record)
                    : kind == FileContent::Npz
                        ? readNpzRecord(path.c_str(), record)
                        : readBeside(path.c_str(), record);
  if (outcome != Outcome::Read)
    return explain(out, path.c_str(), kind, outcome);
  if (kind == FileContent::Npy && !isOfFile(path.c_str(), record)) {
    out << "the record in `" << path << kRecordExtension
        << "` is that of another file: `" << path << "` was replaced since";
    return 1;
  }
  out << record;
  return 0;
}
} // namespace

FileContent contentOf(OpenFile &file) {
  char first[8] = {};
  std::string_view bytes(first, file.readAt(0, first, sizeof(first)));
  if (bytes == "\x89PNG\r\n\x1a\n")
    return FileContent::Png;
  if (bytes.starts_with("PK"))
    return FileContent::Npz;
  return bytes.starts_with("\x93NUMPY") ? FileContent::Npy : FileContent::Other;
}

} // namespace chirt

using namespace chirt;

int32_t chirt_read_record(const char *path, char **text) {
  Text name, out;
  name << path;
  int32_t status = readRecord(name, out);
  *text = strdup(out.c_str());
  return status;
}

char *chirt_read_making(const char *path) {
  for (bool isBeside : {false, true}) {
    Text name;
    name << path << (isBeside ? kRecordExtension : "");
    char text[8192];
    ssize_t size =
        getxattr(name.c_str(), kMakingAttribute, text, sizeof(text) - 1);
    if (size <= 0)
      continue;
    text[size] = '\0';
    return strdup(text);
  }
  return nullptr;
}
