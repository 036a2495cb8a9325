//===- ZipTest.cpp - ZIP files as others write them -----------------------===//
#include "chirt/failure/Failure.h"
#include "chirt/io/Npz.h"

#include "Support.h"
#include <filesystem>
#include <fstream>
#include <zlib.h>

using namespace chirt;

namespace {

struct Zip : testing::Test {
  std::string file =
      std::filesystem::temp_directory_path() /
      (std::string("chirt_zip_") +
       testing::UnitTest::GetInstance()->current_test_info()->name() + ".npz");
  void TearDown() override { std::filesystem::remove(file); }
  void write(const std::string &bytes) const {
    // Some file systems write a file that is replaced to the disk at once.
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
  }
  /// Reads the member; what the failure said, or "" if there was none.
  std::string read(std::string &bytes) const {
    NpzReader reader(file.c_str());
    Text text;
    if (!reader.open(nullptr) || !reader.loadBytes(nullptr, "state.json", text))
      return std::string(lastFailure());
    bytes = text.view();
    return "";
  }
};

std::string number(uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8)
    text += char(value & 0xff);
  return text;
}

std::string deflate(const std::string &bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 100, '\0');
  stream.next_in =
      reinterpret_cast<unsigned char *>(const_cast<char *>(bytes.data()));
  stream.avail_in = unsigned(bytes.size());
  stream.next_out = reinterpret_cast<unsigned char *>(packed.data());
  stream.avail_out = unsigned(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A ZIP file of one member, as others write it. `isLarge`: its numbers are in
/// the records for 64 bits.
std::string zipOf(const std::string &name, const std::string &bytes,
                  bool isPacked, bool isLarge) {
  std::string packed = isPacked ? deflate(bytes) : bytes;
  uint64_t sum = crc32(0, reinterpret_cast<const unsigned char *>(bytes.data()),
                       unsigned(bytes.size()));
  std::string facts =
      number(isPacked ? 8 : 0, 2) + number(0, 4) + number(sum, 4) +
      number(isLarge ? 0xffffffff : packed.size(), 4) +
      number(isLarge ? 0xffffffff : bytes.size(), 4) + number(name.size(), 2);
  std::string sizes = number(bytes.size(), 8) + number(packed.size(), 8);
  std::string localExtra, extra;
  if (isLarge) {
    localExtra = number(1, 2) + number(16, 2) + sizes;
    extra = number(0x7777, 2) + number(2, 2) + "xx" + number(1, 2) +
            number(24, 2) + sizes + number(0, 8);
  }
  std::string file = "PK\3\4" + number(45, 2) + number(0, 2) + facts +
                     number(localExtra.size(), 2) + name + localExtra + packed;
  uint64_t directoryAt = file.size();
  file += "PK\1\2" + number(45, 2) + number(45, 2) + number(0, 2) + facts +
          number(extra.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) +
          number(0, 4) + number(isLarge ? 0xffffffff : 0, 4) + name + extra;
  uint64_t size = file.size() - directoryAt, endAt = file.size();
  if (isLarge)
    file += "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) +
            number(0, 8) + number(1, 8) + number(1, 8) + number(size, 8) +
            number(directoryAt, 8) + "PK\6\7" + number(0, 4) +
            number(endAt, 8) + number(1, 4);
  return file + "PK\5\6" + number(0, 4) + number(isLarge ? 0xffff : 1, 2) +
         number(isLarge ? 0xffff : 1, 2) +
         number(isLarge ? 0xffffffff : size, 4) +
         number(isLarge ? 0xffffffff : directoryAt, 4) + number(7, 2) +
         "comment";
}

TEST_F(Zip, FilesOfOthers) {
  std::string bytes;
  for (int k = 0; k < 100000; ++k)
    bytes += std::to_string(k % 97);
  for (int form = 0; form < 4; ++form) {
    const std::string whole =
        zipOf("state.json", bytes, (form & 1) != 0, (form & 2) != 0);
    write(whole);
    std::string text;
    EXPECT_EQ(read(text), "");
    EXPECT_EQ(text, bytes) << form;
    for (size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 997) {
      std::string changed = whole;
      changed[at] = char(~changed[at]);
      write(changed);
      std::string said = read(text);
      ASSERT_TRUE(said.starts_with("error: ") || (said == "" && text == bytes))
          << at;
    }
  }
}

// A member of 4 GiB of which the file has nothing asks for no memory.
TEST_F(Zip, SizesThatAreNotThere) {
  std::string bytes = zipOf("state.json", "{}", true, true);
  size_t extra = bytes.rfind("\x77\x77");
  bytes.replace(extra + 10, 8, number(uint64_t(1) << 40, 8));
  write(bytes);
  EXPECT_EQ(read(bytes), "error: `" + file +
                             "` is not an npz file, or is damaged or cut "
                             "off\n");
}

} // namespace
