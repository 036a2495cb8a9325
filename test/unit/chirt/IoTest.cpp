//===- IoTest.cpp - npy and png files -------------------------------------===//
#include "Support.h"
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

struct Io : testing::Test {
  std::filesystem::path folder;
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             (std::string("chirt_io_") + info->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const char *name) const { return folder / name; }
  std::string read(const std::string &file) const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string &file, const std::string &bytes) const {
    std::ofstream(file, std::ios::binary) << bytes;
  }
};

/// An npy file as NumPy writes it.
std::string npy(std::string dict, const std::string &values) {
  dict += '\n';
  std::string file = std::string("\x93NUMPY\x01\x00", 8);
  file += char(dict.size() & 0xff);
  file += char(dict.size() >> 8);
  return file + dict + values;
}

template <typename T> std::string bytesOf(std::initializer_list<T> values) {
  return {reinterpret_cast<const char *>(values.begin()),
          values.size() * sizeof(T)};
}

TEST_F(Io, NpyRoundTripOfEveryType) {
  for (const char *desc : {"bool", "i8", "i16", "i32", "i64", "u8", "u16",
                           "u32", "u64", "f16", "f32", "f64", "f32:3",
                           "f64:2x3", "f32:2;soa", "f32:2x2;soa;order=1,0"}) {
    chirt_field *x = makeField(desc, {3, 4});
    auto *data = static_cast<uint8_t *>(x->data);
    for (int64_t k = 0; k < x->bytes; ++k)
      data[k] = x->dtype == CHIRT_BOOL ? k % 2 : uint8_t(k % 50);
    std::string file = path("x.npy");
    chirt_save(nullptr, file.c_str(), x, 0);
    chirt_field *y = chirt_load(nullptr, file.c_str(), desc, 2);
    EXPECT_EQ(memcmp(x->data, y->data, size_t(x->bytes)), 0) << desc;
    EXPECT_EQ(textOf(x), textOf(y));
    chirt_field_release(x);
    chirt_field_release(y);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(Io, NpyHeader) {
  chirt_field *x = makeField("f32:2;soa", {3});
  for (int k = 0; k < 6; ++k)
    static_cast<float *>(x->data)[k] = float(k);
  chirt_save(nullptr, path("x.npy").c_str(), x, 0);
  chirt_field_release(x);
  std::string file = read(path("x.npy"));
  ASSERT_EQ(file.size(), 128u + 24);
  EXPECT_NE(file.find("{'descr': '<f4', 'fortran_order': False, "
                      "'shape': (3, 2), }"),
            std::string::npos);
  EXPECT_EQ(file.substr(128), bytesOf<float>({0, 3, 1, 4, 2, 5}));
}

TEST_F(Io, NpyOfOthers) {
  std::string file = path("x.npy");
  write(file, npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }",
                  bytesOf<int32_t>({1, 2, 3, 4, 5, 6})));
  chirt_field *x = chirt_load(nullptr, file.c_str(), "i32", 2);
  EXPECT_EQ(textOf(x), "[[1, 3, 5],\n [2, 4, 6]]");
  chirt_field_release(x);
  write(file, npy("{'descr': '>u2', 'fortran_order': False, 'shape': (2,), }",
                  std::string("\x01\x02\x00\x07", 4)));
  x = chirt_load(nullptr, file.c_str(), "u16", 1);
  EXPECT_EQ(textOf(x), "[258, 7]");
  chirt_field_release(x);
}

TEST_F(Io, LoadErrors) {
  std::string file = path("x.npy");
  auto load = [&](const char *desc, int rank) {
    return guarded([&] { chirt_load(nullptr, file.c_str(), desc, rank); });
  };
  Ran ran = load("f32", 1);
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("No such file"), std::string::npos);
  const char *header =
      "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }";
  write(file, npy(header, std::string(31, 'x')));
  EXPECT_EQ(load("f32", 1).status, 1); // wrong type
  EXPECT_EQ(load("f64", 2).status, 1); // wrong rank
  EXPECT_EQ(load("f64:2", 0).status, 1);
  ran = load("f64", 1);
  EXPECT_EQ(ran.status, 2); // short
  EXPECT_NE(ran.err.find("ends after 31 of 32 bytes"), std::string::npos)
      << ran.err;
  write(file, npy("{'descr': '<f8', 'fortran_order': False, 'shape': "
                  "(4000000000, 4000000000), }",
                  ""));
  EXPECT_EQ(load("f64", 2).status, 2);
  for (const char *bad : {"", "PK", "{'descr': '<f8'}", "\x93NUMPY\x01"}) {
    write(file, bad);
    EXPECT_EQ(load("f64", 1).status, 2) << bad;
  }
  write(file,
        npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}",
            ""));
  EXPECT_EQ(load("f64", 0).status, 2);
}

TEST_F(Io, NpyHeadersToTheLetter) {
  std::string file = path("x.npy");
  auto status = [&](const char *dict, const char *desc, int rank) {
    write(file, npy(dict, ""));
    return guarded([&] {
             chirt_field_release(chirt_load(nullptr, file.c_str(), desc, rank));
           })
        .status;
  };
  EXPECT_EQ(status("{'descr': '|u1', 'fortran_order': Maybe, 'shape': (0,), }",
                   "u8", 1),
            2);
  EXPECT_EQ(status("{'descr': '|u1', 'fortran_order': Truth, 'shape': (0,), }",
                   "u8", 1),
            2);
  EXPECT_EQ(
      status("{'descr': '|u1', 'fortran_order': True, 'shape': (0,)}", "u8", 1),
      0);
  EXPECT_EQ(status("{'descr': '|u1', 'shape': (0,), 'fortran_order': False}",
                   "u8", 1),
            0);
  // The keys of the format, each once, and nothing behind the dictionary.
  for (const char *bad :
       {"{'descr': '|u1', 'fortran_order': False, 'shape': (0,), } + 1",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), 'shape': "
        "(0,), }",
        "{'shape': (1,), 'descr': '|u1', 'fortran_order': False, 'shape': "
        "(0,), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (0,), 'x': 1}",
        "{'descr': '|u1', 'fortran_order': False 'shape': (0,), }",
        "{'descr': 'shape', 'fortran_order': False, 'size': (0,), }",
        "'descr': '|u1', 'fortran_order': False, 'shape': (0,), }"})
    EXPECT_EQ(status(bad, "u8", 1), 2) << bad;
  // No values, however long the other axes are.
  for (const char *shape :
       {"(0, 9223372036854775807)", "(9223372036854775807, 0)"}) {
    std::string dict =
        std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") +
        shape + ", }";
    EXPECT_EQ(status(dict.c_str(), "f64", 2), 0) << shape;
    chirt_field *x = chirt_load(nullptr, file.c_str(), "f64", 2);
    EXPECT_EQ(std::max(x->extents[0], x->extents[1]), INT64_MAX);
    EXPECT_EQ(x->elements, 0);
    chirt_field_release(x);
  }
}

TEST_F(Io, NpyCasts) {
  std::string file = path("x.npy");
  write(file,
        npy("{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }", [] {
          std::string bytes;
          for (double v : {1.75, -2.5, 300.0, -1e10, 65520.0, std::nan("")}) {
            char raw[8];
            memcpy(raw, &v, 8);
            bytes.append(std::reverse_iterator(raw + 8),
                         std::reverse_iterator(raw));
          }
          return bytes;
        }()));
  Ran ran = guarded([&] { chirt_load(nullptr, file.c_str(), "f32", 2); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("contains numbers of type f64 ('>f8'), not f32; "
                         "`load(…, cast=True)` converts them"),
            std::string::npos)
      << ran.err;
  auto cast = [&](const char *desc, int rank) {
    chirt_field *x = chirt_load_cast(nullptr, file.c_str(), desc, rank);
    std::string text = textOf(x);
    chirt_field_release(x);
    return text;
  };
  EXPECT_EQ(cast("f32", 2),
            "[[1.75, 300.0, 65520.0],\n [-2.5, -10000000000.0, nan]]");
  EXPECT_EQ(cast("u8", 2), "[[1, 255, 255],\n [0, 0, 0]]");
  EXPECT_EQ(cast("i32", 2), "[[1, 300, 65520],\n [-2, -2147483648, 0]]");
  EXPECT_EQ(cast("i64;order=1,0", 2),
            "[[1, 300, 65520],\n [-2, -10000000000, 0]]");
  EXPECT_EQ(cast("f16:3;soa", 1), "[[1.75, 300.0, inf], [-2.5, -inf, nan]]");
  EXPECT_EQ(cast("bool", 2), "[[True, True, True],\n [True, True, True]]");
  // 1 + 2^-11 + 2^-40 lies above the middle of two halves, though not as an
  // f32; integers of 64 bits keep all of theirs.
  write(file, npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
                  bytesOf<double>({1 + 0x1p-11 + 0x1p-40})));
  EXPECT_EQ(cast("f16", 1), "[1.001]");
  write(file, npy("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
                  bytesOf<int64_t>({(int64_t(1) << 53) + 1, -1})));
  EXPECT_EQ(cast("u64", 1), "[9007199254740993, 18446744073709551615]");
  EXPECT_EQ(cast("u16", 1), "[1, 65535]");
  // A bool is true if its byte is not 0.
  write(file, npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }",
                  bytesOf<uint8_t>({0, 1, 2, 255})));
  EXPECT_EQ(cast("i32", 1), "[0, 1, 1, 1]");
  EXPECT_EQ(cast("f32", 1), "[0.0, 1.0, 1.0, 1.0]");
}

// Whatever is changed in a file: it is loaded or refused, in plain words.
TEST_F(Io, DamagedNpyFiles) {
  std::mt19937 random(1);
  std::string file = path("x.npy");
  std::string good =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
          std::string(24, '\0'));
  for (int round = 0; round < 500; ++round) {
    std::string bad = good;
    for (unsigned k = random() % 3 + 1; k > 0; --k)
      bad[random() % bad.size()] = char(random());
    if (random() % 4 == 0)
      bad.resize(random() % bad.size());
    write(file, bad);
    Ran ran = guarded([&] {
      chirt_field_release(chirt_load(nullptr, file.c_str(), "f32", 2));
    });
    ASSERT_TRUE(ran.status >= 0 && ran.status <= 2) << round;
    for (char c : ran.err)
      ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << ran.err;
  }
}

TEST_F(Io, SaveErrors) {
  chirt_field *x = makeField("f32", {4});
  Ran ran = guarded([&] { chirt_save(nullptr, "x.tiff", x, 0); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "error: `x.tiff`: the extension `.tiff` is not supported; "
                     "use .npy, .npz or .png\n");
  // Made outside: a failure jumps over destructors.
  std::string noFolder = path("no/x.npy"), noPicture = path("x.png");
  ran = guarded([&] { chirt_save(nullptr, noFolder.c_str(), x, 0); });
  EXPECT_EQ(ran.status, 2);
  ran = guarded([&] { chirt_save(nullptr, noPicture.c_str(), x, 0); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("2 axes"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  chirt_field_release(x);
}

// A link is followed, to a file that is there and to one that is not; who may
// read the old file may read the new one.
TEST_F(Io, SavesThroughLinks) {
  chirt_field *x = makeField("f32", {4, 4});
  for (const char *name : {"x.npy", "x.png"}) {
    std::string link = path("inner/link") + (name + 1), target = path(name);
    std::filesystem::create_directories(folder / "inner");
    std::filesystem::create_symlink(std::string("../") + name, link);
    for (int round = 0; round < 2; ++round) {
      Ran ran = guarded([&] { chirt_save(nullptr, link.c_str(), x, 0); });
      EXPECT_EQ(ran.status, 0) << ran.err;
      EXPECT_TRUE(std::filesystem::is_symlink(link));
      EXPECT_GT(read(target).size(), 60u) << name;
      using std::filesystem::perms;
      auto mode = perms::owner_read | perms::owner_write | perms::others_exec;
      if (round == 1)
        EXPECT_EQ(std::filesystem::status(target).permissions(), mode);
      std::filesystem::permissions(target, mode);
    }
  }
  chirt_field_release(x);
}

// A pipe is written to, by its name or behind a link, and stays.
TEST_F(Io, SavesIntoPipes) {
  chirt_field *x = makeField("f32", {4});
  std::string pipe = path("pipe.npy"), link = path("link.npy");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe.npy", link);
  for (const std::string &name : {pipe, link}) {
    int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    Ran ran = guarded([&] { chirt_save(nullptr, name.c_str(), x, 0); });
    EXPECT_EQ(ran.status, 0) << ran.err;
    char bytes[1000];
    EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), 128 + 16);
    close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
  }
  std::filesystem::remove(pipe);
  std::filesystem::remove(link);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  chirt_field_release(x);
}

TEST_F(Io, AFullDiskLeavesNothingBehind) {
  std::string file = path("x.npy");
  auto save = [&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    chirt_save(nullptr, file.c_str(), makeField("f32", {1'000'000}), 0);
  };
  EXPECT_EXIT(save(), testing::ExitedWithCode(2), "cannot write `.*x.npy`");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Io, PngPlacesPixels) {
  // 2 rows of 3: the value is 0.1 * (10 row + column).
  chirt_field *x = makeField("f32", {2, 3});
  float values[] = {0, 0.5f, 2, -1, 1, NAN};
  memcpy(x->data, values, sizeof(values));
  std::string file = path("x.png");
  chirt_save(nullptr, file.c_str(), x, 0);
  chirt_field *y = chirt_load(nullptr, file.c_str(), "u8", 2);
  EXPECT_EQ(textOf(y), "[[0, 128, 255],\n [0, 255, 0]]");
  chirt_field_release(y);
  chirt_save(nullptr, file.c_str(), x, 1); // first index right, second up
  y = chirt_load(nullptr, file.c_str(), "u8", 2);
  EXPECT_EQ(textOf(y), "[[255, 0],\n [128, 255],\n [0, 0]]");
  chirt_field_release(y);
  chirt_field_release(x);
}

TEST_F(Io, PngOfColoursAndSixteenBits) {
  chirt_field *x = makeField("u8:3", {5, 4});
  for (int k = 0; k < 60; ++k)
    static_cast<uint8_t *>(x->data)[k] = uint8_t(k * 4);
  std::string file = path("x.png");
  chirt_save(nullptr, file.c_str(), x, 0);
  chirt_field *y = chirt_load(nullptr, file.c_str(), "u8:3", 2);
  EXPECT_EQ(textOf(x), textOf(y));
  chirt_field *z = chirt_load(nullptr, file.c_str(), "f32:4", 2);
  EXPECT_EQ(static_cast<float *>(z->data)[3], 1.0f); // opaque
  EXPECT_EQ(static_cast<float *>(z->data)[6], 20 / 255.0f);
  chirt_field *w = makeField("u16", {2, 2});
  static_cast<uint16_t *>(w->data)[1] = 0x1234;
  chirt_save(nullptr, file.c_str(), w, 0);
  chirt_field *v = chirt_load(nullptr, file.c_str(), "u16", 2);
  EXPECT_EQ(textOf(v), "[[0, 4660],\n [0, 0]]");
  for (chirt_field *f : {x, y, z, w, v})
    chirt_field_release(f);
  write(file, "no picture");
  EXPECT_EQ(guarded([&] { chirt_load(nullptr, file.c_str(), "u8", 2); }).status,
            2);
}

} // namespace
