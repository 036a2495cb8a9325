#include "chi/Launch/Files.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
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

//===--- Reading ----------------------------------------------------------===//

// `most` is the largest size that is read, not the first that is refused.
TEST_F(Files, ReadsUpToALimit) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "12345"));
  EXPECT_EQ(readFile(path, 5), "12345");
  errno = 0;
  EXPECT_FALSE(readFile(path, 4));
  EXPECT_EQ(errno, EFBIG);
  ASSERT_TRUE(writeFileAtomically(path, ""));
  EXPECT_EQ(readFile(path, 0), "");
}

TEST_F(Files, SaysWhyAFileIsNotRead) {
  errno = 0;
  EXPECT_FALSE(readFile(folder + "/none"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(readFile(folder));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_FALSE(readFile(folder + "/none/a"));
  EXPECT_EQ(errno, ENOENT);
}

// The rest of a file: from where the descriptor stands.
TEST_F(Files, ReadsTheRestOfAnOpenFile) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "first second"));
  Descriptor file(::open(path.c_str(), O_RDONLY));
  ASSERT_EQ(::lseek(file.get(), 6, SEEK_SET), 6);
  EXPECT_EQ(readFile(file), "second");
  EXPECT_EQ(readFile(file), "");
}

// What a pipe holds is longer than the first buffer.
TEST_F(Files, ReadsPipesOfAnyLength) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::string text(100000, 'x');
  text.back() = 'y';
  std::thread writer([&] {
    Descriptor end(ends[1]);
    EXPECT_TRUE(writeAll(end.get(), text));
  });
  Descriptor reader(ends[0]);
  EXPECT_EQ(readFile(reader), text);
  writer.join();
}

TEST_F(Files, ProgramsThatCannotBeReadAreReported) {
  std::string path = folder + "/a.chi";
  ASSERT_TRUE(writeFileAtomically(path, "print(1)\n"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(readProgram(path), "print(1)\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(readProgram(folder + "/b.chi"));
  EXPECT_FALSE(readProgram(folder));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "chic: '" + folder + "/b.chi': No such file or directory\n" +
                "chic: '" + folder + "': Is a directory\n");
}

TEST_F(Files, ModulesThatAreNotThere) {
  std::string problem;
  EXPECT_FALSE(readModule(folder + "/none.chi", problem));
  EXPECT_EQ(problem, "No such file or directory");
  EXPECT_FALSE(readModule(folder, problem));
  EXPECT_EQ(problem, "it is not a regular file");
}

//===--- Writing ----------------------------------------------------------===//

TEST_F(Files, WritesToClosedDescriptorsFail) {
  EXPECT_TRUE(writeAll(-1, ""));
  errno = 0;
  EXPECT_FALSE(writeAll(-1, "x"));
  EXPECT_EQ(errno, EBADF);
}

// A program may be executed by those who may read it; a file may not.
TEST_F(Files, ProgramsAreExecutable) {
  mode_t before = ::umask(027);
  std::string program = folder + "/program", text = folder + "/text";
  EXPECT_TRUE(NewFile(program, "x", /*isProgram=*/true).commit());
  EXPECT_TRUE(NewFile(text, "x").commit());
  ::umask(before);
  struct stat status;
  ASSERT_EQ(::stat(program.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0750u);
  ASSERT_EQ(::stat(text.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// The error is known before the commit, and stays.
TEST_F(Files, NewFilesSayWhatIsWrong) {
  NewFile file(folder + "/none/a", "x");
  EXPECT_EQ(file.error(), ENOENT);
  EXPECT_FALSE(file.commit());
  EXPECT_EQ(file.error(), ENOENT);
  NewFile inFolder(folder, "x");
  EXPECT_EQ(inFolder.error(), EISDIR);
  NewFile good(folder + "/a", "x");
  EXPECT_EQ(good.error(), 0);
  EXPECT_FALSE(readFile(folder + "/a")) << "before the commit";
  EXPECT_TRUE(good.commit());
  EXPECT_EQ(good.error(), 0);
}

TEST_F(Files, ProblemsAreKnownBeforeTheWork) {
  std::string path = folder + "/a";
  EXPECT_EQ(writeProblem(path), 0);
  EXPECT_FALSE(readFile(path)) << "nothing is made";
  EXPECT_EQ(writeProblem(folder + "/none/a"), ENOENT);
  EXPECT_EQ(writeProblem(folder), EISDIR);
  ASSERT_TRUE(writeFileAtomically(path, "x"));
  EXPECT_EQ(writeProblem(path), 0);
  EXPECT_EQ(writeProblem(path + "/b"), ENOTDIR);
  EXPECT_EQ(writeProblem("/dev/null"), 0);
  EXPECT_EQ(readFile(path), "x");
}

TEST_F(Files, OneFileByTwoNames) {
  std::string one = folder + "/a", other = folder + "/b", link = folder + "/c";
  ASSERT_TRUE(writeFileAtomically(one, "x"));
  ASSERT_TRUE(writeFileAtomically(other, "x"));
  ASSERT_EQ(::symlink("a", link.c_str()), 0);
  EXPECT_TRUE(isSameFile(one, one));
  EXPECT_TRUE(isSameFile(one, link));
  EXPECT_TRUE(isSameFile(folder + "/./a", one));
  EXPECT_FALSE(isSameFile(one, other));
  EXPECT_FALSE(isSameFile(folder + "/d", folder + "/d")) << "not there";
  EXPECT_FALSE(isSameFile(folder, folder)) << "no file";
  EXPECT_FALSE(isSameFile("/dev/null", "/dev/null")) << "no ordinary file";
}

//===--- Folders and names ------------------------------------------------===//

TEST_F(Files, TemporaryFoldersAreTheUsersOwn) {
  std::string one = makeTemporaryFolder(folder);
  std::string other = makeTemporaryFolder(folder);
  EXPECT_EQ(one.substr(0, folder.size() + 6), folder + "/chic-");
  EXPECT_NE(one, other);
  struct stat status;
  ASSERT_EQ(::stat(one.c_str(), &status), 0);
  EXPECT_TRUE(S_ISDIR(status.st_mode));
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  removeFolder(one);
  removeFolder(other);
}

TEST_F(Files, TemporaryFoldersAreWhereTheUserWants) {
  const char *before = std::getenv("TMPDIR");
  std::string old = before ? before : "";
  ::setenv("TMPDIR", folder.c_str(), 1);
  std::string inside = makeTemporaryFolder("");
  ::setenv("TMPDIR", (folder + "/none").c_str(), 1);
  std::string elsewhere = makeTemporaryFolder(folder + "/none");
  before ? ::setenv("TMPDIR", old.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_EQ(inside.substr(0, folder.size()), folder);
  EXPECT_FALSE(elsewhere.empty());
  EXPECT_NE(elsewhere.substr(0, folder.size()), folder);
  removeFolder(inside);
  removeFolder(elsewhere);
}

// What a compilation that is ended at once leaves: the last one made.
TEST_F(Files, RemovesTheUnfinishedFolder) {
  std::string first = makeTemporaryFolder(folder);
  std::string last = makeTemporaryFolder(folder);
  ASSERT_TRUE(writeFileAtomically(last + "/a.o", "x"));
  removeUnfinished();
  EXPECT_EQ(::access(last.c_str(), F_OK), -1);
  EXPECT_EQ(::access(first.c_str(), F_OK), 0);
  removeFolder(first);
  removeUnfinished(); // which no longer exists
  removeFolder("");   // no folder
  EXPECT_EQ(::access(folder.c_str(), F_OK), 0);
}

TEST_F(Files, FoldersStopAtAFile) {
  ASSERT_TRUE(writeFileAtomically(folder + "/a", "x"));
  errno = 0;
  EXPECT_FALSE(makeFolders(folder + "/a"));
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_FALSE(makeFolders(folder + "/a/b"));
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_TRUE(makeFolders(folder));
}

TEST_F(Files, AbsoluteNames) {
  char *here = ::getcwd(nullptr, 0);
  EXPECT_EQ(absolutePath("/a/../b"), "/a/../b");
  EXPECT_EQ(absolutePath("a.chi"), std::string(here) + "/a.chi");
  EXPECT_EQ(absolutePath(""), std::string(here) + "/");
  std::free(here);
  std::string binaries = binaryFolder();
  ASSERT_FALSE(binaries.empty());
  EXPECT_EQ(binaries[0], '/');
  EXPECT_NE(binaries.back(), '/');
}

TEST_F(Files, IdentityIsOfTheFileNotOfItsName) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "1"));
  std::string identity = fileIdentity(path);
  EXPECT_EQ(fileIdentity(path), identity);
  ASSERT_EQ(::link(path.c_str(), (folder + "/b").c_str()), 0);
  EXPECT_EQ(fileIdentity(folder + "/b"), identity);
  // The same bytes at another time.
  timespec then[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), then, 0), 0);
  EXPECT_NE(fileIdentity(path), identity);
}

//===--- Descriptors ------------------------------------------------------===//

TEST_F(Files, DescriptorsCloseThemselvesOnce) {
  std::string path = folder + "/a";
  ASSERT_TRUE(writeFileAtomically(path, "x"));
  int number;
  {
    Descriptor first(::open(path.c_str(), O_RDONLY));
    number = first.get();
    ASSERT_TRUE(first.isOpen());
    Descriptor second(std::move(first));
    EXPECT_FALSE(first.isOpen());
    EXPECT_EQ(first.get(), -1);
    EXPECT_EQ(second.get(), number);
    Descriptor third;
    third = std::move(second);
    EXPECT_EQ(third.get(), number);
    errno = ENOSPC; // of a caller that returns it
  }
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(::fcntl(number, F_GETFD), -1) << "still open";
  Descriptor none(-1);
  EXPECT_FALSE(none.isOpen());
  EXPECT_EQ(none.close(), 0);
}
