//===- OwnFolderTest.cpp - Folders that nobody else can change ------------===//
#include "chi/Launch/OwnFolder.h"
#include "chi/Launch/Files.h"
#include <algorithm>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace chi::launch;

namespace {
class OwnFolderTest : public ::testing::Test {
protected:
  void SetUp() override { base = makeTemporaryFolder(""); }
  void TearDown() override {
    for (const char *name : {"/own/inner", "/own", ""})
      removeFolder(base + name);
  }
  OwnFolder make() {
    OwnFolder folder(base + "/own", /*makes=*/true, problem);
    EXPECT_TRUE(folder.isOpen()) << problem;
    EXPECT_EQ(problem, "");
    return folder;
  }
  /// The names in the folder, sorted.
  static std::vector<std::string> names(const OwnFolder &folder) {
    std::vector<std::string> all;
    for (const OwnFolder::File &file : folder.list())
      all.push_back(file.name);
    std::sort(all.begin(), all.end());
    return all;
  }
  std::string base, problem;
};
} // namespace

TEST_F(OwnFolderTest, NoFolderIsNotOpen) {
  EXPECT_FALSE(OwnFolder().isOpen());
  EXPECT_TRUE(OwnFolder().list().empty());
}

// A folder that is not there is no problem, unless it is to be made.
TEST_F(OwnFolderTest, AbsenceIsNoProblem) {
  EXPECT_FALSE(OwnFolder(base + "/own", false, problem).isOpen());
  EXPECT_EQ(problem, "");
  OwnFolder own = make();
  EXPECT_FALSE(own.inner("inner", false, problem).isOpen());
  EXPECT_EQ(problem, "");
  EXPECT_TRUE(own.inner("inner", true, problem).isOpen());
  EXPECT_TRUE(own.inner("inner", true, problem).isOpen()) << "once more";
  EXPECT_EQ(problem, "");
}

TEST_F(OwnFolderTest, MakesFoldersAndFilesForTheUserOnly) {
  mode_t before = ::umask(0);
  make().inner("inner", true, problem).writeFile("a", "text");
  ::umask(before);
  struct stat status;
  for (auto [name, mode] : {std::pair("/own", 0700u),
                            {"/own/inner", 0700u},
                            {"/own/inner/a", 0600u}}) {
    ASSERT_EQ(::stat((base + name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0777, mode) << name;
  }
}

TEST_F(OwnFolderTest, WritesWholeFilesAndKeepsThemOpen) {
  OwnFolder own = make();
  Descriptor first = own.writeFile("a", "first");
  ASSERT_TRUE(first.isOpen());
  ASSERT_TRUE(own.writeFile("a", "second").isOpen());
  // The descriptor is that of the old file, the name leads to the new one.
  char old[6] = {};
  ASSERT_EQ(::pread(first.get(), old, 5, 0), 5);
  EXPECT_STREQ(old, "first");
  EXPECT_EQ(readFile(own.openFile("a", problem)), "second");
  EXPECT_EQ(names(own), std::vector<std::string>{"a"}) << "something beside it";
  EXPECT_FALSE(own.writeFile("none/a", "x").isOpen());
  EXPECT_EQ(names(own), std::vector<std::string>{"a"});
}

// Written for reading only: what was checked cannot be changed through it.
TEST_F(OwnFolderTest, OpensFilesForReading) {
  OwnFolder own = make();
  own.writeFile("a", "text");
  Descriptor file = own.openFile("a", problem);
  EXPECT_EQ(::fcntl(file.get(), F_GETFL) & O_ACCMODE, O_RDONLY);
  EXPECT_NE(::fcntl(file.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_FALSE(own.openFile("b", problem).isOpen());
  EXPECT_EQ(problem, "") << "a file that is not there is no problem";
}

TEST_F(OwnFolderTest, RefusesWhatOthersMayChange) {
  OwnFolder own = make();
  own.writeFile("a", "text");
  std::string path = base + "/own/a";
  for (mode_t mode : {0620u, 0602u, 0666u}) {
    problem = "";
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_FALSE(own.openFile("a", problem).isOpen());
    EXPECT_EQ(problem, "'" + path + "' is writable by others");
  }
  // Others may read it.
  problem = "";
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_TRUE(own.openFile("a", problem).isOpen());
  EXPECT_EQ(problem, "");
}

TEST_F(OwnFolderTest, RefusesLinks) {
  OwnFolder own = make();
  own.writeFile("a", "text");
  ASSERT_EQ(::symlink("a", (base + "/own/link").c_str()), 0);
  EXPECT_FALSE(own.openFile("link", problem).isOpen());
  EXPECT_EQ(problem, "'" + base + "/own/link' is a link");
  problem = "";
  ASSERT_EQ(::symlink("own", (base + "/other").c_str()), 0);
  EXPECT_FALSE(OwnFolder(base + "/other//", true, problem).isOpen());
  EXPECT_EQ(problem, "'" + base + "/other' is a link");
  problem = "";
  EXPECT_FALSE(own.inner("link", true, problem).isOpen());
  EXPECT_EQ(problem, "'" + base + "/own/link' is a link");
}

TEST_F(OwnFolderTest, FilesAreNoFolders) {
  OwnFolder own = make();
  own.writeFile("a", "text");
  EXPECT_FALSE(own.inner("a", true, problem).isOpen());
  EXPECT_EQ(problem, "'" + base + "/own/a' is not a folder");
  problem = "";
  EXPECT_TRUE(own.inner("inner", true, problem).isOpen());
  EXPECT_FALSE(own.openFile("inner", problem).isOpen());
  EXPECT_EQ(problem, "'" + base + "/own/inner' is not a regular file");
}

// The open folder is used, whatever has its name by now.
TEST_F(OwnFolderTest, KeepsTheFolderThatItChecked) {
  OwnFolder own = make();
  own.writeFile("a", "text");
  ASSERT_EQ(::rename((base + "/own").c_str(), (base + "/old").c_str()), 0);
  ASSERT_EQ(::symlink("/", (base + "/own").c_str()), 0);
  EXPECT_EQ(readFile(own.openFile("a", problem)), "text");
  EXPECT_EQ(names(own), std::vector<std::string>{"a"});
  ASSERT_EQ(::unlink((base + "/own").c_str()), 0);
  ASSERT_EQ(::rename((base + "/old").c_str(), (base + "/own").c_str()), 0);
}

// Files of the folder itself, with their sizes; no folders, no hidden files.
// Listing twice gives the same.
TEST_F(OwnFolderTest, ListsItsFiles) {
  OwnFolder own = make();
  own.writeFile("b", "12345");
  own.writeFile("a", "");
  own.writeFile(".hidden", "x");
  ASSERT_TRUE(own.inner("inner", true, problem).isOpen());
  timespec then[2] = {{1000, 0}, {2000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (base + "/own/b").c_str(), then, 0), 0);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(names(own), (std::vector<std::string>{"a", "b"}));
    for (const OwnFolder::File &file : own.list()) {
      EXPECT_EQ(file.bytes, file.name == "b" ? 5u : 0u);
      EXPECT_EQ(file.seconds == 2000, file.name == "b");
    }
  }
  own.removeFile("b");
  own.removeFile("none");
  EXPECT_EQ(names(own), std::vector<std::string>{"a"});
}

// An unfinished file is NAME.PROCESS.NUMBER: two numbers, both not empty.
TEST(FinishedName, DropsTwoNumbers) {
  for (auto [name, finished] : {std::pair("a.so.12.345", "a.so"),
                                {"a.so", "a.so"},
                                {"a.so.12", "a.so.12"},
                                {"a.12.34.56", "a.12"},
                                {"a..34", "a..34"},
                                {"a.12.", "a.12."},
                                {"a.12.34x", "a.12.34x"},
                                {"a.x2.34", "a.x2.34"},
                                {"12.34", "12.34"},
                                {"", ""}})
    EXPECT_EQ(OwnFolder::finishedName(name), finished) << name;
}
