#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include <cstdlib>
#include <gtest/gtest.h>

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
    record.specializedParams = {"n"};
  }
  void TearDown() override {
    ::unsetenv("CHI_CACHE_DIR");
    for (const char *name : {"/cache/programs", "/cache/objects", "/cache", ""})
      removeFolder(folder + name);
  }

  std::string folder, module;
  CompilationRecord record;
  Hash key = hashBytes("program");
};
} // namespace

TEST_F(CacheTest, FindsWhatWasStored) {
  Cache cache(true);
  EXPECT_FALSE(cache.findProgram(key, {}));
  auto path = cache.storeProgram(key, {}, record, "library", {});
  ASSERT_TRUE(path);
  EXPECT_EQ(cache.findProgram(key, {})->library, path);
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
  EXPECT_TRUE(readFile(found->library)->starts_with("library"));
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
  auto path = cache.storeProgram(key, {}, record, "library", {});
  ASSERT_TRUE(path);
  std::string good = *readFile(*path);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    writeFileAtomically(*path, bad);
    EXPECT_FALSE(cache.findProgram(key, {})) << i;
    writeFileAtomically(*path, good.substr(0, i));
    EXPECT_FALSE(cache.findProgram(key, {})) << i;
  }
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

TEST_F(CacheTest, DisabledOrBlockedKeepsNothing) {
  Cache none(false);
  EXPECT_FALSE(none.storeProgram(key, {}, record, "x", {}));
  EXPECT_FALSE(none.findProgram(key, {}));
  ::setenv("CHI_CACHE_DIR", (module + "/cache").c_str(), 1);
  Cache blocked(true);
  EXPECT_FALSE(blocked.storeProgram(key, {}, record, "x", {}));
  blocked.storeObject(key, "x");
  EXPECT_FALSE(blocked.findObject(key));
}

TEST(ParamText, TakesEveryForm) {
  EXPECT_EQ(paramText("n", {}), "");
  EXPECT_NE(paramText("n", {"--n", "3"}), paramText("n", {"--n", "4"}));
  EXPECT_NE(paramText("n", {"--n=3"}), "");
  EXPECT_NE(paramText("n_grid", {"--n-grid=3"}), "");
  EXPECT_NE(paramText("fast", {"--no-fast"}), "");
  EXPECT_EQ(paramText("n", {"--name", "3"}), "");
}
