//===- FileTest.cpp - How files get their names ---------------------------===//
#include "chirt/io/File.h"
#include "Support.h"
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct NewFiles : testing::Test {
  std::string folder;
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = testing::TempDir() + "chirt_files_" + std::to_string(getpid()) +
             info->name();
    std::filesystem::create_directory(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  static std::string read(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string make(const std::string &name, const char *text = "old") const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  static bool save(const std::string &file, std::string_view text = "new") {
    chirt::NewFile out(file.c_str());
    return out.write(text.data(), text.size()) && out.commit();
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      all.insert(entry.path().filename());
    return all;
  }
  static unsigned modeOf(const std::string &file) {
    struct stat facts = {};
    stat(file.c_str(), &facts);
    return facts.st_mode & 07777;
  }
  /// A process that holds a half-written file, until it is ended.
  static pid_t startWriting(const std::string &file) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
      chirt::NewFile half(file.c_str());
      half.write("half", 4);
      (void)!::write(ready[1], "x", 1);
      for (;;)
        pause();
    }
    char one;
    EXPECT_EQ(::read(ready[0], &one, 1), 1);
    close(ready[0]), close(ready[1]);
    return child;
  }
  static void end(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
};

TEST_F(NewFiles, KeepTheModeAndHonourTheMask) {
  mode_t mask = umask(027);
  EXPECT_TRUE(save(path("new")));
  EXPECT_EQ(modeOf(path("new")), 0640u);
  for (unsigned mode : {0600u, 0666u, 0444u, 0751u}) {
    std::string file = make("old" + std::to_string(mode));
    chmod(file.c_str(), mode);
    EXPECT_TRUE(save(file));
    EXPECT_EQ(modeOf(file), mode);
    EXPECT_EQ(read(file), "new");
  }
  umask(mask);
}

// Nothing that was there is opened: whoever guesses a name gains nothing.
TEST_F(NewFiles, AreOpenedUnderNamesOfTheirOwn) {
  std::string victim = make("victim", "precious"), target = path("x");
  for (int thread = gettid() - 3; thread < gettid() + 3; ++thread)
    std::filesystem::create_symlink("victim",
                                    target + ".tmp" + std::to_string(thread));
  size_t before = names().size();
  std::set<std::string> seen;
  for (int round = 0; round < 20; ++round) {
    chirt::NewFile file(target.c_str());
    std::set<std::string> now = names();
    EXPECT_EQ(now.size(), before + 1);
    for (const std::string &name : now)
      seen.insert(name);
  }
  EXPECT_EQ(seen.size(), before + 20);
  EXPECT_TRUE(save(target));
  EXPECT_EQ(read(victim), "precious");
}

// In a folder where everyone may put files, a link of another user may have
// been put there for ours to be written elsewhere.
TEST_F(NewFiles, FollowNoLinkThatAnotherUserPlanted) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can make links of others";
  std::string victim = make("victim", "precious");
  std::filesystem::create_directory(path("open"));
  std::string link = path("open/x.npy");
  std::filesystem::create_symlink("../victim", link);
  ASSERT_EQ(lchown(link.c_str(), 1, 1), 0);
  for (unsigned mode : {0777u, 01777u}) {
    chmod(path("open").c_str(), mode);
    chirt_field *x = makeField("f32", {4});
    Ran ran = guarded([&] { chirt_save(nullptr, link.c_str(), x, 0); });
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find("x.npy`: it is a symbolic link of another user in a "
                           "folder that all users can write to"),
              std::string::npos)
        << ran.err;
    chirt_field_release(x);
  }
  EXPECT_EQ(read(victim), "precious");
  // Where only the user may, and where the folder's owner did, it is meant.
  chmod(path("open").c_str(), 0755);
  EXPECT_TRUE(save(link, "first"));
  chmod(path("open").c_str(), 0777);
  ASSERT_EQ(chown(path("open").c_str(), 1, 1), 0);
  EXPECT_TRUE(save(link, "second"));
  EXPECT_EQ(read(victim), "second");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(NewFiles, RemoveWhatKilledRunsLeft) {
  std::string file = path("x.npy");
  std::vector<pid_t> writers = {startWriting(file), startWriting(file),
                                startWriting(file),
                                startWriting(path("y.npy"))};
  for (pid_t writer : writers)
    end(writer);
  EXPECT_EQ(names().size(), 4u);
  EXPECT_TRUE(save(file));
  EXPECT_EQ(names().size(), 2u) << "what is left is of y.npy";
  EXPECT_EQ(read(file), "new");
  EXPECT_TRUE(save(path("y.npy")));
  EXPECT_EQ(names(), (std::set<std::string>{"x.npy", "y.npy"}));
}

TEST_F(NewFiles, LeaveWhatAnotherProcessWrites) {
  std::string file = path("x");
  pid_t other = startWriting(file);
  EXPECT_TRUE(save(file));
  EXPECT_EQ(names().size(), 2u);
  end(other);
  EXPECT_TRUE(save(file));
  EXPECT_EQ(names(), (std::set<std::string>{"x"}));
}

TEST_F(NewFiles, LeaveWhatOnlyLooksLikeALeftover) {
  std::string file = path("x"), victim = make("victim");
  std::set<std::string> kept = {"victim"};
  for (const char *name :
       {"x.tmp-0123456789abcde", "x.tmp-0123456789abcdeg", "x.tmp",
        "x.tmp-0123456789ABCDEF", "xx.tmp-0123456789abcdef",
        ".tmp-0123456789abcdef", "x.tmp-0123456789abcdef.npy"}) {
    make(name);
    kept.insert(name);
  }
  std::filesystem::create_symlink("victim", path("x.tmp-0000000000000001"));
  std::filesystem::create_directory(path("x.tmp-0000000000000002"));
  mkfifo(path("x.tmp-0000000000000003").c_str(), 0600);
  kept.insert({"x.tmp-0000000000000001", "x.tmp-0000000000000002",
               "x.tmp-0000000000000003"});
  if (geteuid() == 0) {
    std::string others = make("x.tmp-0000000000000004");
    ASSERT_EQ(chown(others.c_str(), 1, 1), 0);
    kept.insert("x.tmp-0000000000000004");
  }
  make("x.tmp-0123456789abcdef");
  EXPECT_TRUE(save(file));
  kept.insert("x");
  EXPECT_EQ(names(), kept);
  EXPECT_EQ(read(victim), "old");
}

// A name as long as names may be, whose letters are not cut.
TEST_F(NewFiles, OfLongNames) {
  std::string name;
  for (int k = 0; k < 85; ++k)
    name += "日";
  for (; name.size() > 200; name.erase(0, 3)) {
    end(startWriting(path(name)));
    EXPECT_EQ(names().size(), 1u);
    EXPECT_TRUE(save(path(name)));
    EXPECT_EQ(names(), std::set<std::string>{name});
    std::filesystem::remove(path(name));
  }
}

// Threads and processes that save one file at the same time: it is one of them,
// whole, and nothing is left.
TEST_F(NewFiles, OfManyAtOnce) {
  std::string file = path("x");
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    pid_t child = fork();
    if (child == 0) {
      std::string text(100'000, char('a' + k));
      for (int round = 0; round < 50; ++round)
        if (!save(file, text))
          _exit(1);
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::string text = read(file);
  EXPECT_EQ(text, std::string(100'000, text.empty() ? '?' : text[0]));
  EXPECT_EQ(names(), std::set<std::string>{"x"});
}

} // namespace
