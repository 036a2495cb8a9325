//===- WriteTest.cpp - Descriptors that do not block ----------------------===//
#include "chirt/text/Write.h"
#include <chrono>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

struct Pipe {
  int ends[2];
  Pipe() {
    EXPECT_EQ(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
  }
  ~Pipe() { close(ends[0]), close(ends[1]); }
};

std::string readAll(int fd, size_t size) {
  std::string got;
  char bytes[10'000];
  while (got.size() < size) {
    ssize_t n = read(fd, bytes, sizeof(bytes));
    if (n <= 0)
      break;
    got.append(bytes, size_t(n));
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return got;
}

TEST(Write, WaitsForASlowReader) {
  Pipe slow;
  std::string text;
  for (int k = 0; text.size() < 1'000'000; ++k)
    text += std::to_string(k) + ' ';
  std::string got;
  std::thread reader([&] { got = readAll(slow.ends[0], text.size()); });
  EXPECT_TRUE(chirt::writeFully(slow.ends[1], text.data(), text.size()));
  reader.join();
  EXPECT_EQ(got, text);
}

TEST(Write, SaysWhatIsWrong) {
  EXPECT_FALSE(chirt::writeFully(-1, "x", 1));
  EXPECT_EQ(errno, EBADF);
  EXPECT_TRUE(chirt::writeFully(-1, "", 0));
}

// A handler must end, whoever reads what is left to say.
TEST(Write, InASignalDoesNotWaitForLong) {
  for (int flags : {0, O_NONBLOCK}) {
    Pipe full;
    fcntl(full.ends[1], F_SETFL, flags);
    std::string text(1'000'000, 'x');
    auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(chirt::writeInSignal(full.ends[1], text.data(), text.size()));
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::seconds(2));
    EXPECT_GE(readAll(full.ends[0], 4096).size(), 4096u);
  }
}

} // namespace
