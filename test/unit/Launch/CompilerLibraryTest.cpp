//===- CompilerLibraryTest.cpp - Keys, devices and loading ----------------===//
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/Files.h"
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>

using namespace chi;
using namespace chi::launch;

namespace {
class CompilerLibraryTest : public ::testing::Test {
protected:
  void SetUp() override {
    ::unsetenv("CHI_RECORD");
    host.clock = nullptr;
    host.runLibrary = nullptr;
    host.binaryFolder = "/nowhere/bin";
    host.buildIdentity = "build";
    options.file = "/p.chi";
    options.text = "print(1)\n";
  }
  void TearDown() override { ::unsetenv("CHI_RECORD"); }
  std::string key() const { return programKey(options, host).hex(); }

  ChicHost host;
  RunOptions options;
};
using Change = std::function<void(RunOptions &, ChicHost &)>;
} // namespace

// Every option that code depends on gives another key; no two give the same.
TEST_F(CompilerLibraryTest, KeysDifferByEachOption) {
  const std::pair<const char *, Change> changes[] = {
      {"none", [](RunOptions &, ChicHost &) {}},
      {"file", [](RunOptions &o, ChicHost &) { o.file = "/q.chi"; }},
      {"relative", [](RunOptions &o, ChicHost &) { o.file = "p.chi"; }},
      {"text", [](RunOptions &o, ChicHost &) { o.text += "\n"; }},
      {"folder",
       [](RunOptions &o, ChicHost &) { o.compile.includeDirs = {"/a"}; }},
      {"folders",
       [](RunOptions &o, ChicHost &) { o.compile.includeDirs = {"/a", "/b"}; }},
      {"other order",
       [](RunOptions &o, ChicHost &) { o.compile.includeDirs = {"/b", "/a"}; }},
      {"int", [](RunOptions &o, ChicHost &) { o.compile.defaultInt = "i64"; }},
      {"float",
       [](RunOptions &o, ChicHost &) { o.compile.defaultFloat = "f64"; }},
      {"strict types",
       [](RunOptions &o, ChicHost &) { o.compile.strictTypes = true; }},
      {"wide", [](RunOptions &o, ChicHost &) { o.compile.wideFloats = true; }},
      {"mode",
       [](RunOptions &o, ChicHost &) { o.compile.floatMode = "strict"; }},
      {"math", [](RunOptions &o, ChicHost &) { o.compile.math = "native"; }},
      {"libdevice",
       [](RunOptions &o, ChicHost &) { o.compile.libdevice = "/a.bc"; }},
      {"unchecked",
       [](RunOptions &o, ChicHost &) { o.compile.unchecked = true; }},
      {"nan", [](RunOptions &o, ChicHost &) { o.compile.checks = {"nan"}; }},
      {"races",
       [](RunOptions &o, ChicHost &) { o.compile.checks = {"races"}; }},
      {"O", [](RunOptions &o, ChicHost &) { o.compile.optLevel = 2; }},
      {"cpu",
       [](RunOptions &o, ChicHost &) { o.compile.targetCPU = "generic"; }},
      {"l1", [](RunOptions &o, ChicHost &) { o.compile.machine.l1 = 4096; }},
      {"l2", [](RunOptions &o, ChicHost &) { o.compile.machine.l2 = 4096; }},
      {"vector",
       [](RunOptions &o, ChicHost &) { o.compile.machine.vector = 128; }},
      {"debug", [](RunOptions &o, ChicHost &) { o.compile.debugInfo = true; }},
      {"without",
       [](RunOptions &o, ChicHost &) { o.compile.without.add("lanes"); }},
      {"without all",
       [](RunOptions &o, ChicHost &) { o.compile.without.addAll(); }},
      {"records", [](RunOptions &o, ChicHost &) { o.compile.records = true; }},
      {"cuda", [](RunOptions &o, ChicHost &) { o.compile.devices = {"cuda"}; }},
      {"vulkan",
       [](RunOptions &o, ChicHost &) { o.compile.devices = {"vulkan"}; }},
      {"gpu", [](RunOptions &o, ChicHost &) { o.compile.gpuArch = "sm_90"; }},
      {"params", [](RunOptions &o, ChicHost &) { o.specialize = "all"; }},
      {"tests", [](RunOptions &o, ChicHost &) { o.runTests = true; }},
      {"compiler", [](RunOptions &, ChicHost &h) { h.buildIdentity = "new"; }},
  };
  std::map<std::string, const char *> seen;
  for (const auto &[name, change] : changes) {
    RunOptions changedOptions = options;
    ChicHost changedHost = host;
    change(changedOptions, changedHost);
    std::string hex = programKey(changedOptions, changedHost).hex();
    auto [place, isNew] = seen.emplace(hex, name);
    EXPECT_TRUE(isNew) << name << " has the key of " << place->second;
  }
}

// What changes a run, its messages or its time finds the same program.
TEST_F(CompilerLibraryTest, KeysDoNotDependOnTheRun) {
  std::string before = key();
  options.threads = 3;
  options.seed = 5;
  options.profile = options.time = options.noCache = true;
  options.measuresAgain = true;
  options.device = 1;
  options.testFilter = "one";
  options.programArgs = {"--n=3"};
  options.diagnostics.color = "always";
  options.diagnostics.format = "json";
  options.compile.jobs = 2;
  options.compile.machine.cores = 2;
  host.binaryFolder = "/elsewhere/bin";
  EXPECT_EQ(key(), before);
}

// A toolkit's file is known by its identity, not by its name only.
TEST_F(CompilerLibraryTest, KeysKnowTheToolkit) {
  std::string folder = makeTemporaryFolder(""), file = folder + "/a.bc";
  options.compile.libdevice = file;
  std::string absent = key();
  ASSERT_TRUE(writeFileAtomically(file, "one"));
  std::string first = key();
  ASSERT_TRUE(writeFileAtomically(file, "three"));
  std::string second = key();
  removeFolder(folder);
  EXPECT_NE(absent, first);
  EXPECT_NE(first, second);
}

TEST_F(CompilerLibraryTest, ArchsHaveTheirForms) {
  auto apply = [&](const char *arch) {
    options.arch = arch;
    options.compile.devices = {"stale"};
    applyArch(options);
    return options;
  };
  for (const char *arch : {"cpu", "interp"}) {
    RunOptions of = apply(arch);
    EXPECT_EQ(of.arch, arch);
    EXPECT_TRUE(of.compile.devices.empty());
    EXPECT_FALSE(of.compile.records);
  }
  RunOptions mirror = apply("mirror");
  EXPECT_TRUE(mirror.compile.devices.empty());
  EXPECT_TRUE(mirror.compile.records);
  for (const char *arch : {"cuda", "vulkan"}) {
    RunOptions of = apply(arch);
    EXPECT_EQ(of.compile.devices, std::vector<std::string>{arch});
    EXPECT_TRUE(of.compile.records);
    EXPECT_TRUE(of.compile.isFor(arch));
    EXPECT_FALSE(of.compile.isFor("cpu"));
  }
  // The variable replaces the processor, no device, and only by a GPU.
  ::setenv("CHI_RECORD", "vulkan", 1);
  EXPECT_EQ(apply("cpu").arch, "vulkan");
  EXPECT_EQ(apply("cuda").arch, "cuda");
  EXPECT_EQ(apply("interp").arch, "interp");
  ::setenv("CHI_RECORD", "1", 1);
  EXPECT_EQ(apply("cpu").arch, "cpu");
}

TEST_F(CompilerLibraryTest, WarningsInTheFormOfTheRun) {
  WarningTexts texts{"plain", "colored", "{}"};
  auto printed = [&](const char *color, const char *format) {
    DiagnosticOptions form;
    form.color = color;
    form.format = format;
    ::testing::internal::CaptureStderr();
    printWarnings(texts, form);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(printed("never", "text"), "plain");
  EXPECT_EQ(printed("always", "text"), "colored");
  EXPECT_EQ(printed("always", "json"), "{}");
}

TEST_F(CompilerLibraryTest, ProcessorIdentityIsStable) {
  std::string identity = processorIdentity();
  EXPECT_FALSE(identity.empty());
  EXPECT_EQ(processorIdentity(), identity);
}

TEST_F(CompilerLibraryTest, SaysWhyTheCompilerIsNotLoaded) {
  EXPECT_EQ(compilerLibraryPath("/a/bin"), "/a/bin/../lib/libchic-compiler.so");
  EXPECT_EQ(offloadLibraryPath("/a/bin"), "/a/bin/../lib/libchic-offload.so");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(compilerFunction(host, "chic_compile"), nullptr);
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("chic: cannot load the compiler: "
                      "/nowhere/bin/../lib/libchic-compiler.so: "),
            0u)
      << text;
}

// A file that is no library is a fault of Chi's, not of the program.
TEST_F(CompilerLibraryTest, RefusesWhatIsNoProgram) {
  std::string folder = makeTemporaryFolder(""), file = folder + "/a.so";
  ASSERT_TRUE(writeFileAtomically(file, "no library"));
  Descriptor opened(::open(file.c_str(), O_RDONLY));
  removeFolder(folder);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(runLibrary(opened, options), 70);
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("chic: cannot load the compiled program: "), 0u) << text;
}

// Nothing is printed before --time is seen; then one line for each phase.
TEST(PhaseClock, PrintsWhenItIsOn) {
  ::testing::internal::CaptureStderr();
  PhaseClock clock;
  clock.mark("early");
  EXPECT_FALSE(clock.isEnabled());
  clock.enable();
  EXPECT_TRUE(clock.isEnabled());
  clock.mark("parsed");
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("early"), text.npos);
  EXPECT_EQ(text.substr(0, 6), "time: ");
  EXPECT_EQ(text.substr(text.size() - 10), ")  parsed\n");
}
