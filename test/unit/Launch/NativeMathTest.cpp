//===- NativeMathTest.cpp - Where the functions of a toolkit are ----------===//
#include "chi/Launch/NativeMath.h"
#include "chi/Launch/Files.h"
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace chi::launch;
namespace fs = std::filesystem;

namespace {
class NativeMathTest : public ::testing::Test {
protected:
  void SetUp() override {
    base = makeTemporaryFolder("");
    path = std::getenv("PATH") ? std::getenv("PATH") : "";
    for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
      ::unsetenv(name);
  }
  void TearDown() override {
    ::setenv("PATH", path.c_str(), 1);
    for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
      ::unsetenv(name);
    fs::remove_all(base);
  }
  /// A toolkit in a folder of this name; the path of its library.
  std::string toolkit(const std::string &name) {
    fs::path folder = fs::path(base) / name;
    fs::create_directories(folder / "nvvm/libdevice");
    fs::create_directories(folder / "bin");
    std::string library = folder / "nvvm/libdevice/libdevice.10.bc";
    EXPECT_TRUE(writeFileAtomically(library, "BC"));
    EXPECT_TRUE(writeFileAtomically(folder / "bin/nvcc", "#!"));
    return library;
  }
  std::string base, path;
};
} // namespace

TEST_F(NativeMathTest, TheEnvironmentComesFirst) {
  std::string one = toolkit("one"), other = toolkit("other");
  ::setenv("PATH", (base + "/other/bin").c_str(), 1);
  ::setenv("CUDA_PATH", (base + "/one").c_str(), 1);
  EXPECT_EQ(findLibdevice(), one);
  ::setenv("CUDA_HOME", (base + "/other").c_str(), 1);
  EXPECT_EQ(findLibdevice(), other);
  // An empty variable is none; one that leads nowhere is no other toolkit's.
  ::setenv("CUDA_HOME", "", 1);
  EXPECT_EQ(findLibdevice(), one);
  ::setenv("CUDA_HOME", (base + "/none").c_str(), 1);
  EXPECT_EQ(findLibdevice(), "");
}

// The first nvcc of the PATH, whose real place is in the toolkit.
TEST_F(NativeMathTest, TheCompilerOfThePath) {
  std::string one = toolkit("one");
  fs::create_directories(fs::path(base) / "links");
  fs::create_symlink(base + "/one/bin/nvcc", base + "/links/nvcc");
  ::setenv("PATH", ("/nowhere::" + base + "/links:/bin").c_str(), 1);
  EXPECT_EQ(fs::weakly_canonical(findLibdevice()), fs::weakly_canonical(one));
}

// A folder by the name of the library is none.
TEST_F(NativeMathTest, ALibraryIsAFile) {
  fs::create_directories(fs::path(base) / "one/nvvm/libdevice/libdevice.10.bc");
  ::setenv("CUDA_HOME", (base + "/one").c_str(), 1);
  EXPECT_EQ(findLibdevice(), "");
}

TEST_F(NativeMathTest, OnlyForCudaAndFastFloats) {
  std::string library = toolkit("one");
  ::setenv("CUDA_HOME", (base + "/one").c_str(), 1);
  CompileOptions options;
  EXPECT_TRUE(takeNativeMath(options, "cpu"));
  EXPECT_EQ(options.libdevice, "") << "the functions of Chi need none";
  options.math = "native";
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(takeNativeMath(options, "mirror"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "chic: --math=native requires --arch=cuda; mirror supports only "
            "Chi's elementary functions\n");
  options.devices = {"cuda"};
  EXPECT_TRUE(takeNativeMath(options, "cuda"));
  EXPECT_EQ(options.libdevice, library);
  options.floatMode = "strict";
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(takeNativeMath(options, "cuda"));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("mutually exclusive"),
            std::string::npos);
}

// A toolkit that is missing is reported by the program that needs it.
TEST_F(NativeMathTest, AMissingToolkitIsNoErrorYet) {
  ::setenv("CUDA_HOME", (base + "/none").c_str(), 1);
  CompileOptions options;
  options.math = "native";
  options.devices = {"cuda"};
  EXPECT_TRUE(takeNativeMath(options, "cuda"));
  EXPECT_EQ(options.libdevice, "");
}
