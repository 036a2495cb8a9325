#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace chi::launch;
using Args = std::vector<std::string>;

namespace {
class CacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    folder = makeTemporaryFolder("");
    ::setenv("CHI_CACHE_DIR", (folder + "/cache").c_str(), 1);
    module = folder + "/module.chi";
    writeFileAtomically(module, "one");
    record.dependencies.push_back({module, false, hashBytes("one")});
    record.dependencies.push_back({folder + "/absent.chi", true, {}});
    record.params = {{"n", false, true}, {"dt", false, false}};
  }
  void TearDown() override {
    ::unsetenv("CHI_CACHE_DIR");
    for (const char *name : {"/cache/programs", "/cache/objects", "/cache", ""})
      removeFolder(folder + name);
  }

  /// The one file of the cache's programs that ends in ".so".
  std::string libraryPath() const {
    for (const OwnFolder::File &file : programs().list())
      if (file.name.ends_with(".so"))
        return folder + "/cache/programs/" + file.name;
    return "";
  }
  OwnFolder programs() const {
    std::string problem;
    return OwnFolder(folder + "/cache/programs", false, problem);
  }

  std::string folder, module;
  CompilationRecord record;
  Hash key = hashBytes("program");
};
} // namespace

TEST_F(CacheTest, FindsWhatWasStored) {
  Cache cache(true);
  EXPECT_FALSE(cache.findProgram(key, {}));
  Descriptor stored = cache.storeProgram(key, {}, record, "library", {});
  ASSERT_TRUE(stored.isOpen());
  auto found = cache.findProgram(key, {});
  ASSERT_TRUE(found);
  struct stat one, other;
  ASSERT_EQ(::fstat(stored.get(), &one), 0);
  ASSERT_EQ(::fstat(found->library.get(), &other), 0);
  EXPECT_EQ(one.st_ino, other.st_ino);
  EXPECT_FALSE(cache.findProgram(hashBytes("other"), {}));
}

TEST_F(CacheTest, KeepsWarnings) {
  Cache cache(true);
  cache.storeProgram(key, {}, record, "library", {"plain", "", "{}"});
  auto found = cache.findProgram(key, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->warnings.text, "plain");
  EXPECT_EQ(found->warnings.colored, "");
  EXPECT_EQ(found->warnings.json, "{}");
  char start[7];
  ASSERT_EQ(::pread(found->library.get(), start, 7, 0), 7);
  EXPECT_EQ(std::string(start, 7), "library");
}

// Only the params that are compiled in tell programs apart.
TEST_F(CacheTest, ComparesSpecializedParams) {
  Cache cache(true);
  cache.storeProgram(key, {"--n", "4", "--dt", "1"}, record, "library", {});
  EXPECT_TRUE(cache.findProgram(key, {"--dt=2", "--n", "4"}));
  EXPECT_FALSE(cache.findProgram(key, {"--n", "5"}));
  EXPECT_FALSE(cache.findProgram(key, {}));
}

TEST_F(CacheTest, SeesChangedAndNewModules) {
  Cache cache(true);
  cache.storeProgram(key, {}, record, "library", {});
  writeFileAtomically(module, "two");
  EXPECT_FALSE(cache.findProgram(key, {}));
  writeFileAtomically(module, "one");
  EXPECT_TRUE(cache.findProgram(key, {}));
  writeFileAtomically(folder + "/absent.chi", "");
  EXPECT_FALSE(cache.findProgram(key, {}));
}

// A library made of an older module must not come back under a newer record.
TEST_F(CacheTest, OldLibraryStaysOld) {
  Cache cache(true);
  cache.storeProgram(key, {"--n", "1"}, record, "one, n = 1", {});
  writeFileAtomically(module, "two");
  CompilationRecord newer = record;
  newer.dependencies[0].content = hashBytes("two");
  cache.storeProgram(key, {"--n", "2"}, newer, "two, n = 2", {});
  EXPECT_TRUE(cache.findProgram(key, {"--n", "2"}));
  EXPECT_FALSE(cache.findProgram(key, {"--n", "1"}));
}

TEST_F(CacheTest, RefusesDamage) {
  Cache cache(true);
  cache.storeProgram(key, {}, record, "library", {});
  std::string path = libraryPath();
  std::string good = readFile(path).value_or("");
  ASSERT_FALSE(good.empty());
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    writeFileAtomically(path, bad);
    EXPECT_FALSE(cache.findProgram(key, {})) << i;
    writeFileAtomically(path, good.substr(0, i));
    EXPECT_FALSE(cache.findProgram(key, {})) << i;
  }
}

//===--- What others could have put there ---------------------------------===//

// An entry is none under the name of another, whole as it is.
TEST_F(CacheTest, SealsHoldTheirName) {
  Cache cache(true);
  Hash other = hashBytes("other");
  cache.storeObject(key, "object");
  std::string objects = folder + "/cache/objects/";
  auto bytes = readFile(objects + key.hex() + ".o");
  ASSERT_TRUE(bytes);
  ASSERT_TRUE(writeFileAtomically(objects + other.hex() + ".o", *bytes));
  EXPECT_TRUE(cache.findObject(key));
  EXPECT_FALSE(cache.findObject(other));
}

TEST_F(CacheTest, MakesFoldersForItselfOnly) {
  mode_t before = ::umask(0);
  Cache(true).storeObject(key, "object");
  ::umask(before);
  for (const char *name : {"/cache", "/cache/objects"}) {
    struct stat status;
    ASSERT_EQ(::stat((folder + name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u) << name;
  }
}

// A folder that others may write to, before it is opened and after; one line
// for all that is asked of the cache.
TEST_F(CacheTest, RefusesFoldersOfOthers) {
  for (const char *name : {"/cache", "/cache/objects"}) {
    std::string path = folder + name;
    Cache(true).storeObject(key, "object");
    Cache early(true);
    ASSERT_EQ(::chmod(path.c_str(), 0720), 0);
    ::testing::internal::CaptureStderr();
    Cache late(true);
    for (const Cache *cache : {&early, &late}) {
      EXPECT_FALSE(cache->findObject(key));
      EXPECT_FALSE(cache->findProgram(key, {}));
      EXPECT_FALSE(cache->isEnabled());
      EXPECT_FALSE(
          cache->storeProgram(key, {}, record, "library", {}).isOpen());
    }
    std::string line =
        "chic: the cache is not used: '" + path + "' is writable by others\n";
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), line + line);
    ASSERT_EQ(::chmod(path.c_str(), 0700), 0);
    EXPECT_TRUE(Cache(true).findObject(key));
  }
}

TEST_F(CacheTest, RefusesLinksAndWritableEntries) {
  std::string path = folder + "/cache/objects/" + key.hex() + ".o";
  auto said = [&] {
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(Cache(true).findObject(key));
    return ::testing::internal::GetCapturedStderr();
  };
  std::string start = "chic: the cache is not used: '" + path + "' ";
  Cache(true).storeObject(key, "object");
  ASSERT_EQ(::chmod(path.c_str(), 0602), 0);
  EXPECT_EQ(said(), start + "is writable by others\n");
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  std::string elsewhere = folder + "/elsewhere";
  ASSERT_EQ(::rename(path.c_str(), elsewhere.c_str()), 0);
  ASSERT_EQ(::symlink(elsewhere.c_str(), path.c_str()), 0);
  EXPECT_EQ(said(), start + "is a link\n");
  ASSERT_EQ(::unlink(path.c_str()), 0);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(said(), start + "is not a regular file\n");
}

// The folder itself is no link, whatever slash ends its name.
TEST_F(CacheTest, RefusesALinkedFolder) {
  Cache(true).storeObject(key, "object");
  std::string link = folder + "/link";
  ASSERT_EQ(::symlink((folder + "/cache").c_str(), link.c_str()), 0);
  for (const char *end : {"", "/", "//"}) {
    ::setenv("CHI_CACHE_DIR", (link + end).c_str(), 1);
    ::testing::internal::CaptureStderr();
    EXPECT_FALSE(Cache(true).findObject(key));
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "chic: the cache is not used: '" + link + "' is a link\n");
  }
}

// What root finds of another user's is no more trusted than the reverse.
TEST_F(CacheTest, RefusesWhatAnotherOwns) {
  Cache(true).storeObject(key, "object");
  std::string path = folder + "/cache/objects/" + key.hex() + ".o";
  ::testing::internal::CaptureStderr();
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(path.c_str(), 1, 1), 0);
    EXPECT_FALSE(Cache(true).findObject(key));
  } else { // who may give nothing away: what is root's already
    path = "/proc/sys";
    ::setenv("CHI_CACHE_DIR", path.c_str(), 1);
    EXPECT_FALSE(Cache(true).isEnabled());
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "chic: the cache is not used: '" + path +
                "' belongs to another user\n");
}

// A file that was looked at is what is used, whatever gets its name.
TEST_F(CacheTest, LibrariesAreHeldOpen) {
  Cache cache(true);
  cache.storeProgram(key, {}, record, "library", {});
  auto found = cache.findProgram(key, {});
  ASSERT_TRUE(found);
  ASSERT_TRUE(writeFileAtomically(libraryPath(), "planted"));
  char start[7];
  ASSERT_EQ(::pread(found->library.get(), start, 7, 0), 7);
  EXPECT_EQ(std::string(start, 7), "library");
}

TEST_F(CacheTest, KeepsObjects) {
  Cache cache(true);
  cache.storeObject(key, "object");
  EXPECT_EQ(cache.findObject(key), "object");
  EXPECT_EQ(cache.usage().objects, 1u);
  cache.clear();
  EXPECT_FALSE(cache.findObject(key));
  EXPECT_EQ(cache.usage().bytes, 0u);
}

TEST_F(CacheTest, StaysWithinItsLimit) {
  ::setenv("CHI_CACHE_LIMIT", "1", 1);
  Cache cache(true);
  ::unsetenv("CHI_CACHE_LIMIT");
  std::string big(300 << 10, 'x');
  for (int i = 0; i < 8; ++i)
    cache.storeObject(hashBytes(std::to_string(i)), big);
  cache.trim();
  EXPECT_LE(cache.usage().bytes, 1u << 20);
  EXPECT_GE(cache.usage().objects, 1u);
}

//===--- What is not the cache's ------------------------------------------===//

/// Makes a file, last changed two days ago.
static std::string oldFile(const std::string &path) {
  EXPECT_TRUE(writeFileAtomically(path, "text"));
  timespec longAgo[2] = {};
  longAgo[0].tv_sec = longAgo[1].tv_sec = ::time(nullptr) - 2 * 24 * 3600;
  EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), longAgo, 0), 0);
  return path;
}

static bool exists(const std::string &path) {
  return ::access(path.c_str(), F_OK) == 0;
}

// The folder is one that the user keeps files in.
TEST_F(CacheTest, LeavesTheFilesOfTheUserAlone) {
  ::setenv("CHI_CACHE_LIMIT", "1", 1);
  Cache cache(true);
  ::unsetenv("CHI_CACHE_LIMIT");
  std::string digits = key.hex(), big(2 << 20, 'x');
  cache.storeProgram(key, {}, record, big, {});
  cache.storeObject(key, "object");
  std::vector<std::string> kept;
  const std::vector<std::string> names = {"notes.txt",
                                          "a.chi",
                                          "a.so",
                                          "mycode.o",
                                          "a.1.2",
                                          "x.record.17.3",
                                          digits + ".c",
                                          digits + ".o.b",
                                          digits + ".o.1.",
                                          digits + "0.o",
                                          digits.substr(1) + ".so"};
  for (const std::string &name : names)
    for (const char *part : {"/cache/", "/cache/programs/", "/cache/objects/"})
      kept.push_back(oldFile(folder + part + name));
  for (const char *part : {"/cache/", "/cache/programs/", "/cache/objects/"}) {
    std::string inner = folder + part + "chic-notes";
    ASSERT_TRUE(makeFolders(inner));
    kept.push_back(oldFile(inner + "/a"));
  }
  cache.trim();
  cache.clear();
  for (const std::string &path : kept)
    EXPECT_TRUE(exists(path)) << path;
  EXPECT_EQ(cache.usage().bytes, 0u);
  for (const std::string &path : kept)
    ::unlink(path.c_str());
  for (const char *part : {"/cache/", "/cache/programs/", "/cache/objects/"})
    ::rmdir((folder + part + "chic-notes").c_str());
}

// What a killed process was about to write goes after a day.
TEST_F(CacheTest, RemovesWhatWasLeftUnfinished) {
  Cache cache(true);
  cache.storeProgram(key, {}, record, "library", {});
  std::string programs = folder + "/cache/programs/";
  std::string left = oldFile(programs + key.hex() + ".so.4711.123456789");
  std::string entry = oldFile(programs + key.hex() + ".so");
  std::string young = programs + key.hex() + ".record.12.3";
  ASSERT_TRUE(writeFileAtomically(young, "text"));
  cache.trim();
  EXPECT_FALSE(exists(left));
  EXPECT_TRUE(exists(entry));
  EXPECT_TRUE(exists(young));
  cache.clear();
  EXPECT_FALSE(exists(young));
}

TEST_F(CacheTest, DisabledOrBlockedKeepsNothing) {
  Cache none(false);
  EXPECT_FALSE(none.storeProgram(key, {}, record, "x", {}).isOpen());
  EXPECT_FALSE(none.findProgram(key, {}));
  const std::pair<std::string, std::string> places[] = {
      {module, "' is not a folder"},
      {module + "/cache", "' cannot be opened: Not a directory"},
      {"/proc/none/cache", "' cannot be created: No such file or directory"}};
  for (const auto &[place, problem] : places) {
    ::setenv("CHI_CACHE_DIR", place.c_str(), 1);
    ::testing::internal::CaptureStderr();
    Cache blocked(true);
    EXPECT_FALSE(blocked.storeProgram(key, {}, record, "x", {}).isOpen());
    blocked.storeObject(key, "x");
    EXPECT_FALSE(blocked.findObject(key));
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "chic: the cache is not used: '" + place + problem + "\n");
  }
  // The same for the folders in it.
  ::setenv("CHI_CACHE_DIR", folder.c_str(), 1);
  ASSERT_TRUE(writeFileAtomically(folder + "/objects", "text"));
  ::testing::internal::CaptureStderr();
  Cache(true).storeObject(key, "x");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "chic: the cache is not used: '" + folder +
                "/objects' is not a folder\n");
}

namespace {
/// The text of the values for a program with the params n, n_grid, fast.
std::optional<std::string> valuesOf(const Args &args) {
  return specializedValues(
      {{"n", false, true}, {"n_grid", false, true}, {"fast", true, true}},
      args);
}
} // namespace

TEST(SpecializedValues, TakesEveryForm) {
  EXPECT_EQ(valuesOf({}), "");
  EXPECT_NE(valuesOf({"--n", "3"}), valuesOf({"--n", "4"}));
  EXPECT_EQ(valuesOf({"--n", "3"}), valuesOf({"--n=3"}));
  EXPECT_EQ(valuesOf({"--n-grid=3"}), valuesOf({"--n_grid", "3"}));
  EXPECT_NE(valuesOf({"--n-grid=3"}), valuesOf({"--n=3"}));
  EXPECT_EQ(valuesOf({"--fast", "--n", "1"}), valuesOf({"--n=1", "--fast"}));
  EXPECT_NE(valuesOf({"--no-fast"}), valuesOf({"--fast"}));
  EXPECT_EQ(valuesOf({"--no-fast"}), valuesOf({"--fast=false"}));
  // The last one counts.
  EXPECT_EQ(valuesOf({"--n=3", "--n=4"}), valuesOf({"--n=4"}));
}

TEST(SpecializedValues, KnowsWhatIsNoCommandLineOfTheProgram) {
  EXPECT_FALSE(valuesOf({"--m", "3"}));
  EXPECT_FALSE(valuesOf({"3"}));
  EXPECT_FALSE(valuesOf({"--n"}));
  // Without params that are compiled in, the program itself sees to it.
  EXPECT_EQ(specializedValues({{"n", false, false}}, {"--m", "3"}), "");
}
