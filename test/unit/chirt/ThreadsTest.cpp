//===- ThreadsTest.cpp - A library called from several threads ------------===//
#include "Support.h"
#include "chirt/failure/Failure.h"
#include <atomic>
#include <thread>
#include <vector>

namespace {
constexpr int numThreads = 8, numRounds = 40;
constexpr int64_t numIterations = 20000;

const uint8_t integers[] = {CHIRT_I32, CHIRT_I32};

/// A thread of a host that calls kernels; each second one's fail.
struct Caller {
  int number = 0;
  std::string kernel;
  chirt_site site = {};
  chirt_unit unit = {};
  std::atomic<int64_t> sum{0};
  int64_t badFrom = numIterations;

  void prepare(int k) {
    number = k;
    kernel = "kernel" + std::to_string(k);
    site = {"none.chi", k + 1, 1,  2,        CHIRT_SITE_BOUNDS,
            "x",        0,     2,  integers, kernel.c_str(),
            1,          -1,    "i"};
    unit = {&site, nullptr, 1, 0};
    if (k % 2)
      badFrom = 1000 + k;
  }
  bool fails() const { return badFrom < numIterations; }
};

void chunk(void *args, int64_t begin, int64_t end, int32_t) {
  Caller &caller = *static_cast<Caller *>(args);
  for (int64_t i = begin; i < end; ++i) {
    if (i >= caller.badFrom) {
      int64_t values[] = {caller.number, 4};
      return chirt_fail(&caller.unit, 0, values, &i);
    }
    caller.sum.fetch_add(1, std::memory_order_relaxed);
  }
}

/// What a kernel of a library does: launches, asks, prints.
void callKernel(void *context) {
  Caller &caller = *static_cast<Caller *>(context);
  chirt_parallel(chunk, &caller, numIterations, 1, 16000);
  // As compiled code does, by one load of a word.
  if (__atomic_load_n(&chirt_failed, __ATOMIC_RELAXED))
    chirt_check_launch();
  std::string line = caller.kernel + " is done";
  chirt_fmt_text(line.data(), int64_t(line.size()));
  chirt_fmt_text("\n", 1);
  chirt_fmt_print();
}

/// One thread's rounds; what was not as it should be, or "".
std::string callMany(Caller &caller) {
  std::string expected =
      "index " + std::to_string(caller.number) +
      " is out of bounds for axis 0 of `x` with size 4 [kernel " +
      caller.kernel + ", iteration i=" + std::to_string(caller.badFrom) + "]\n";
  for (int round = 0; round < numRounds; ++round) {
    caller.sum = 0;
    int32_t status = chirt_guard(callKernel, &caller);
    std::string message(chirt::lastFailure());
    if (status != (caller.fails() ? 1 : 0))
      return caller.kernel + " gave " + std::to_string(status);
    if (caller.fails() ? message.find(expected) == message.npos
                       : !message.empty())
      return caller.kernel + " said " + message;
    if (!caller.fails() && caller.sum != numIterations)
      return caller.kernel + " was cut short";
  }
  return "";
}

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; ++at)
    ++found;
  return found;
}

// Failures, guards and messages are the calling thread's.
TEST(Threads, HalfOfEightFail) {
  std::vector<Caller> callers(numThreads);
  std::vector<std::string> wrong(numThreads);
  for (int k = 0; k < numThreads; ++k)
    callers[k].prepare(k);
  Ran ran = catchOutput([&] {
    std::vector<std::thread> threads;
    for (int k = 0; k < numThreads; ++k)
      threads.emplace_back([&, k] { wrong[k] = callMany(callers[k]); });
    for (std::thread &thread : threads)
      thread.join();
    return 0;
  });
  for (int k = 0; k < numThreads; ++k) {
    EXPECT_EQ(wrong[k], "");
    size_t rounds = callers[k].fails() ? 0 : numRounds;
    EXPECT_EQ(count(ran.out, callers[k].kernel + " is done\n"), rounds);
    EXPECT_EQ(count(ran.err, "[kernel " + callers[k].kernel + ","),
              numRounds - rounds);
  }
  EXPECT_EQ(chirt_failed, 0);
}

// A failure that another thread has not met yet ends nothing here.
TEST(Threads, AFailureWaitsForItsThread) {
  Caller caller;
  caller.prepare(1);
  int64_t values[] = {7, 4}, iteration = 3;
  chirt_fail(&caller.unit, 0, values, &iteration);
  std::thread([&] {
    EXPECT_EQ(chirt_failed, 1);
    EXPECT_EQ(chirt_guard([](void *) { chirt_check_launch(); }, nullptr), 0);
    chirt_check_launch(); // without a guard: it would end the process
  }).join();
  Ran ran = guarded([] { chirt_check_launch(); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("iteration i=3]"), std::string::npos) << ran.err;
}

// What was gathered before an inner guard is still there behind it.
TEST(Threads, GuardsNestWithTheirText) {
  Ran ran = guarded([] {
    chirt_fmt_text("outer ", 6);
    int32_t inner = chirt_guard(
        [](void *) {
          chirt_fmt_text("lost", 4);
          chirt_exit(3);
        },
        nullptr);
    chirt_fmt_text(inner == 3 ? "goes on\n" : "stops\n", inner == 3 ? 8 : 6);
    chirt_fmt_print();
    chirt_exit(4);
  });
  EXPECT_EQ(ran.status, 4);
  EXPECT_EQ(ran.out, "outer goes on\n");
}

TEST(Threads, FieldsAreShared) {
  chirt_field *field = makeField("f32", {8});
  std::vector<std::thread> threads;
  for (int k = 0; k < numThreads; ++k)
    threads.emplace_back([=] {
      for (int round = 0; round < 1000; ++round) {
        chirt_field_retain(field);
        chirt_field_release(field);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(field->refcount, 1);
  chirt_field_release(field);
}
} // namespace
