//===- LinkTest.cpp - A program linked without a compiler -----------------===//
#include <array>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>

namespace {

std::string outputOf(const std::string &command, int &status) {
  std::string out;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 256> buffer;
  while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
    out.append(buffer.data(), n);
  int raw = pclose(pipe);
  status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return out;
}

TEST(Link, ABundledProgramRuns) {
  int status;
  EXPECT_EQ(outputOf(BUNDLED_PROGRAM, status), "sum = 3.0\n");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(outputOf(BUNDLED_PROGRAM " --n 100000 --threads 2", status),
            "sum = 2499975000.0\n");
  EXPECT_NE(
      outputOf(BUNDLED_PROGRAM " --n 0", status).find("outside its range"),
      std::string::npos);
  EXPECT_EQ(status, 2);
}

TEST(Link, AFullOutputIsAnError) {
  int raw = system(BUNDLED_PROGRAM " >/dev/full 2>/dev/null");
  EXPECT_EQ(WEXITSTATUS(raw), 2);
}

/// As `chic build --lib` makes one: the run time may stand in a library too.
TEST(Link, ALibraryRuns) {
  void *library = dlopen(BUNDLED_PROGRAM ".so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using Field = void *(*)(const void *, const char *, int64_t, int64_t, int64_t,
                          int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
  auto make = reinterpret_cast<Field>(dlsym(library, "chirt_field_new"));
  auto release = reinterpret_cast<void (*)(void *)>(
      dlsym(library, "chirt_field_release"));
  ASSERT_NE(make, nullptr);
  ASSERT_NE(release, nullptr);
  void *field = make(nullptr, "f32", 1, 8, 1, 1, 1, 1, 1, 1, 1);
  EXPECT_NE(field, nullptr);
  release(field);
}

TEST(Link, ItNeedsLibcOnly) {
  int status;
  std::string libraries = outputOf("ldd " BUNDLED_PROGRAM, status);
  if (status != 0)
    GTEST_SKIP() << "no ldd";
  for (const char *name : {"stdc++", "gcc", "png", "libz", "LLVM"})
    EXPECT_EQ(libraries.find(name), std::string::npos) << libraries;
}

} // namespace
