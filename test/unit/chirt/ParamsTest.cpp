//===- ParamsTest.cpp - Params as flags -----------------------------------===//
#include "Support.h"
#include "chirt/host.h"
#include <vector>

namespace {

/// A program's params and what they hold.
struct Values {
  int32_t n;
  float dt;
  uint8_t fast;
  double kick[2];
  const char *scene;
  uint32_t bits;
} values;

void *const nStorage[] = {&values.n};
void *const dtStorage[] = {&values.dt};
void *const fastStorage[] = {&values.fast};
void *const kickStorage[] = {&values.kick[0], &values.kick[1]};
void *const sceneStorage[] = {&values.scene};
void *const bitsStorage[] = {&values.bits};
const char *const scenes[] = {"dam", "drop", nullptr};

const chirt_param params[] = {
    {"n", CHIRT_I32, 1, nStorage, "number of bodies", "1024", 1, 1, 1e7,
     nullptr, nullptr, [] { values.n = 1024; }},
    {"time_step", CHIRT_F32, 1, dtStorage, "", "1.0 / n", 1, 0, 0.1, nullptr,
     nullptr, [] { values.dt = 1.0f / float(values.n); }},
    {"fast", CHIRT_BOOL, 1, fastStorage, "", "False", 0, 0, 0, nullptr, nullptr,
     [] { values.fast = 0; }},
    {"kick", CHIRT_F64, 2, kickStorage, "push", "[0.1, 0]", 0, 0, 0, nullptr,
     nullptr, [] { values.kick[0] = 0.1, values.kick[1] = 0; }},
    {"scene", CHIRT_STR, 1, sceneStorage, "", "\"dam\"", 0, 0, 0, scenes,
     nullptr, [] { values.scene = "dam"; }},
    {"bits", CHIRT_U32, 1, bitsStorage, "", "16", 0, 0, 0, nullptr, "16",
     nullptr}};

const chirt_program program = {
    CHIRT_ABI_VERSION, "demo.chi", "A demo.", params, 6, [] {}, nullptr, 0};

Ran bind(std::vector<const char *> given) {
  static std::vector<const char *> arguments; // chirt_arguments reads it later
  arguments = std::move(given);
  chirt_options options = {};
  return catchOutput([&] {
    return chirt_run(&program, &options, int32_t(arguments.size()),
                     arguments.data());
  });
}

TEST(Params, DefaultsInOrder) {
  EXPECT_EQ(bind({"--n", "50"}).status, 0);
  EXPECT_EQ(values.n, 50);
  EXPECT_EQ(values.dt, 1.0f / 50);
  EXPECT_EQ(values.kick[0], 0.1);
  EXPECT_STREQ(values.scene, "dam");
  EXPECT_EQ(values.bits, 16u);
}

TEST(Params, FormsOfFlags) {
  Ran ran = bind({"--n=1_000", "--time-step", "0.1", "--fast",
                  "--kick=-0.5,1e-3", "--scene", "drop"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(values.n, 1000);
  EXPECT_EQ(values.dt, 0.1f);
  EXPECT_EQ(values.fast, 1);
  EXPECT_EQ(values.kick[0], -0.5);
  EXPECT_EQ(values.kick[1], 1e-3);
  EXPECT_STREQ(values.scene, "drop");
  EXPECT_EQ(bind({"--time_step=0.05", "--no-fast", "--kick", "[1, 2]"}).status,
            0);
  EXPECT_EQ(values.dt, 0.05f);
  EXPECT_EQ(values.fast, 0);
  EXPECT_EQ(bind({"--fast=true", "--n", "0x10"}).status, 0);
  EXPECT_EQ(values.fast, 1);
  EXPECT_EQ(values.n, 16);
  EXPECT_EQ(bind({"--fast", "false"}).status, 0);
  EXPECT_EQ(values.fast, 0);
}

/// The arguments of the latest run, between bars.
std::string argumentsShown() {
  std::string text;
  chirt_object *words = chirt_arguments();
  const char *joined = chirt_str_join("|", words);
  text = joined ? joined : "";
  chirt_str_release(joined);
  chirt_object_release(words);
  return text;
}

TEST(Params, ArgumentsFollowTwoDashes) {
  EXPECT_EQ(bind({"--n=20", "--", "a", "--n=3", "--", "b c"}).status, 0);
  EXPECT_EQ(values.n, 20);
  EXPECT_EQ(argumentsShown(), "a|--n=3|--|b c");
  EXPECT_EQ(bind({"--", "--n", "50", "--no-fast", "--other"}).status, 0);
  EXPECT_EQ(values.n, 50);
  EXPECT_EQ(argumentsShown(), "--other");
  EXPECT_EQ(bind({"--", "--n=60", "--", "--n=7"}).status, 0);
  EXPECT_EQ(values.n, 60);
  EXPECT_EQ(argumentsShown(), "--n=7");
  EXPECT_EQ(bind({"--n", "40", "--"}).status, 0);
  EXPECT_EQ(argumentsShown(), "");
  EXPECT_EQ(bind({"a"}).status, 2);
}

TEST(Params, ErrorsNameTypeRangeAndDoc) {
  auto refused = [](std::vector<const char *> arguments) {
    Ran ran = bind(arguments);
    EXPECT_EQ(ran.status, 2);
    return ran.err;
  };
  EXPECT_EQ(refused({"--n", "0"}),
            "demo.chi: error: parameter `n`: `0` is outside its range (i32 in "
            "[1, 10000000], number of bodies)\n");
  EXPECT_EQ(refused({"--n", "many"}),
            "demo.chi: error: parameter `n`: `many` is no i32 (i32 in [1, "
            "10000000], number of bodies)\n");
  EXPECT_EQ(refused({"--n", "3000000000"}),
            "demo.chi: error: parameter `n`: `3000000000` does not fit in i32 "
            "(i32 in [1, 10000000], number of bodies)\n");
  EXPECT_EQ(refused({"--thraeds", "2"}),
            "demo.chi: error: there is no parameter `--thraeds`; did you mean "
            "`--threads`?\n");
  for (const char *bad : {"1.5", "", "3000000000", "1__0", "-", "0x", "1e6"})
    EXPECT_NE(refused({"--n", bad}), "");
  EXPECT_EQ(refused({"--kick", "1"}),
            "demo.chi: error: parameter `kick`: `1` has 1 component, not 2 "
            "(vec(2, f64), push)\n");
  EXPECT_EQ(
      refused({"--scene", "river"}),
      "demo.chi: error: parameter `scene`: `river` is not one of its choices "
      "(str in {dam, drop})\n");
  EXPECT_EQ(
      refused({"--n"}),
      "demo.chi: error: parameter `n` needs a value (i32 in [1, 10000000], "
      "number of bodies)\n");
  EXPECT_EQ(refused({"--tme-step", "1"}),
            "demo.chi: error: there is no parameter `--tme-step`; did you mean "
            "`--time-step`?\n");
  EXPECT_EQ(
      refused({"--zzzzzzzz", "1"}),
      "demo.chi: error: there is no parameter `--zzzzzzzz`; `--help` lists "
      "them\n");
  EXPECT_NE(refused({"value"}).find("is not a parameter"), std::string::npos);
  EXPECT_NE(refused({"--bits", "17"}).find("was fixed to 16"),
            std::string::npos);
  EXPECT_EQ(bind({"--bits", "0x10"}).status, 0);
}

TEST(Params, BadDefaultsAreFound) {
  EXPECT_NE(bind({"--n=5"}).err.find("`0.2` is its default and outside"),
            std::string::npos);
}

TEST(Params, Help) {
  Ran ran = bind({"--help"});
  EXPECT_EQ(ran.status, 0);
  for (const char *chunk : {"A demo.", "--n i32",
                            "number of bodies in [1, 10000000] (default: 1024)",
                            "--fast, --no-fast", "--kick vec(2, f64)",
                            "in {dam, drop}", "(fixed: 16)", "--time-step f32"})
    EXPECT_NE(ran.out.find(chunk), std::string::npos) << chunk << '\n'
                                                      << ran.out;
}

TEST(Params, MainTakesItsOwnFlags) {
  auto run = [](std::vector<const char *> arguments) {
    arguments.insert(arguments.begin(), "demo");
    return catchOutput([&] {
      return chirt_main(&program, int32_t(arguments.size()), arguments.data());
    });
  };
  EXPECT_EQ(run({"--threads", "2", "--seed=7", "--n", "99"}).status, 0);
  EXPECT_EQ(values.n, 99);
  EXPECT_EQ(chirt_seed, 7u);
  EXPECT_EQ(run({"--threads", "many"}).status, 2);
  EXPECT_NE(run({"--profil"}).err.find("did you mean `--profile`"),
            std::string::npos);
  EXPECT_NE(run({"--help"}).out.find("usage: demo"), std::string::npos);
}

TEST(Durations, AreNumbersWithUnits) {
  EXPECT_DOUBLE_EQ(chirt_read_duration("90"), 90);
  EXPECT_DOUBLE_EQ(chirt_read_duration("90s"), 90);
  EXPECT_DOUBLE_EQ(chirt_read_duration("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(chirt_read_duration("10min"), 600);
  EXPECT_DOUBLE_EQ(chirt_read_duration("1.5h"), 5400);
  EXPECT_DOUBLE_EQ(chirt_read_duration("2d"), 172800);
  EXPECT_DOUBLE_EQ(chirt_read_duration("1h30m"), 5400);
  EXPECT_DOUBLE_EQ(chirt_read_duration("1min2.5s"), 62.5);
  EXPECT_EQ(chirt_read_duration("0"), 0);
  for (const char *text : {"", "s", "-1s", "10min30", "5x", "1.2.3s", "10 min",
                           "1e3", "inf", "nan", "99999999d"})
    EXPECT_LT(chirt_read_duration(text), 0) << text;
}

} // namespace
