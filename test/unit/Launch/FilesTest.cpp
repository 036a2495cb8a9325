#include "chi/Launch/Files.h"
#include <gtest/gtest.h>
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
