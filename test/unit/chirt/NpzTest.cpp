//===- NpzTest.cpp - Several arrays in one file ---------------------------===//
#include "chirt/io/Npz.h"

#include "Support.h"
#include "chirt/failure/Failure.h"
#include "chirt/io/CodePoints.h"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace chirt;

namespace {

struct Npz : testing::Test {
  std::filesystem::path folder;
  std::string file;
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             (std::string("chirt_npz_") + info->name());
    std::filesystem::create_directories(folder);
    file = folder / "a.npz";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string read() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string &bytes) const {
    // Some file systems write a file that is replaced to the disk at once.
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytes;
  }

  /// Opens the file, runs `body` with it and returns what the failure said, or
  /// "" if there was none.
  std::string open(const std::function<bool(NpzReader &)> &body) {
    NpzReader reader(file.c_str());
    if (reader.open(nullptr) && body(reader))
      return "";
    return std::string(lastFailure());
  }
};

FieldType typeNamed(const char *desc) {
  FieldType type;
  parseFieldType(desc, type);
  return type;
}

const char *const kinds[] = {
    "bool",  "i8",      "i16",       "i32",
    "i64",   "u8",      "u16",       "u32",
    "u64",   "f16",     "f32",       "f64",
    "f32:3", "f64:2x3", "f32:2;soa", "f32:2x2;soa;order=1,0"};

chirt_field *filled(const char *desc) {
  chirt_field *x = makeField(desc, {3, 4});
  auto *data = static_cast<uint8_t *>(x->data);
  for (int64_t k = 0; k < x->bytes; ++k)
    data[k] = x->dtype == CHIRT_BOOL ? k % 2 : uint8_t(k % 50);
  return x;
}

TEST_F(Npz, FieldsOfEveryType) {
  std::vector<chirt_field *> fields;
  {
    NpzWriter writer(file.c_str());
    for (const char *desc : kinds) {
      fields.push_back(filled(desc));
      EXPECT_TRUE(writer.add(desc, fields.back()));
    }
    EXPECT_TRUE(writer.commit());
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  NpzReader reader(file.c_str());
  ASSERT_TRUE(reader.open(nullptr));
  EXPECT_EQ(reader.size(), std::size(kinds));
  for (size_t k = fields.size(); k-- > 0;) {
    EXPECT_EQ(reader.name(k), std::string(kinds[k]) + ".npy");
    chirt_field *x = fields[k];
    chirt_field *y =
        reader.load(nullptr, kinds[k], typeNamed(kinds[k]), 2, false);
    ASSERT_TRUE(y) << lastFailure();
    EXPECT_EQ(memcmp(x->data, y->data, size_t(x->bytes)), 0) << kinds[k];
    memset(y->data, 0, size_t(y->bytes));
    EXPECT_TRUE(reader.loadInto(nullptr, kinds[k], y));
    EXPECT_EQ(memcmp(x->data, y->data, size_t(x->bytes)), 0) << kinds[k];
    chirt_field_release(x);
    chirt_field_release(y);
  }
}

TEST_F(Npz, ValuesTextsAndBytes) {
  const double pi = 3.25;
  const int64_t vec[] = {1, -2, 3};
  const float mat[] = {1, 2, 3, 4, 5, 6};
  const int64_t three[] = {3}, twoByThree[] = {2, 3};
  const std::string odd = "gr\xc3\xb6\xc3\x9f\x65 \xf0\x9f\x8c\x8a \xff\xc3";
  {
    NpzWriter writer(file.c_str());
    EXPECT_TRUE(writer.add("pi", CHIRT_F64, 0, nullptr, &pi));
    EXPECT_TRUE(writer.add("vec", CHIRT_I64, 1, three, vec));
    EXPECT_TRUE(writer.add("mat", CHIRT_F32, 2, twoByThree, mat));
    EXPECT_TRUE(writer.addText("odd", odd));
    EXPECT_TRUE(writer.addText("none", ""));
    EXPECT_TRUE(writer.addBytes("state.json", "{}\n"));
    EXPECT_TRUE(writer.commit());
  }
  NpzReader reader(file.c_str());
  ASSERT_TRUE(reader.open(nullptr));
  EXPECT_TRUE(reader.has("state.json"));
  EXPECT_FALSE(reader.has("state"));
  double one = 0;
  EXPECT_TRUE(reader.loadValue(nullptr, "pi", typeNamed("f64"), false, &one));
  EXPECT_EQ(one, 3.25);
  int64_t v[3] = {};
  EXPECT_TRUE(reader.loadValue(nullptr, "vec", typeNamed("i64:3"), false, v));
  EXPECT_EQ(memcmp(v, vec, sizeof(vec)), 0);
  float cast[3] = {};
  EXPECT_TRUE(reader.loadValue(nullptr, "vec", typeNamed("f32:3"), true, cast));
  EXPECT_EQ(cast[1], -2);
  float m[6] = {};
  EXPECT_TRUE(reader.loadValue(nullptr, "mat", typeNamed("f32:2x3"), false, m));
  EXPECT_EQ(memcmp(m, mat, sizeof(mat)), 0);
  Text text;
  EXPECT_TRUE(reader.loadText(nullptr, "odd", text));
  EXPECT_EQ(text.view(), odd);
  text.clear();
  EXPECT_TRUE(reader.loadText(nullptr, "none", text));
  EXPECT_TRUE(reader.loadBytes(nullptr, "state.json", text));
  EXPECT_EQ(text.view(), "{}\n");
}

TEST_F(Npz, NoTimeInIt) {
  std::string first;
  for (int k = 0; k < 2; ++k) {
    NpzWriter writer(file.c_str());
    writer.addText("a", "b");
    EXPECT_TRUE(writer.commit());
    first = k == 0 ? read() : first;
  }
  EXPECT_EQ(read(), first);
}

TEST_F(Npz, LargeMembersGoPastTheBuffer) {
  constexpr int64_t count = 300000;
  chirt_field *x = makeField("f32", {count});
  for (int64_t k = 0; k < count; ++k)
    static_cast<float *>(x->data)[k] = float(k);
  {
    NpzWriter writer(file.c_str());
    EXPECT_TRUE(writer.add("before", x));
    EXPECT_TRUE(writer.addText("small", "s"));
    EXPECT_TRUE(writer.add("after", x));
    EXPECT_TRUE(writer.commit());
  }
  EXPECT_EQ(open([&](NpzReader &reader) {
              chirt_field *y =
                  reader.load(nullptr, "after", typeNamed("f32"), 1, false);
              bool isSame = memcmp(x->data, y->data, count * 4) == 0;
              chirt_field_release(y);
              Text text;
              return isSame && reader.loadText(nullptr, "small", text);
            }),
            "");
  chirt_field_release(x);
}

TEST_F(Npz, Messages) {
  {
    NpzWriter writer(file.c_str());
    chirt_field *x = makeField("f32:2", {3});
    writer.add("x", x);
    chirt_field_release(x);
    writer.addText("label", "l");
    EXPECT_TRUE(writer.commit());
  }
  auto load = [&](const char *name, const char *desc, int rank) {
    return open([&](NpzReader &reader) {
      chirt_field *y = reader.load(nullptr, name, typeNamed(desc), rank, false);
      chirt_field_release(y);
      return y != nullptr;
    });
  };
  EXPECT_EQ(load("x", "f32:2", 1), "");
  EXPECT_EQ(load("y", "f32", 1),
            "error: `" + file + "` has no `y`; it has `x`, `label`\n");
  EXPECT_EQ(load("x", "f64:2", 1),
            "error: `x` in `" + file +
                "` contains numbers of type f32 ('<f4'), not f64; `load(…, "
                "cast=True)` converts them\n");
  EXPECT_EQ(load("x", "f32", 1),
            "error: `x` in `" + file +
                "` contains an array of shape (3, 2); field(f32, 1) needs 1 "
                "axis\n");
  EXPECT_EQ(load("x", "f32:3", 1),
            "error: `x` in `" + file +
                "` contains an array of shape (3, 2), whose last axes do not "
                "match vec(3, f32)\n");
  EXPECT_EQ(load("label", "f32", 0), "error: `label` in `" + file +
                                         "` contains text ('<U1'), not f32\n");
  EXPECT_EQ(open([&](NpzReader &reader) {
              float value;
              return reader.loadValue(nullptr, "x", typeNamed("f32"), false,
                                      &value);
            }),
            "error: `x` in `" + file +
                "` contains an array of shape (3, 2); f32 needs 0 axes\n");
  EXPECT_EQ(open([&](NpzReader &reader) {
              Text text;
              return reader.loadText(nullptr, "x", text);
            }),
            "error: `x` in `" + file +
                "` contains an array of type '<f4' and shape (3, 2), not a "
                "str\n");
  EXPECT_EQ(open([&](NpzReader &reader) {
              chirt_field *y = makeField("f32:2", {4});
              bool isLoaded = reader.loadInto(nullptr, "x", y);
              chirt_field_release(y);
              return isLoaded;
            }),
            "error: `x` in `" + file + "` has the shape (3,), not (4,)\n");
  file = folder / "none.npz";
  EXPECT_EQ(load("x", "f32", 1),
            "error: cannot read `" + file + "`: No such file or directory\n");
  file = folder;
  EXPECT_NE(load("x", "f32", 1), "");
}

/// Reads all members by their kinds; the message of the first failure.
std::string readAll(const std::string &file) {
  NpzReader reader(file.c_str());
  float numbers[6];
  Text text;
  chirt_field *x = nullptr;
  bool isGood =
      reader.open(nullptr) &&
      (x = reader.load(nullptr, "x", typeNamed("f32"), 1, false)) &&
      reader.loadText(nullptr, "label", text) &&
      reader.loadBytes(nullptr, "state.json", text) &&
      reader.loadValue(nullptr, "m", typeNamed("f32:2x3"), false, numbers);
  chirt_field_release(x);
  return isGood ? "" : std::string(lastFailure());
}

// Whatever is cut off or changed, there is a sentence; values that are read are
// the right ones, since each member has a checksum.
TEST_F(Npz, DamagedFiles) {
  const float mat[] = {1, 2, 3, 4, 5, 6};
  const int64_t twoByThree[] = {2, 3};
  {
    NpzWriter writer(file.c_str());
    chirt_field *x = filled("f32");
    chirt_field *row = makeField("f32", {5});
    writer.add("x", row);
    writer.addText("label", "of the file");
    writer.addBytes("state.json", "{}");
    writer.add("m", CHIRT_F32, 2, twoByThree, mat);
    EXPECT_TRUE(writer.commit());
    chirt_field_release(row);
    chirt_field_release(x);
  }
  const std::string whole = read();
  ASSERT_EQ(readAll(file), "");
  for (size_t size = 0; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    std::string said = readAll(file);
    ASSERT_TRUE(said.starts_with("error: ") && said.ends_with("\n")) << size;
  }
  size_t numSaid = 0;
  for (size_t at = 0; at < whole.size(); ++at)
    for (unsigned change : {0x01u, 0x80u, 0xffu}) {
      std::string changed = whole;
      changed[at] = char(uint8_t(changed[at]) ^ change);
      write(changed);
      std::string said = readAll(file);
      ASSERT_TRUE(said.empty() || said.starts_with("error: ")) << at;
      numSaid += !said.empty();
    }
  // What is changed without an effect: times, versions, attributes.
  EXPECT_GT(numSaid, whole.size() * 3 * 8 / 10);
}

TEST_F(Npz, ErrorsOfWriting) {
  NpzWriter writer((folder / "no" / "a.npz").c_str());
  EXPECT_FALSE(writer.addText("a", "b"));
  EXPECT_FALSE(writer.commit());
  EXPECT_FALSE(writer.fail(nullptr));
  EXPECT_NE(std::string(lastFailure()).find("No such file or directory"),
            std::string::npos);
}

TEST_F(Npz, NothingIsLeftWithoutCommit) {
  {
    NpzWriter writer(file.c_str());
    EXPECT_TRUE(writer.addText("a", "b"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(CodePoints, RoundTripOfAnyBytes) {
  std::string all;
  for (int first = 1; first < 256; ++first)
    for (int second = 1; second < 256; second += 3)
      all += {char(first), char(second)};
  Array<uint32_t> points;
  appendCodePoints(points, all);
  Array<char> bytes;
  bytes.append(reinterpret_cast<const char *>(points.data()),
               points.size() * 4);
  Text text;
  EXPECT_TRUE(appendUtf8(text, bytes, false));
  EXPECT_EQ(text.view(), all);
}

} // namespace
