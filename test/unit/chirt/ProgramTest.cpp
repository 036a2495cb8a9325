//===- ProgramTest.cpp - Scripts, tests, signals --------------------------===//
#include "Support.h"
#include "chirt/host.h"
#include "chirt/io/File.h"
#include "chirt/support/Random.h"
#include "chirt/support/Settings.h"
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

chirt_program programOf(void (*script)()) {
  return {CHIRT_ABI_VERSION, "demo.chi", "", nullptr, 0, script, nullptr, 0};
}

Ran run(const chirt_program &program, chirt_options options = {}) {
  return catchOutput([&] { return chirt_run(&program, &options, 0, nullptr); });
}

void print(const char *text) {
  chirt_fmt_str(text, "");
  chirt_fmt_print();
}

TEST(Program, RunsItsScript) {
  Ran ran = run(programOf([] { print("hello\n"); }));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "hello\n");
  EXPECT_EQ(ran.err, "");
  ran = run(programOf([] {
    print("before\n");
    chirt_exit(7);
  }));
  EXPECT_EQ(ran.status, 7);
  EXPECT_EQ(ran.out, "before\n");
}

TEST(Program, OfAnotherVersionIsRefused) {
  chirt_program program = programOf([] {});
  program.abi_version = 999;
  EXPECT_EQ(run(program).status, 2);
}

TEST(Program, OnADescribedMachineForOneRun) {
  static int32_t cores;
  static int64_t cache;
  chirt_program program = programOf([] {
    cores = chirt::settings().cores;
    cache = chirt::settings().lastCache;
  });
  chirt_describe_machine({3, 1 << 20});
  EXPECT_EQ(run(program).status, 0);
  EXPECT_EQ(cores, 3);
  EXPECT_EQ(cache, 1 << 20);
  EXPECT_EQ(run(program).status, 0);
  EXPECT_EQ(cores, 0);
  EXPECT_EQ(cache, 0);
}

TEST(Program, RunsTests) {
  static const chirt_site site = {
      "demo.chi", 1, 1,  2,      CHIRT_SITE_DIVIDE, "", 0, 0, nullptr,
      nullptr,    0, -1, nullptr};
  const chirt_test tests[] = {{"adds", [] {}},
                              {"fails", [] { chirt_raise(&site, nullptr); }},
                              {"adds more", [] {}}};
  chirt_program program = programOf([] { print("not run\n"); });
  program.tests = tests;
  program.num_tests = 3;
  chirt_options options = {};
  options.run_tests = 1;
  Ran ran = run(program, options);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "ok      adds\nFAILED  fails\nok      adds more\n"
                     "2 passed, 1 failed\n");
  EXPECT_NE(ran.err.find("integer division by zero"), std::string::npos);
  options.test_filter = "add";
  EXPECT_EQ(run(program, options).out,
            "ok      adds\nok      adds more\n2 passed, 0 failed\n");
}

/// A task that does nothing, of a kernel's line.
chirt_task idleTask(const chirt_site *site) {
  chirt_task task = {};
  task.version = CHIRT_TASK_VERSION;
  task.name = "k.t0", task.site = site;
  task.entry = [](const chirt_task *, const int64_t *, const chirt_domain *) {};
  return task;
}

TEST(Program, Profiles) {
  chirt_options options = {};
  options.profile = 1;
  Ran ran = run(programOf([] {
                  // As a program's own, they live until the report.
                  static chirt_site first = {}, second = {};
                  first.kernel = "advance", first.line = 7;
                  second.kernel = "energy";
                  static chirt_task tasks[] = {
                      idleTask(&first), idleTask(&first), idleTask(&second)};
                  tasks[2].entry = [](const chirt_task *, const int64_t *,
                                      const chirt_domain *) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                  };
                  chirt_domain domain = {};
                  EXPECT_EQ(chirt_recording, 1);
                  for (int k : {0, 1, 0, 2}) // two tasks of one line
                    chirt_launch(&tasks[k], nullptr, &domain);
                }),
                options);
  size_t energy = ran.err.find("energy"), advance = ran.err.find("advance:7");
  EXPECT_LT(energy, advance) << ran.err;
  EXPECT_NE(ran.err.find("advance:7         3 "), std::string::npos) << ran.err;
}

TEST(Program, TellsWhenTheFirstKernelStarts) {
  chirt_options options = {};
  options.time = 1;
  Ran ran = run(programOf([] {
                  chirt_parallel([](void *, int64_t, int64_t, int32_t) {},
                                 nullptr, 1, 1, 1);
                }),
                options);
  EXPECT_NE(ran.err.find("first kernel after"), std::string::npos);
  EXPECT_GT(chirt_first_launch(), 0);
  run(programOf([] {}));
  EXPECT_EQ(chirt_first_launch(), 0);
}

TEST(Program, ReportsAndStaysSilentWithoutATerminal) {
  Ran ran = run(programOf([] {
    chirt_progress_begin(3);
    for (int k = 0; k < 3; ++k)
      chirt_progress_step();
    chirt_progress_end();
    const double loss = 0.5;
    const int32_t steps = 12;
    chirt_name_value("loss", "f64", &loss);
    chirt_name_value("steps", "i32", &steps);
    chirt_report(nullptr);
  }));
  EXPECT_EQ(ran.out, "loss = 0.5\nsteps = 12\n");
  EXPECT_EQ(ran.err, "");
}

/// Starts `script` in a child, interrupts it, and waits. Returns its status and
/// the milliseconds that it took to stop.
std::pair<int, double> interrupt(void (*script)()) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL); // a job in the background inherits SIG_IGN
    chirt_program program = programOf(script);
    chirt_options options = {};
    _exit(chirt_run(&program, &options, 0, nullptr));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  auto start = std::chrono::steady_clock::now();
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  std::chrono::duration<double, std::milli> spent =
      std::chrono::steady_clock::now() - start;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, spent.count()};
}

TEST(Signals, StopAtOnceAndLeaveNoHalfFile) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP()
      << "TSan holds back signals in the child of a process with threads";
#endif
  // A folder of this process: another run of the tests may be under way.
  std::string folder =
      testing::TempDir() + "chirt_half_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  static std::string path = folder + "/half.npy";
  auto [status, spent] = interrupt([] {
    chirt::NewFile file(path.c_str());
    file.write("half", 4);
    for (;;)
      std::this_thread::sleep_for(std::chrono::seconds(1));
  });
  EXPECT_EQ(status, 130);
  EXPECT_LT(spent, 100);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

/// The published vectors of Random123 (kat_vectors).
TEST(Random, PhiloxKnownAnswers) {
  uint32_t zero[4] = {};
  chirt::philox(zero, 0, 0);
  EXPECT_EQ(zero[0], 0x6627e8d5u);
  EXPECT_EQ(zero[1], 0xe169c58du);
  EXPECT_EQ(zero[2], 0xbc57ac4cu);
  EXPECT_EQ(zero[3], 0x9b00dbd8u);
  uint32_t ones[4] = {~0u, ~0u, ~0u, ~0u};
  chirt::philox(ones, ~0u, ~0u);
  EXPECT_EQ(ones[0], 0x408f276du);
  EXPECT_EQ(ones[3], 0x6d5451fdu);
}

TEST(Random, StreamsStartAnewWithTheSeed) {
  chirt::restartRandom(5);
  uint64_t a = chirt_random_host(), b = chirt_random_host();
  EXPECT_NE(a, b);
  EXPECT_EQ(chirt_next_ordinal(), 0u);
  EXPECT_EQ(chirt_next_ordinal(), 1u);
  chirt::restartRandom(5);
  EXPECT_EQ(chirt_random_host(), a);
  EXPECT_EQ(chirt_next_ordinal(), 0u);
  chirt::restartRandom(6);
  EXPECT_NE(chirt_random_host(), a);
}

} // namespace
