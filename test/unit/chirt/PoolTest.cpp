//===- PoolTest.cpp - The worker threads ----------------------------------===//
// Also run under ThreadSanitizer (preset tsan).
#include "chirt/cpu/Pool.h"
#include "Support.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

constexpr int64_t dear = 1 << 20; ///< a cost that always wakes the others

struct Visits {
  std::vector<int32_t> count, worker;
  explicit Visits(int64_t n) : count(size_t(n)), worker(size_t(n), -1) {}
};

void visit(void *args, int64_t begin, int64_t end, int32_t worker) {
  auto *visits = static_cast<Visits *>(args);
  for (int64_t i = begin; i < end; ++i) {
    ++visits->count[size_t(i)];
    visits->worker[size_t(i)] = worker;
  }
}

TEST(Pool, ChunksCoverEverythingOnceAtMultiples) {
  for (int64_t n : {1, 63, 64, 65, 1000, 4097})
    for (int64_t align : {1, 16, 64})
      for (int chunks : {1, 2, 3, 7}) {
        int64_t at = 0;
        for (int k = 0; k < chunks; ++k) {
          chirt::Chunk chunk = chirt::chunkOf(n, align, k, chunks);
          ASSERT_EQ(chunk.begin, at);
          ASSERT_LE(chunk.begin, chunk.end);
          if (chunk.end < n)
            ASSERT_EQ(chunk.end % align, 0);
          at = chunk.end;
        }
        ASSERT_EQ(at, n);
      }
}

TEST(Pool, EachIterationRunsOnceOnItsWorker) {
  for (int64_t n : {1, 2, 100, 4097}) {
    Visits visits(n);
    chirt_parallel(visit, &visits, n, 16, dear);
    int chunks = chirt_num_chunks(n, 16, dear);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(visits.count[size_t(i)], 1);
    bool isInSlices = chirt::numSlices(n, 16, dear, chunks) > 1;
    for (int k = 0; k < chunks && !isInSlices; ++k) {
      chirt::Chunk chunk = chirt::chunkOf(n, 16, k, chunks);
      for (int64_t i = chunk.begin; i < chunk.end; ++i)
        ASSERT_EQ(visits.worker[size_t(i)], k);
    }
  }
}

struct Runners {
  std::vector<int32_t> count, worker;
  std::vector<std::thread::id> thread;
};

void noteThread(void *args, int64_t begin, int64_t end, int32_t worker) {
  auto *runners = static_cast<Runners *>(args);
  for (int64_t i = begin; i < end; ++i) {
    ++runners->count[size_t(i)];
    runners->worker[size_t(i)] = worker;
    runners->thread[size_t(i)] = std::this_thread::get_id();
  }
}

// Workers sleep after the pause, and need longer to wake than the caller for
// its chunk: it runs theirs, under their numbers.
TEST(Pool, TheCallerRunsTheChunksOfLateWorkers) {
  if (chirt_num_workers() < 2)
    GTEST_SKIP() << "one worker";
  int late = 0;
  // On a busy machine it may be the caller that wakes last, time and again.
  for (int launch = 0; launch < 50 || (late == 0 && launch < 2000); ++launch) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Runners runners{std::vector<int32_t>(64), std::vector<int32_t>(64),
                    std::vector<std::thread::id>(64)};
    chirt_parallel(noteThread, &runners, 64, 1, dear);
    int chunks = chirt_num_chunks(64, 1, dear);
    bool isInSlices = chirt::numSlices(64, 1, dear, chunks) > 1;
    for (int k = 0; k < chunks; ++k) {
      chirt::Chunk chunk = chirt::chunkOf(64, 1, k, chunks);
      for (int64_t i = chunk.begin; i < chunk.end; ++i) {
        ASSERT_EQ(runners.count[size_t(i)], 1);
        ASSERT_TRUE(isInSlices || runners.worker[size_t(i)] == k);
        auto self = std::this_thread::get_id();
        late += k > 0 && runners.thread[size_t(i)] == self;
      }
    }
  }
  EXPECT_GT(late, 0);
}

struct Uneven {
  Visits visits{4096};
};

/// The first chunk is dear, the others are cheap.
void visitUnevenly(void *args, int64_t begin, int64_t end, int32_t worker) {
  if (begin < 2048)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  visit(&static_cast<Uneven *>(args)->visits, begin, end, worker);
}

TEST(Pool, WhoIsDoneTakesOverSlices) {
  if (chirt_num_workers() < 2)
    GTEST_SKIP() << "one worker";
  Uneven uneven;
  chirt_parallel(visitUnevenly, &uneven, 4096, 16, dear);
  bool isShared = false;
  for (size_t i = 0; i < 2048; ++i) {
    ASSERT_EQ(uneven.visits.count[i], 1);
    isShared |= uneven.visits.worker[i] != uneven.visits.worker[0];
  }
  EXPECT_TRUE(isShared);
}

TEST(Pool, ChunksAreHeldWhilePrivatizationIsInUse) {
  Uneven uneven;
  int chunks = chirt_num_chunks(4096, 16, dear);
  void *copies = chirt_private_begin(16, CHIRT_F32, 0, 1 << 20, chunks);
  chirt_parallel(visitUnevenly, &uneven, 4096, 16, dear);
  float data[16] = {};
  chirt_private_end(copies, data, 16, CHIRT_F32, 0, chunks);
  for (int k = 0; k < chunks; ++k) {
    chirt::Chunk chunk = chirt::chunkOf(4096, 16, k, chunks);
    for (int64_t i = chunk.begin; i < chunk.end; ++i)
      ASSERT_EQ(uneven.visits.worker[size_t(i)], k);
  }
}

TEST(Pool, CheapLaunchesStayOnTheCaller) {
  EXPECT_EQ(chirt_num_chunks(64, 16, 16), 1);
  EXPECT_EQ(chirt_num_chunks(0, 16, dear), 1);
  Visits visits(64);
  chirt_parallel(visit, &visits, 64, 16, 16);
  EXPECT_EQ(visits.worker[63], 0);
  // Costs beyond all numbers are dear.
  EXPECT_EQ(chirt_num_chunks(int64_t(1) << 50, 1, int64_t(1) << 50),
            chirt_num_workers());
}

/// Many short launches, each of which depends on the one before.
TEST(Pool, Stress) {
  struct Sum {
    std::vector<int64_t> values;
  } sum{std::vector<int64_t>(256, 0)};
  auto addOwn = [](void *args, int64_t begin, int64_t end, int32_t) {
    auto &values = static_cast<Sum *>(args)->values;
    for (int64_t i = begin; i < end; ++i)
      ++values[size_t(i)];
  };
  constexpr int launches = 20'000;
  for (int k = 0; k < launches; ++k) {
    chirt_parallel(+addOwn, &sum, 256, 1 + k % 16, dear);
    ASSERT_EQ(sum.values[size_t(k) % 256], k + 1);
    if (k % 5000 == 0) // let the others fall asleep
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(Pool, LaunchesOfDifferentWidth) {
  for (int k = 0; k < 2000; ++k) {
    Visits visits(1 + k % 40);
    chirt_parallel(visit, &visits, 1 + k % 40, 16, dear);
    for (int32_t count : visits.count)
      ASSERT_EQ(count, 1);
  }
}

/// Launches from within a launch and from several threads run all the same.
TEST(Pool, NestedAndConcurrent) {
  std::atomic<int64_t> total{0};
  auto inner = [](void *args, int64_t begin, int64_t end, int32_t) {
    *static_cast<std::atomic<int64_t> *>(args) += end - begin;
  };
  struct Args {
    std::atomic<int64_t> *total;
    chirt_chunk inner;
  } args{&total, inner};
  auto outer = [](void *context, int64_t begin, int64_t end, int32_t) {
    auto *args = static_cast<Args *>(context);
    for (int64_t i = begin; i < end; ++i)
      chirt_parallel(args->inner, args->total, 100, 1, dear);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k)
        chirt_parallel(+outer, &args, 10, 1, dear);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(total, 3 * 50 * 10 * 100);
}

} // namespace
