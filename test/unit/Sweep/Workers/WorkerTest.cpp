#include "chi/Sweep/Workers/Worker.h"
#include "chi/Launch/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chi;
using namespace chi::sweep;

namespace {
/// A worker in a process of its own.
struct Workers : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("sweep", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  std::string path(const char *name) { return (folder + "/" + name).str(); }

  pid_t start(std::vector<std::string> scripts, const char *lock = "") {
    std::string tasks;
    for (size_t k = 0; k < scripts.size(); ++k) {
      Task task;
      task.point = int64_t(k) + 1;
      task.folder = path(("point" + std::to_string(k + 1)).c_str());
      task.command = {"/bin/sh", "-c", scripts[k]};
      tasks += textOf(task);
    }
    EXPECT_TRUE(launch::writeFileAtomically(path("tasks"), tasks));
    pid_t child = ::fork();
    if (child != 0)
      return child;
    WorkerOptions options;
    options.tasks = ::open(path("tasks").c_str(), O_RDONLY | O_CLOEXEC);
    options.lines = ::open(path("lines").c_str(),
                           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    options.grace = 1;
    if (*lock) {
      options.lockFile = path("lock");
      options.lockText = lock;
    }
    ::_exit(runWorker(options) == 0 ? 0 : 1);
  }
  int wait(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::vector<Line> ends() {
    std::string text = launch::readFile(path("lines")).value_or("");
    llvm::SmallVector<llvm::StringRef> all;
    llvm::StringRef(text).split(all, '\n', -1, false);
    std::vector<Line> lines;
    for (llvm::StringRef each : all)
      if (auto line = readLine(each); line && line->kind == Line::End)
        lines.push_back(*line);
    return lines;
  }
  llvm::SmallString<128> folder;
};
} // namespace

// A process of an earlier attempt has the folder until it has ended.
TEST_F(Workers, WaitForTheFolder) {
  ASSERT_EQ(::mkdir(path("point1").c_str(), 0777), 0);
  int earlier = ::open(path("point1").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(earlier, LOCK_EX), 0);
  pid_t worker = start({"test -e ended"});
  ::usleep(100000);
  EXPECT_FALSE(llvm::sys::fs::exists(path("point1/out.log")));
  EXPECT_TRUE(launch::writeFileAtomically(path("point1/ended"), ""));
  ::flock(earlier, LOCK_UN);
  ::close(earlier);
  EXPECT_EQ(wait(worker), 0);
  auto lines = ends();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].exit, 0);
}

TEST_F(Workers, Ends) {
  EXPECT_EQ(wait(start({
                "echo out; echo '{\"report\": {\"loss\": 0.5}}' >> $CHI_REPORT",
                "echo starting >&2; echo 'x: error: no' >&2; exit 1",
                "kill -SEGV $$",
                "pwd > here; cat; exit 3",
            })),
            0);
  auto lines = ends();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].exit, 0);
  EXPECT_EQ(lines[0].report, "{\"loss\":0.5}");
  EXPECT_EQ(launch::readFile(path("point1/out.log")), "out\n");
  EXPECT_EQ(lines[1].exit, 1);
  EXPECT_EQ(lines[1].error, "x: error: no");
  EXPECT_EQ(lines[2].signal, SIGSEGV);
  EXPECT_EQ(lines[2].error, "Segmentation fault");
  EXPECT_EQ(lines[3].exit, 3);
  EXPECT_EQ(launch::readFile(path("point4/here")), path("point4") + "\n");
}

/// Waits until a file is there.
static void waitFor(const std::string &file) {
  for (int k = 0; k < 1000 && ::access(file.c_str(), F_OK) != 0; ++k)
    ::usleep(10000);
}

TEST_F(Workers, StopsAtACheckpoint) {
  pid_t worker = start(
      {"trap 'exit 75' TERM; touch begun; sleep 20 & wait", "touch never"});
  waitFor(path("point1/begun"));
  ::kill(worker, SIGTERM);
  EXPECT_EQ(wait(worker), 1);
  auto lines = ends();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].exit, 75);
  EXPECT_TRUE(lines[0].isStopped);
}

TEST_F(Workers, KillsWhatDoesNotStop) {
  pid_t worker =
      start({"trap '' TERM; touch begun; while :; do sleep 1; done"});
  waitFor(path("point1/begun"));
  ::kill(worker, SIGTERM);
  EXPECT_EQ(wait(worker), 1);
  auto lines = ends();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].signal, SIGKILL);
}

TEST_F(Workers, ItsPointEndsWithIt) {
  pid_t worker = start({"echo $$ > id; exec sleep 30"});
  waitFor(path("point1/id"));
  ::usleep(50000);
  auto id = std::atoi(launch::readFile(path("point1/id"))->c_str());
  ASSERT_GT(id, 0);
  ::kill(worker, SIGKILL);
  wait(worker);
  bool isGone = false;
  for (int k = 0; k < 500 && !isGone; ++k) {
    std::string state =
        launch::readFile("/proc/" + std::to_string(id) + "/stat").value_or("");
    isGone = state.empty() || state.find(") Z") != std::string::npos;
    ::usleep(10000);
  }
  EXPECT_TRUE(isGone);
}

TEST_F(Workers, AnOrphanWritesNothing) {
  ASSERT_TRUE(launch::writeFileAtomically(path("lock"), "job 1\n"));
  pid_t worker =
      start({"touch begun; while test -f begun; do sleep 0.02; done", "true"},
            "job 1\n");
  waitFor(path("point1/begun"));
  ASSERT_TRUE(launch::writeFileAtomically(path("lock"), "job 2\n"));
  ::unlink(path("point1/begun").c_str());
  EXPECT_EQ(wait(worker), 1);
  EXPECT_TRUE(ends().empty());
}

TEST(ErrorLine, OfLogs) {
  EXPECT_EQ(errorLine(""), "");
  EXPECT_EQ(errorLine("\n  first \nother\n"), "first");
  EXPECT_EQ(errorLine("warning\na.chi:3: Error: x\nerror: y"),
            "a.chi:3: Error: x");
  EXPECT_EQ(errorLine(std::string(500, 'x')).size(), 300u);
}
