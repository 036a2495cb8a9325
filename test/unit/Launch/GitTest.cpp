#include "chi/Launch/Git.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace chi::launch;

namespace {

struct Git : testing::Test {
  void TearDown() override { ::unsetenv("CHI_GIT"); }
};

TEST_F(Git, FoldersOfPrograms) {
  EXPECT_EQ(folderOfProgram("-"), ".");
  EXPECT_EQ(folderOfProgram("a.chi"), ".");
  EXPECT_EQ(folderOfProgram("/a.chi"), "/");
  EXPECT_EQ(folderOfProgram("b/c/a.chi"), "b/c");
}

TEST_F(Git, TheEnvironmentAnswers) {
  ::setenv("CHI_GIT", "\"git\": {}", 1);
  EXPECT_EQ(GitQuery("/none").member(), "\"git\": {}");
  ::setenv("CHI_GIT", "", 1);
  EXPECT_EQ(GitQuery(".").member(), "");
}

// test/Driver/provenance.py has repositories.
TEST_F(Git, NoAnswerWhereThereIsNoRepository) {
  ::unsetenv("CHI_GIT");
  GitQuery query("/no/such/folder");
  EXPECT_EQ(query.member(), "");
  EXPECT_EQ(query.member(), "");
  GitQuery unasked("/"); // its process ends with it
}

} // namespace
