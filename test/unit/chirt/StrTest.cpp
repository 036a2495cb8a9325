//===- StrTest.cpp - Strs and their references ----------------------------===//
#include "chirt/text/Str.h"
#include "Support.h"
#include <random>
#include <thread>
#include <vector>

namespace {

TEST(Str, GoesWithItsLastReference) {
  size_t before = chirt::numLivingStrs();
  const char *text = chirt::makeStr("abc");
  EXPECT_EQ(chirt::numLivingStrs(), before + 1);
  chirt_str_retain(text);
  chirt_str_release(text);
  EXPECT_STREQ(text, "abc");
  chirt_str_release(text);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Str, LiteralsAndNoneAreNotCounted) {
  size_t before = chirt::numLivingStrs();
  for (const char *text : {"literal", static_cast<const char *>(nullptr)}) {
    chirt_str_release(text);
    chirt_str_retain(text);
    chirt_str_release(text);
    chirt_str_release(text);
  }
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Str, EqualTextsAreTwoStrs) {
  const char *a = chirt::makeStr(""), *b = chirt::makeStr("");
  EXPECT_NE(a, b);
  EXPECT_TRUE(chirt_str_equal(a, b));
  chirt_str_release(a);
  EXPECT_STREQ(b, "");
  chirt_str_release(b);
}

/// A table that loses one would free it never, or twice.
TEST(Str, ManyInAnyOrder) {
  size_t before = chirt::numLivingStrs();
  std::mt19937 random(1);
  struct Held {
    const char *text;
    std::string expected;
    int references;
  };
  std::vector<Held> held;
  for (int round = 0; round < 20000; ++round) {
    unsigned choice = random() % 4;
    if (held.empty() || choice < 2) {
      std::string text = std::to_string(round);
      held.push_back({chirt::makeStr(text), text, 1});
      continue;
    }
    Held &one = held[random() % held.size()];
    ASSERT_EQ(one.text, one.expected);
    if (choice == 2) {
      chirt_str_retain(one.text), ++one.references;
    } else {
      chirt_str_release(one.text);
      if (--one.references == 0)
        std::swap(one, held.back()), held.pop_back();
    }
    ASSERT_EQ(chirt::numLivingStrs(), before + held.size());
  }
  for (Held &one : held)
    for (; one.references > 0; --one.references)
      chirt_str_release(one.text);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

TEST(Str, ThreadsShareThem) {
  size_t before = chirt::numLivingStrs();
  const char *shared = chirt::makeStr("shared");
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int iteration = 0; iteration < 2000; ++iteration) {
        chirt_str_retain(shared);
        chirt_str_release(chirt::makeStr("own"));
        chirt_str_release(shared);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_STREQ(shared, "shared");
  chirt_str_release(shared);
  EXPECT_EQ(chirt::numLivingStrs(), before);
}

} // namespace
