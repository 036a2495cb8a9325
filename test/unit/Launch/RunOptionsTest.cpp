//===- RunOptionsTest.cpp - The command line of chic run ------------------===//
#include "chi/Launch/RunOptions.h"
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace chi;
using namespace chi::launch;

namespace {
/// The result of a command line behind `chic run`.
struct Parsed {
  int status;
  RunOptions options;
  std::string out, error;
};

Parsed parse(std::vector<const char *> words) {
  words.insert(words.begin(), "run");
  Parsed parsed;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  parsed.status =
      parseRunOptions(int(words.size()), words.data(), parsed.options);
  parsed.out = ::testing::internal::GetCapturedStdout();
  parsed.error = ::testing::internal::GetCapturedStderr();
  return parsed;
}

class RunOptionsTest : public ::testing::Test {
protected:
  void SetUp() override { ::unsetenv("CHI_MACHINE"); }
  void TearDown() override { ::unsetenv("CHI_MACHINE"); }
};
} // namespace

TEST_F(RunOptionsTest, Defaults) {
  Parsed parsed = parse({"p.chi"});
  EXPECT_EQ(parsed.status, -1);
  EXPECT_EQ(parsed.out + parsed.error, "");
  const RunOptions &run = parsed.options;
  EXPECT_EQ(run.file, "p.chi");
  EXPECT_EQ(run.arch, "cpu");
  EXPECT_EQ(run.specialize, "needed");
  EXPECT_EQ(run.threads, 0);
  EXPECT_EQ(run.seed, 0u);
  EXPECT_FALSE(run.profile || run.noCache || run.time || run.help);
  EXPECT_TRUE(run.programArgs.empty());
  const CompileOptions &compile = run.compile;
  EXPECT_EQ(compile.defaultInt, "i32");
  EXPECT_EQ(compile.defaultFloat, "f32");
  EXPECT_EQ(compile.floatMode, "fast");
  EXPECT_EQ(compile.math, "chi");
  EXPECT_EQ(compile.optLevel, 3);
  EXPECT_EQ(compile.targetCPU, "native");
  EXPECT_FALSE(compile.unchecked || compile.strictTypes || compile.debugInfo);
  EXPECT_TRUE(compile.without.isEmpty());
  EXPECT_TRUE(compile.checks.empty());
  EXPECT_EQ(compile.machine.l1, 0);
}

TEST_F(RunOptionsTest, EachOptionReachesItsMember) {
  Parsed parsed = parse({"--arch=vulkan",
                         "--device=2",
                         "--threads=7",
                         "--seed=9",
                         "--profile",
                         "--specialize=all",
                         "--no-cache",
                         "--time",
                         "-I",
                         "one",
                         "-Itwo",
                         "--strict-types",
                         "--default-int=i64",
                         "--default-float=f64",
                         "--float=strict",
                         "--math=native",
                         "--unchecked",
                         "--check=nan,overflow",
                         "-O1",
                         "--target-cpu=generic",
                         "--machine=l1=16KiB,cores=3",
                         "-g",
                         "--without=lanes",
                         "--without=tiles,noalias",
                         "--color=always",
                         "--diagnostics=json",
                         "p.chi"});
  ASSERT_EQ(parsed.status, -1) << parsed.error;
  const RunOptions &run = parsed.options;
  EXPECT_EQ(run.arch, "vulkan");
  EXPECT_EQ(run.device, 2);
  EXPECT_EQ(run.threads, 7);
  EXPECT_EQ(run.seed, 9u);
  EXPECT_TRUE(run.profile && run.noCache && run.time);
  EXPECT_EQ(run.specialize, "all");
  EXPECT_EQ(run.diagnostics.color, "always");
  EXPECT_EQ(run.diagnostics.format, "json");
  const CompileOptions &compile = run.compile;
  EXPECT_EQ(compile.includeDirs, (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(compile.strictTypes && compile.unchecked && compile.debugInfo);
  EXPECT_EQ(compile.defaultInt, "i64");
  EXPECT_EQ(compile.defaultFloat, "f64");
  EXPECT_EQ(compile.floatMode, "strict");
  EXPECT_EQ(compile.math, "native");
  EXPECT_EQ(compile.checks, (std::vector<std::string>{"nan", "overflow"}));
  EXPECT_EQ(compile.optLevel, 1);
  EXPECT_EQ(compile.targetCPU, "generic");
  EXPECT_EQ(compile.machine.l1, 16384);
  EXPECT_EQ(compile.machine.cores, 3);
  EXPECT_EQ(compile.without.names<std::vector<std::string>>(),
            (std::vector<std::string>{"lanes", "tiles", "noalias"}));
}

// A list of checks replaces the checks that a verb has by itself.
TEST_F(RunOptionsTest, ChecksReplaceThoseOfTheVerb) {
  auto checks = [](const char *flag) {
    CLI::App app;
    CompileOptions options;
    options.checks = {"races"};
    addCompileOptions(app, options);
    std::vector<const char *> words = {"test"};
    if (flag)
      words.push_back(flag);
    app.parse(int(words.size()), words.data());
    return options.checks;
  };
  EXPECT_EQ(checks(nullptr), std::vector<std::string>{"races"});
  EXPECT_EQ(checks("--check=nan"), std::vector<std::string>{"nan"});
  EXPECT_EQ(checks("--check=none"), std::vector<std::string>());
  EXPECT_EQ(checks("--check=races,nan"),
            (std::vector<std::string>{"races", "nan"}));
}

// What follows FILE and is no option of run is the program's, in its order.
TEST_F(RunOptionsTest, ProgramArguments) {
  EXPECT_EQ(parse({"p.chi", "--n", "4", "--dt=1", "word"}).options.programArgs,
            (std::vector<std::string>{"--n", "4", "--dt=1", "word"}));
  Parsed mixed = parse({"p.chi", "--n=4", "--threads=2", "--fast"});
  EXPECT_EQ(mixed.options.programArgs,
            (std::vector<std::string>{"--n=4", "--fast"}));
  EXPECT_EQ(mixed.options.threads, 2);
  // Behind -- all of it is the program's; what are params, that decides.
  Parsed ended = parse({"p.chi", "--", "--threads=2"});
  EXPECT_EQ(ended.options.programArgs,
            (std::vector<std::string>{"--", "--threads=2"}));
  EXPECT_EQ(ended.options.threads, 0);
}

// Standard input is a program; a negative number is a value of a parameter.
TEST_F(RunOptionsTest, WordsThatLookLikeFlags) {
  EXPECT_EQ(parse({"-"}).options.file, "-");
  EXPECT_EQ(parse({"p.chi", "--n", "-3"}).options.programArgs,
            (std::vector<std::string>{"--n", "-3"}));
}

TEST_F(RunOptionsTest, SlipsBeforeTheFile) {
  for (auto [flag, advice] :
       {std::pair("--theads=2", "did you mean `--threads`? "),
        {"--no-cash", "did you mean `--no-cache`? "},
        {"--sed=1", "did you mean `--seed`? "},
        {"--particles=9", ""},
        {"-x", ""}}) {
    Parsed parsed = parse({flag, "p.chi"});
    EXPECT_EQ(parsed.status, 2) << flag;
    std::string name = std::string(flag).substr(0, std::string(flag).find('='));
    EXPECT_EQ(parsed.error, "chic run: unknown flag `" + name + "` of `run`; " +
                                advice +
                                "parameters of the program follow FILE\n");
  }
}

TEST_F(RunOptionsTest, HelpAndNothing) {
  Parsed nothing = parse({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.error, "chic run: FILE is required; chic run --help\n");
  Parsed help = parse({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("--threads"), std::string::npos);
  EXPECT_NE(help.out.find("Parameters of the program follow FILE"),
            std::string::npos);
  // With a program its parameters belong to the help: it is compiled first.
  Parsed both = parse({"p.chi", "-h"});
  EXPECT_EQ(both.status, -1);
  EXPECT_TRUE(both.options.help);
  EXPECT_EQ(both.out, "");
}

// The list has a line for each name, and the one for all.
TEST_F(RunOptionsTest, WithoutHelpListsAll) {
  Parsed parsed = parse({"--without=help"});
  EXPECT_EQ(parsed.status, 0);
  for (const OptimisationRecord &record : kOptimisations)
    EXPECT_NE(parsed.out.find("\n  " + std::string(record.name) + " "),
              std::string::npos)
        << record.name;
  EXPECT_NE(parsed.out.find("\n  all "), std::string::npos);
}

// CHI_MACHINE is of this machine: it says nothing of another processor, nor
// beside --machine.
TEST_F(RunOptionsTest, MachineOfTheEnvironment) {
  ::setenv("CHI_MACHINE", "l3=8MiB,cores=2", 1);
  EXPECT_EQ(parse({"p.chi"}).options.compile.machine.l3, 8 << 20);
  EXPECT_EQ(parse({"--target-cpu=generic", "p.chi"}).options.compile.machine.l3,
            0);
  MachineDescription flag =
      parse({"--machine=l1=16KiB", "p.chi"}).options.compile.machine;
  EXPECT_EQ(flag.l1, 16 << 10);
  EXPECT_EQ(flag.l3, 0);
  EXPECT_EQ(flag.cores, 0);
}

TEST_F(RunOptionsTest, Colors) {
  DiagnosticOptions options;
  options.color = "always";
  EXPECT_TRUE(wantsColor(options));
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(wantsColor(options)) << "the flag is the nearer wish";
  options.color = "auto";
  EXPECT_FALSE(wantsColor(options));
  ::unsetenv("NO_COLOR");
  options.color = "never";
  EXPECT_FALSE(wantsColor(options));
}
