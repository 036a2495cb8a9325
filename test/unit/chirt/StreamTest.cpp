//===- StreamTest.cpp - Stores past the caches ----------------------------===//
// Also run under ThreadSanitizer (preset tsan).
#include "Support.h"
#include "chirt/cpu/Caches.h"
#include "chirt/cpu/Transpose.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int64_t dear = 1 << 20; ///< a cost that always wakes the others

/// Bytes that all differ from their neighbours.
std::vector<char> numbered(size_t count) {
  std::vector<char> bytes(count);
  for (size_t i = 0; i < count; ++i)
    bytes[i] = char(i * 7 + i / 251);
  return bytes;
}

TEST(Stream, CopiesAnyBytesFromAndToAnyPlace) {
  std::vector<char> source = numbered(1024);
  for (int64_t from : {0, 1, 16})
    for (int64_t to : {0, 1, 4, 60, 63, 64})
      for (int64_t bytes : {0, 1, 63, 64, 65, 127, 128, 500}) {
        alignas(64) char target[1024];
        memset(target, 99, sizeof(target));
        chirt_stream(target + to, source.data() + from, bytes, from != 1);
        chirt_stream_end();
        ASSERT_EQ(memcmp(target + to, source.data() + from, size_t(bytes)), 0);
        for (int64_t i = 0; i < to; ++i)
          ASSERT_EQ(target[i], 99);
        for (int64_t i = to + bytes; i < int64_t(sizeof(target)); ++i)
          ASSERT_EQ(target[i], 99);
      }
}

/// Folders as Linux shows them for the cores of a processor.
class ReachedCaches : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name =
        (std::filesystem::temp_directory_path() / "chi-cores-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder = name;
    CPU_ZERO(&cores);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// A core that the process may use.
  void add(int core, const char *size, const char *sharers) {
    CPU_SET(core, &cores);
    auto cache = folder / ("cpu" + std::to_string(core)) / "cache";
    for (bool isLast : {false, true}) {
      auto index = cache / (isLast ? "index1" : "index0");
      std::filesystem::create_directories(index);
      std::ofstream(index / "type") << (isLast ? "Unified" : "Data") << '\n';
      std::ofstream(index / "size") << (isLast ? size : "32K") << '\n';
      std::ofstream(index / "level") << (isLast ? 3 : 1) << '\n';
      if (isLast && *sharers)
        std::ofstream(index / "shared_cpu_list") << sharers << '\n';
    }
  }
  int64_t reached(int threads) {
    return chirt::reachedCaches(folder.c_str(), cores, threads);
  }

  std::filesystem::path folder;
  cpu_set_t cores;
};

TEST_F(ReachedCaches, OneThatAllShareCountsOnce) {
  for (int core = 0; core < 4; ++core)
    add(core, "32768K", "0-3");
  EXPECT_EQ(reached(1), 32 << 20);
  EXPECT_EQ(reached(4), 32 << 20);
}

TEST_F(ReachedCaches, ThoseOfAProcessorOfSeveralAddUpForItsThreads) {
  for (int core = 0; core < 4; ++core)
    add(core, "32M", core < 2 ? "0-1,8-9" : "2-3,10-11");
  EXPECT_EQ(reached(1), 32 << 20);
  EXPECT_EQ(reached(2), 64 << 20);
  EXPECT_EQ(reached(4), 64 << 20);
}

TEST_F(ReachedCaches, OnlyThoseOfTheCoresThatThePoolMayUse) {
  add(0, "32M", "0-1");
  add(2, "32M", "2-3");
  CPU_CLR(2, &cores);
  EXPECT_EQ(reached(2), 32 << 20);
}

TEST_F(ReachedCaches, SharedByAllWhereNothingIsReported) {
  add(0, "32M", "");
  add(1, "32M", "");
  EXPECT_EQ(reached(2), 32 << 20);
}

TEST_F(ReachedCaches, NoneWhereNothingIsReported) {
  CPU_SET(0, &cores);
  EXPECT_EQ(reached(2), 0);
}

TEST(Stream, FromTwiceTheCachesOn) {
  int64_t cache = 32 << 20;
  EXPECT_FALSE(chirt::exceedsCaches(cache, cache));
  EXPECT_FALSE(chirt::exceedsCaches(2 * cache, cache));
  EXPECT_TRUE(chirt::exceedsCaches(2 * cache + 2, cache));
  // No machine has a cache of this size, nor one that holds nothing.
  EXPECT_TRUE(chirt_streams(int64_t(1) << 60));
  EXPECT_FALSE(chirt_streams(1));
}

using Transpose = void (*)(const chirt::Tile &, int32_t past);

void byRuntime(const chirt::Tile &tile, int32_t past) {
  chirt_stream_tile(tile.to, tile.stride, tile.from, tile.size, tile.pitch,
                    tile.rows, tile.columns, past);
}

/// Copies of whole lines only.
void copyLines(char *to, const char *from, int64_t bytes) {
  ASSERT_EQ(reinterpret_cast<intptr_t>(to) % 64, 0);
  ASSERT_EQ(bytes % 64, 0);
  memcpy(to, from, size_t(bytes));
}

chirt::LineCopy linesOf(const chirt::Tile &tile, int32_t past) {
  int64_t place = reinterpret_cast<intptr_t>(tile.to);
  bool isWhole = (place | tile.stride | (tile.rows * tile.size)) % 64 == 0;
  return past && isWhole ? copyLines : nullptr;
}

void anywhere(const chirt::Tile &tile, int32_t past) {
  chirt::transposeTile(tile, linesOf(tile, past));
}

/// Whether a transposed tile has its elements in place and nothing round it.
void expectTransposed(int64_t size, int64_t rows, int64_t columns,
                      int64_t shift, int64_t gap, int32_t past,
                      Transpose transpose) {
  int64_t pitch = columns + 3, stride = rows * size + gap;
  std::vector<char> source = numbered(size_t(rows * pitch * size));
  alignas(64) static char target[1 << 17];
  memset(target, 99, sizeof(target));
  transpose({target + shift, stride, source.data(), pitch, size, rows, columns},
            past);
  chirt_stream_end();
  std::vector<char> wanted(sizeof(target), 99);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      memcpy(&wanted[size_t(shift + c * stride + r * size)],
             &source[size_t((r * pitch + c) * size)], size_t(size));
  ASSERT_EQ(memcmp(target, wanted.data(), sizeof(target)), 0)
      << size << " bytes, " << rows << " x " << columns << ", past " << past;
}

void expectAllTransposed(Transpose transpose) {
  for (int64_t size : {1, 2, 4, 8})
    for (int64_t rows : {1, 5, 16, 64, 67, 72, 128})
      for (int64_t columns : {1, 7, 16, 64, 65})
        for (int64_t gap : {0, 64, 8})
          for (int32_t past : {0, 1}) {
            expectTransposed(size, rows, columns, 0, gap, past, transpose);
            expectTransposed(size, rows, columns, 8, gap, past, transpose);
          }
}

TEST(Stream, TransposesTilesOfAllSizes) { expectAllTransposed(byRuntime); }

TEST(Stream, TransposesOnAnyProcessor) { expectAllTransposed(anywhere); }

#ifdef __x86_64__
TEST(Stream, TransposesWithAVX2) {
  if (!__builtin_cpu_supports("avx2"))
    GTEST_SKIP() << "a processor without AVX2";
  expectAllTransposed([](const chirt::Tile &tile, int32_t past) {
    chirt::transposeTileAVX2(tile, linesOf(tile, past));
  });
}

TEST(Stream, TransposesWithAVX512) {
  if (!__builtin_cpu_supports("avx512bw"))
    GTEST_SKIP() << "a processor without AVX-512";
  expectAllTransposed([](const chirt::Tile &tile, int32_t past) {
    chirt::transposeTileAVX512(tile, linesOf(tile, past));
  });
}
#endif

/// One field written past the caches by one launch and read by the next, whose
/// parts lie the other way round.
struct Relay {
  int64_t *values; ///< at a multiple of 64 bytes
  int64_t count, round = 0;
  std::vector<int64_t> wrong;
};

constexpr int64_t chunk = 512;

void writePast(void *args, int64_t begin, int64_t end, int32_t) {
  auto *relay = static_cast<Relay *>(args);
  alignas(64) int64_t buffer[chunk];
  for (int64_t at = begin; at < end; at += chunk) {
    int64_t count = end - at < chunk ? end - at : chunk;
    for (int64_t k = 0; k < count; ++k)
      buffer[k] = relay->round + at + k;
    chirt_stream(relay->values + at, buffer, count * 8, 1);
  }
  chirt_stream_end();
}

void readMirrored(void *args, int64_t begin, int64_t end, int32_t worker) {
  auto *relay = static_cast<Relay *>(args);
  int64_t n = relay->count, wrong = 0;
  for (int64_t i = begin; i < end; ++i) {
    int64_t at = n - 1 - i;
    wrong += relay->values[at] != relay->round + at;
  }
  relay->wrong[size_t(worker)] += wrong;
}

/// The same by tiles of 8 by 8, transposed within themselves.
void writeTiles(void *args, int64_t begin, int64_t end, int32_t) {
  auto *relay = static_cast<Relay *>(args);
  alignas(64) int64_t buffer[64];
  for (int64_t at = begin; at + 64 <= end; at += 64) {
    for (int64_t r = 0; r < 8; ++r)
      for (int64_t c = 0; c < 8; ++c)
        buffer[r * 8 + c] = relay->round + at + c * 8 + r;
    chirt_stream_tile(relay->values + at, 64, buffer, 8, 8, 8, 8, 1);
  }
  chirt_stream_end();
}

void relayManyTimes(chirt_chunk write, int64_t n) {
  auto *values = static_cast<int64_t *>(chirt_scratch_push(n * 8));
  Relay relay{values, n, 0, {}};
  relay.wrong.resize(size_t(chirt_num_workers()));
  for (int64_t round = 1; round <= 3000; ++round) {
    relay.round = round * 1000003;
    chirt_parallel(write, &relay, n, 64, dear);
    chirt_parallel(readMirrored, &relay, n, 64, dear);
  }
  chirt_scratch_pop(values);
  for (int64_t wrong : relay.wrong)
    ASSERT_EQ(wrong, 0);
}

TEST(Stream, NextLaunchSeesWhatAnotherThreadWrote) {
  relayManyTimes(writePast, 4096);
  relayManyTimes(writePast, 256);
}

TEST(Stream, NextLaunchSeesTilesThatAnotherThreadWrote) {
  relayManyTimes(writeTiles, 4096);
  relayManyTimes(writeTiles, 256);
}

} // namespace
