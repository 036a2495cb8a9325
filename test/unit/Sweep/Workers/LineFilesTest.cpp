#include "chi/Sweep/Workers/LineFiles.h"
#include "chi/Sweep/Workers/SweepLock.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chi::sweep;

namespace {
struct Folder : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("sweep", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }
  void append(const char *name, llvm::StringRef text) {
    std::error_code failed;
    llvm::raw_fd_ostream(folder.str().str() + "/" + name, failed,
                         llvm::sys::fs::OF_Append)
        << text;
  }
  std::string line(int64_t point, Line::Kind kind = Line::End) {
    Line line;
    line.kind = kind;
    line.point = point;
    return textOf(line);
  }
  llvm::SmallString<128> folder;
};
} // namespace

TEST_F(Folder, WholeLinesAreRead) {
  LineFiles files(folder.str().str());
  std::string seen;
  auto note = [&](const Line &line) { seen += std::to_string(line.point); };
  std::string second = line(2);
  append("a.jsonl", line(1) + second.substr(0, 9));
  files.read("a.jsonl", note);
  EXPECT_EQ(seen, "1");
  append("a.jsonl", second.substr(9) + "no line\n" + line(3));
  files.read("a.jsonl", note);
  EXPECT_EQ(seen, "123");
  auto changed = files.takeChanged();
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_TRUE(files.takeChanged().empty());
  // Another process goes on from there.
  LineFiles others(folder.str().str());
  others.setOffset("a.jsonl", changed[0].second);
  append("a.jsonl", line(4));
  append("b.txt", line(5));
  others.readAll(note);
  EXPECT_EQ(seen, "1234");
}

TEST_F(Folder, OrphansOfAReplacedWorkerAreIgnored) {
  std::string seen;
  auto note = [&](const Line &line) { seen += std::to_string(line.point); };
  append("j-0.jsonl", line(1));
  Line replaces;
  replaces.kind = Line::Replaces;
  replaces.file = "j-0.jsonl";
  replaces.bytes = int64_t(line(1).size());
  append("j-1.jsonl", textOf(replaces) + line(2));
  append("j-0.jsonl", line(3)); // the orphan
  LineFiles files(folder.str().str());
  files.readAll(note);
  EXPECT_EQ(seen, "21");
  // Also if the first line was read by an earlier process.
  LineFiles others(folder.str().str());
  for (const auto &[name, bytes] : files.takeChanged())
    others.setOffset(name, bytes);
  append("j-0.jsonl", line(4));
  append("j-1.jsonl", line(5));
  others.readAll(note);
  EXPECT_EQ(seen, "215");
}

TEST_F(Folder, OneControllingProcess) {
  std::string path = folder.str().str();
  EXPECT_EQ(SweepLock::holder(path), "");
  auto lock = SweepLock::take(path);
  ASSERT_TRUE(bool(lock));
  std::string holder = SweepLock::holder(path);
  EXPECT_NE(holder.find("process " + std::to_string(::getpid())),
            std::string::npos);
  auto second = SweepLock::take(path);
  ASSERT_FALSE(bool(second));
  EXPECT_NE(llvm::toString(second.takeError()).find(holder), std::string::npos);
  lock->drop();
  EXPECT_EQ(SweepLock::holder(path), "");
}
