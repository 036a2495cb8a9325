//===- ProvenanceTest.cpp - Records of files, redirected files ------------===//
#include "Support.h"
#include "chirt/host.h"
#include "chirt/io/File.h"
#include "chirt/io/Npz.h"
#include "chirt/provenance/Record.h"
#include "chirt/provenance/Redirect.h"
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace chirt;

namespace {

struct Provenance : testing::Test {
  std::filesystem::path folder;
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             (std::string("chirt_provenance_") + info->name());
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  void TearDown() override {
    endProvenance();
    unsetenv("CHI_SAVE_UNDER");
    std::filesystem::remove_all(folder);
  }
  std::string in(const char *name) const { return folder / name; }

  /// A run begins whose files get records.
  void begin(int32_t mode = CHIRT_PROVENANCE_ON) {
    given.mode = mode;
    given.program = "\"program\": \"p.chi\", \"hash\": \"12\"";
    given.arch = "cpu";
    given.context = &asked;
    given.more = [](void *context) -> char * {
      ++*static_cast<int *>(context);
      return strdup("\"git\": {\"commit\": \"ab\", \"clean\": true}");
    };
    chirt_record_provenance(&given);
    beginProvenance(&program, &options, 0, nullptr);
  }
  std::string record(const char *path = "a.png") {
    Text text;
    appendRecord(text, path);
    return std::string(text.view());
  }

  chirt_provenance given = {};
  chirt_program program = {};
  chirt_options options = {};
  int asked = 0;
};

std::string ascii(const char *json) {
  Text text;
  appendAscii(text, json);
  return std::string(text.view());
}

/// What chirt_read_record says, after its status.
std::string readRecord(const std::string &path) {
  char *text = nullptr;
  int32_t status = chirt_read_record(path.c_str(), &text);
  std::string result = std::to_string(status) + " " + text;
  free(text);
  return result;
}

std::string compare(const std::string &a, const std::string &b) {
  char *text = nullptr;
  int32_t status = chirt_compare_files(a.c_str(), b.c_str(), &text);
  std::string result = std::to_string(status) + " " + text;
  free(text);
  return result;
}

TEST_F(Provenance, RecordsAreAsciiAndMadeOnce) {
  begin();
  ASSERT_TRUE(recordsProvenance());
  std::string text = record("ü\"x.png");
  EXPECT_EQ(text.find("{\"format\": \"chi provenance 1\", \"program\": "
                      "\"p.chi\", \"hash\": \"12\", \"arch\": \"cpu\""),
            0u);
  EXPECT_NE(text.find("\"params\": {}, \"git\": {\"commit\""), text.npos);
  EXPECT_NE(text.find("\"file\": \"\\u00fc\\\"x.png\"}"), text.npos);
  EXPECT_EQ(record(), record());
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(text.find("\"made\""), text.npos);
}

TEST_F(Provenance, FullRecordsHaveTimeHostAndFolder) {
  begin(CHIRT_PROVENANCE_FULL);
  std::string text = record();
  for (const char *name :
       {"\"made\": {\"time\": \"", "\"host\": ", "\"folder\""})
    EXPECT_NE(text.find(name), text.npos) << text;
}

TEST_F(Provenance, OffOrUnknownMeansNone) {
  begin(CHIRT_PROVENANCE_OFF);
  EXPECT_FALSE(recordsProvenance());
  beginProvenance(&program, &options, 0, nullptr); // nobody said anything
  EXPECT_FALSE(recordsProvenance());
  EXPECT_EQ(asked, 0);
}

TEST_F(Provenance, OtherStateIsNamed) {
  begin();
  noteOtherState("dt");
  noteOtherState("seed");
  EXPECT_NE(record().find("\"resumed_with_other\": [\"dt\", \"seed\"]"),
            std::string::npos);
}

TEST_F(Provenance, ParamsKeepTheirTypes) {
  float vector[] = {0.1f, 2};
  void *parts[] = {&vector[0], &vector[1]};
  const char *text = "a\n\"b\"";
  void *storage = &text;
  double infinite = 1e999;
  void *real = &infinite;
  chirt_param params[3] = {};
  params[0] = {"v", CHIRT_F32, 2, parts,   "",      "",
               0,   0,         0, nullptr, nullptr, nullptr};
  params[1] = {"s", CHIRT_STR, 1, &storage, "",      "",
               0,   0,         0, nullptr,  nullptr, nullptr};
  params[2] = {"x", CHIRT_F64, 1, &real,   "",      "",
               0,   0,         0, nullptr, nullptr, nullptr};
  program.params = params;
  program.num_params = 3;
  begin();
  EXPECT_NE(record().find("\"params\": {\"v\": [0.1, 2.0], \"s\": "
                          "\"a\\n\\\"b\\\"\", \"x\": \"inf\"}"),
            std::string::npos)
      << record();
}

TEST(ProvenanceText, AsciiEscapesAllElse) {
  EXPECT_EQ(ascii("\"a\\n\""), "\"a\\n\"");
  EXPECT_EQ(ascii("é€😀"), "\\u00e9\\u20ac\\ud83d\\ude00");
  EXPECT_EQ(ascii("\xff!"), "\\ufffd!");
}

TEST(ProvenanceText, Modes) {
  EXPECT_EQ(chirt_provenance_named("off"), CHIRT_PROVENANCE_OFF);
  EXPECT_EQ(chirt_provenance_named("full"), CHIRT_PROVENANCE_FULL);
  EXPECT_EQ(chirt_provenance_named("of"), -1);
}

TEST_F(Provenance, NpzWithAndWithoutARecord) {
  begin();
  double x = 0.5;
  for (const char *name : {"a.npz", "b.npz"}) {
    NpzWriter writer(in(name).c_str());
    writer.add("x", CHIRT_F64, 0, nullptr, &x);
    if (*name == 'a')
      writer.addAscii(kRecordName, "{\"x\": 1}");
    ASSERT_TRUE(writer.commit());
  }
  EXPECT_EQ(readRecord(in("a.npz")), "0 {\"x\": 1}");
  EXPECT_EQ(readRecord(in("b.npz")),
            "1 `" + in("b.npz") + "` has no record of how it was made");
  EXPECT_EQ(compare(in("a.npz"), in("b.npz")), "0 ");
}

TEST_F(Provenance, DifferencesOfArrays) {
  int64_t extents[] = {2, 2};
  float one[] = {1, 2, 3, 4}, other[] = {1, 2.5f, 3, 8};
  int32_t k = 3;
  {
    NpzWriter a(in("a.npz").c_str()), b(in("b.npz").c_str());
    a.add("x", CHIRT_F32, 2, extents, one);
    b.add("x", CHIRT_F32, 2, extents, other);
    a.add("k", CHIRT_I32, 0, nullptr, &k);
    b.add("k", CHIRT_F32, 0, nullptr, one);
    a.addText("s", "left");
    b.addText("t", "new");
    ASSERT_TRUE(a.commit() && b.commit());
  }
  EXPECT_EQ(compare(in("a.npz"), in("b.npz")),
            "1 `x`: 2 of 4 values differ, the first at [0, 1]: 2.0 and 2.5; "
            "the greatest difference is 4.0\n"
            "`k`: values of type <i4 and shape () became type <f4 and shape "
            "()\n"
            "`s` is missing in the new file\n"
            "`t` is new\n");
  std::filesystem::resize_file(in("b.npz"), 40);
  EXPECT_EQ(compare(in("a.npz"), in("b.npz")),
            "2 `" + in("b.npz") + "` is damaged or cut off\n");
  EXPECT_EQ(compare(in("a.npz"), in("c.npz"))[0], '2');
}

TEST_F(Provenance, SamplesTellFilesApart) {
  std::string big(200000, 'x');
  std::ofstream(in("a")) << big;
  FileSample first = sampleOf(in("a").c_str());
  EXPECT_EQ(first.bytes, 200000);
  EXPECT_EQ(sampleOf(in("a").c_str()), first);
  big.back() = 'y';
  std::ofstream(in("a")) << big;
  EXPECT_NE(sampleOf(in("a").c_str()), first);
  EXPECT_EQ(sampleOf(in("none").c_str()).bytes, -1);
}

std::string below(const char *path) {
  Text text;
  appendBelow(text, "/top", path);
  return std::string(text.view());
}

TEST_F(Provenance, PathsStayBelowTheFolder) {
  EXPECT_EQ(below("/a/b.npy"), "/top/a/b.npy");
  EXPECT_EQ(below("/a//./b/../c"), "/top/a/c");
  EXPECT_EQ(below("/../../x"), "/top/x");
  EXPECT_EQ(below("x"),
            "/top" + std::filesystem::current_path().string() + "/x");
}

TEST_F(Provenance, RedirectedFilesAreReadWhereTheyWereWritten) {
  std::string target = in("there/a.txt");
  std::filesystem::create_directories(folder / "there");
  std::ofstream(target) << "old";
  setenv("CHI_SAVE_UNDER", in("under").c_str(), 1);
  std::filesystem::create_directories(folder / "under");
  char bytes[4] = {};
  EXPECT_EQ(OpenFile(target.c_str()).read(bytes, 3), 3u);
  EXPECT_STREQ(bytes, "old");
  NewFile file(target.c_str());
  ASSERT_TRUE(file.write("new", 3) && file.commit());
  EXPECT_EQ(OpenFile(target.c_str()).read(bytes, 3), 3u);
  EXPECT_STREQ(bytes, "new");
  EXPECT_EQ(chirt_exists(target.c_str()), 1);
  unsetenv("CHI_SAVE_UNDER");
  EXPECT_EQ(OpenFile(target.c_str()).read(bytes, 3), 3u);
  EXPECT_STREQ(bytes, "old");
}

} // namespace
