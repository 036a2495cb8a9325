//===- TapeMemoryTest.cpp - What is said when memory is short -------------===//
#include "TapeTasks.h"
#include "chirt/support/Memory.h"
#include "chirt/support/Arena.h"
#include <sys/resource.h>

namespace {
using namespace tasks;

std::string amount(uint64_t bytes) {
  chirt::Text text;
  text.appendBytes(bytes);
  return std::string(text.view());
}

TEST(TapeMemory, AmountsHaveTheirUnit) {
  EXPECT_EQ(amount(0), "0 KiB");
  EXPECT_EQ(amount(1), "1 KiB");
  EXPECT_EQ(amount(40'000), "40 KiB");
  EXPECT_EQ(amount((1 << 20) - 1), "1024 KiB");
  EXPECT_EQ(amount(1 << 20), "1 MiB");
  EXPECT_EQ(amount(uint64_t(5) << 19), "3 MiB");
  EXPECT_EQ(amount(uint64_t(1) << 45), "33554432 MiB");
}

/// What the process has now, and `more`, is all that it may have.
void limitMemory(uint64_t more) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (!file || fscanf(file, "%lu", &pages) != 1)
    abort();
  fclose(file);
  rlimit limit = {pages * 4096 + more, pages * 4096 + more};
  setrlimit(RLIMIT_AS, &limit);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

/// Whose adjoint wants it as it is before.
Field wide() {
  return Field(makeField("f64;grad", {1 << 20}), chirt_field_release);
}

TEST(TapeMemory, ASaveNamesFieldLoopAndBytes) {
  auto run = [] {
    Field x = wide(), loss = scalar();
    limitMemory(uint64_t(30) << 20);
    tape(loss, [&] {
      for (int k = 0; k < 100; ++k)
        squareInPlace()({x.get()});
    });
  };
  EXPECT_EXIT(
      run(), testing::ExitedWithCode(2),
      "none.chi:17:3: error: out of memory: a saved copy of "
      "`x`, a field of shape \\(1048576,\\) needs 8 MiB, [0-9]+ .iB are "
      "free; the tape holds [0-9]+ MiB: [0-9]+ MiB of saved values, 0 KiB of "
      "adjoints, [0-9]+ KiB of the log");
}

TEST(TapeMemory, AnAdjointDoesToo) {
  auto run = [] {
    Field x = wide(), y = wide(), loss = scalar();
    limitMemory(uint64_t(10) << 20);
    tape(loss, [&] {
      square()({x.get(), y.get()});
      sum()({y.get(), loss.get()});
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(2),
              "none.chi:17:3: error: out of memory: the adjoint of `x`, a "
              "field of shape \\(1048576,\\) needs 8 MiB, [0-9]+ .iB are free; "
              "the tape holds [0-9]+ KiB: [0-9]+ KiB of saved values, "
              "[0-9]+ KiB of adjoints, [0-9]+ KiB of the log .kernel sum.");
}

#endif

TEST(TapeMemory, AnArenaCountsAndGivesUp) {
  chirt::Arena arena;
  EXPECT_EQ(arena.numBytes(), 0);
  EXPECT_NE(arena.tryTake(100), nullptr);
  int64_t block = arena.numBytes();
  EXPECT_GE(block, 100);
  EXPECT_NE(arena.tryTake(1 << 20), nullptr);
  EXPECT_EQ(arena.numBytes(), block + (1 << 20));
  // More than any machine has: it is looked at first.
  EXPECT_EQ(arena.tryTake(int64_t(1) << 45), nullptr);
  EXPECT_EQ(arena.numBytes(), block + (1 << 20));
  arena.clear();
  EXPECT_EQ(arena.numBytes(), block);
}

} // namespace
