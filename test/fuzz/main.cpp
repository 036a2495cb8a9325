//===- main.cpp - chi-fuzz: no input breaks the compiler ------------------===//
//   chi-fuzz [--count N | --minutes N] [--seed S] [--print K] FOLDER…
// Compiles changed copies of the .chi files of the folders, and programs made
// from the grammar, to stage `simplified`, and formats them: no token and no
// comment may be lost. A child process does the work; when it dies or hangs,
// the input is written to fuzz-SEED-N.chi and a new child goes on behind it.
//
#include "FormatCheck.h"
#include "Random.h"
#include "chi/Driver/Program.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chi;
using namespace chi::fuzz;

namespace {
constexpr unsigned kHangSeconds = 20;
constexpr int kFormatFault = 71; ///< status of a child

struct Options {
  uint64_t count = 3000, seed = 1;
  double minutes = 0;
  int64_t print = -1;
  std::vector<std::string> folders;
};

/// What the child tells the parent as it goes.
struct Progress {
  std::atomic<uint64_t> next = 0; ///< the input at work
  std::atomic<uint64_t> accepted = 0, faults = 0;
};
} // namespace

static Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    auto value = [&] { return i + 1 < argc ? std::atof(argv[++i]) : 0; };
    if (arg == "--count")
      options.count = value();
    else if (arg == "--minutes")
      options.minutes = value();
    else if (arg == "--seed")
      options.seed = value();
    else if (arg == "--print")
      options.print = value();
    else
      options.folders.push_back(arg);
  }
  return options;
}

static std::vector<std::string> readCorpus(const Options &options) {
  std::vector<std::string> files, corpus{"print(1)\n"};
  for (const std::string &folder : options.folders)
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".chi")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end()); // the disk's order is nobody's
  for (const std::string &file : files) {
    std::ifstream stream(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(stream),
                        std::istreambuf_iterator<char>());
  }
  return corpus;
}

static std::string makeInput(const Options &options, uint64_t number,
                             const std::vector<std::string> &corpus) {
  Random random(options.seed * 0x9e3779b97f4a7c15 + number);
  switch (number % 4) {
  case 0:
  case 1:
    return mutate(corpus, random);
  case 2:
    return generate(random, true);
  default:
    return generate(random, false);
  }
}

/// Compiles inputs from `progress.next` on until `isOver`.
static void work(const Options &options, const std::vector<std::string> &corpus,
                 Progress &progress, const std::function<bool()> &isOver) {
  launch::PhaseClock clock;
  launch::ChicHost host = launch::makeHost(clock);
  llvm::raw_null_ostream nothing;
  for (; !isOver(); ++progress.next) {
    ::alarm(kHangSeconds);
    driver::DriverEnv env{nothing, nothing, host};
    std::string input = makeInput(options, progress.next, corpus);
    if (!keepsFormat(input))
      std::_Exit(kFormatFault);
    int status = driver::compileToOptimised(std::move(input), env);
    if (status == driver::ExitBug)
      std::_Exit(driver::ExitBug);
    progress.accepted += status == driver::ExitGood;
  }
  std::_Exit(0);
}

static void saveInput(const Options &options, uint64_t number,
                      const std::vector<std::string> &corpus, int status) {
  std::string name = "fuzz-" + std::to_string(options.seed) + "-" +
                     std::to_string(number) + ".chi";
  std::ofstream(name, std::ios::binary) << makeInput(options, number, corpus);
  bool isOfFormat = WIFEXITED(status) && WEXITSTATUS(status) == kFormatFault;
  const char *what = isOfFormat             ? "the formatter changes it"
                     : !WIFSIGNALED(status) ? "verifier failure"
                     : WTERMSIG(status) == SIGALRM
                         ? "hang"
                         : strsignal(WTERMSIG(status));
  std::printf("input %llu: %s; see %s\n", (unsigned long long)number, what,
              name.c_str());
}

int main(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  std::vector<std::string> corpus = readCorpus(options);
  if (options.print >= 0) {
    std::fputs(makeInput(options, options.print, corpus).c_str(), stdout);
    return 0;
  }
  auto *progress =
      new (::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Progress;
  auto start = std::chrono::steady_clock::now();
  std::function<bool()> isOver = [&] {
    if (options.minutes <= 0)
      return progress->next >= options.count;
    return std::chrono::steady_clock::now() - start >
           std::chrono::duration<double>(60 * options.minutes);
  };
  while (!isOver() && progress->faults < 20) {
    pid_t child = ::fork();
    if (child == 0)
      work(options, corpus, *progress, isOver);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      break;
    saveInput(options, progress->next, corpus, status);
    ++progress->next;
    ++progress->faults;
  }
  std::printf("seed %llu: %llu inputs, %llu compiled, %llu faults\n",
              (unsigned long long)options.seed,
              (unsigned long long)progress->next.load(),
              (unsigned long long)progress->accepted.load(),
              (unsigned long long)progress->faults.load());
  return progress->faults != 0;
}
