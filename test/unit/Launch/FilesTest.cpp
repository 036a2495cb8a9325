#include "chi/Launch/Files.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace chi::launch;

namespace {
class Files : public ::testing::Test {
protected:
  void SetUp() override { folder = makeTemporaryFolder(""); }
  void TearDown() override { removeFolder(folder); }
  std::string folder;
};
} // namespace

TEST_F(Files, WritesAndReads) {
  std::string path = folder + "/a";
  std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(writeFileAtomically(path, bytes));
  EXPECT_EQ(readFile(path), bytes);
  ASSERT_TRUE(writeFileAtomically(path, ""));
  EXPECT_EQ(readFile(path), "");
}

TEST_F(Files, FailsWithoutATrace) {
  EXPECT_FALSE(writeFileAtomically(folder + "/none/a", "x"));
  EXPECT_FALSE(readFile(folder + "/a"));
  EXPECT_FALSE(readFile(folder)); // a folder is no file
  EXPECT_FALSE(makeFolders("/proc/none/a"));
}

// A link stays, and what it leads to gets the bytes, be it there or not.
TEST_F(Files, FollowsLinks) {
  std::string link = folder + "/link", target = folder + "/target";
  ASSERT_EQ(::symlink("target", link.c_str()), 0);
  for (const char *text : {"first", "second"}) {
    ASSERT_TRUE(writeFileAtomically(link, text));
    EXPECT_EQ(readFile(target), text);
    struct stat status;
    ASSERT_EQ(::lstat(link.c_str(), &status), 0);
    EXPECT_TRUE(S_ISLNK(status.st_mode));
  }
}

// A device or a pipe is written to, never replaced.
TEST_F(Files, WritesIntoWhatIsNoOrdinaryFile) {
  std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_TRUE(writeFileAtomically(pipe, "text"));
  EXPECT_EQ(readFile(reader), "text");
  EXPECT_FALSE(isOrdinary(pipe));
  EXPECT_TRUE(isOrdinary(folder + "/nothing yet"));
  struct stat status;
  ASSERT_EQ(::stat(pipe.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
}

// So is what a link leads to.
TEST_F(Files, WritesThroughALinkToWhatIsNoOrdinaryFile) {
  std::string pipe = folder + "/pipe", link = folder + "/link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(::symlink("pipe", link.c_str()), 0);
  Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  EXPECT_FALSE(isOrdinary(link));
  ASSERT_TRUE(writeFileAtomically(link, "text"));
  EXPECT_EQ(readFile(reader), "text");
  for (const std::string &path : {pipe, link}) {
    struct stat status;
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_TRUE(S_ISFIFO(status.st_mode));
  }
}

// The reader closes the pipe: that is an error, and nothing is left beside the
// pipe.
TEST_F(Files, SaysWhatKeptAPipeFromTakingIt) {
  std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread brief([&] { Descriptor(::open(pipe.c_str(), O_RDONLY)); });
  EXPECT_FALSE(writeFileAtomically(pipe, std::string(1 << 20, 'x')));
  EXPECT_EQ(errno, EPIPE);
  brief.join();
  EXPECT_FALSE(isOrdinary(pipe));
}

TEST_F(Files, KeepsTheModeOfAFile) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "1"));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(writeFileAtomically(path, "2"));
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// What is not committed leaves the old file, and nothing beside it.
TEST_F(Files, UncommittedLeavesNothing) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "old"));
  {
    NewFile file(path, "new");
  }
  EXPECT_EQ(readFile(path), "old");
  ::unlink(path.c_str());
  ::unlink((folder + "/probe").c_str()); // of makeTemporaryFolder
  EXPECT_EQ(::rmdir(folder.c_str()), 0) << "a file was left";
}

TEST_F(Files, ModulesAreOrdinaryFiles) {
  std::string path = folder + "/module", problem;
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(readModule(path, problem));
  EXPECT_EQ(problem, "it is not a regular file");
  ::unlink(path.c_str());
  ASSERT_EQ(::symlink("/dev/zero", path.c_str()), 0);
  EXPECT_FALSE(readModule(path, problem));
  EXPECT_EQ(problem, "it is not a regular file");
  ::unlink(path.c_str());
  ASSERT_TRUE(writeFileAtomically(path, "text"));
  EXPECT_EQ(readModule(path, problem), "text");
  ASSERT_EQ(::truncate(path.c_str(), off_t(5) << 30), 0);
  EXPECT_FALSE(readModule(path, problem));
  EXPECT_EQ(problem, "File too large");
}

TEST_F(Files, MakesParents) {
  EXPECT_TRUE(makeFolders(folder + "/b/c"));
  EXPECT_TRUE(makeFolders(folder + "/b/c"));
  ::rmdir((folder + "/b/c").c_str());
  ::rmdir((folder + "/b").c_str());
}

// A folder whose disk is full takes no bytes: another place is chosen.
TEST_F(Files, TemporaryFolderAvoidsWhatTakesNothing) {
  std::string other = makeTemporaryFolder("/proc");
  EXPECT_FALSE(other.empty());
  EXPECT_NE(other.substr(0, 5), "/proc");
  removeFolder(other);
  EXPECT_NE(::access(other.c_str(), F_OK), 0);
}

TEST_F(Files, IdentityChangesWithTheFile) {
  std::string path = folder + "/a";
  EXPECT_EQ(fileIdentity(path), "");
  writeFileAtomically(path, "1");
  std::string first = fileIdentity(path);
  writeFileAtomically(path, "2");
  EXPECT_NE(fileIdentity(path), first);
}
