//===- KernelsTest.cpp - What kernels of a device take, and leave ---------===//
#include "chirt/device/Kernels.h"
#include "Support.h"
#include "chirt/support/Device.h"
#include <vector>

using namespace chirt;

namespace {

/// A kernel that takes these words.
struct Code {
  std::vector<int32_t> words;
  chirt_device_code code = {};

  Code(std::initializer_list<int32_t> list) : words(list) {
    code.words = words.data();
    code.num_words = int64_t(words.size() / 3);
    code.per_thread = 1;
  }
  std::vector<int64_t> filled(const KernelLaunch &launch) const {
    std::vector<int64_t> to(size_t(code.num_words), -1);
    fillKernelParams(&code, launch, to.data());
    return to;
  }
};

/// A launch over rows 2 to 7 and no columns, of two arguments: a
/// field of 4 × 9 elements that the device has at 4096, and a scalar.
struct Launched {
  chirt_field field = {};
  int64_t words[3] = {0, 77, 0};
  chirt_domain domain = {};

  Launched() {
    field.data = reinterpret_cast<void *>(4096);
    field.extents[0] = 4;
    field.extents[1] = 9;
    words[0] = reinterpret_cast<int64_t>(&field);
    domain.from[0] = 2, domain.to[0] = 7;
    // Empty, though its ends differ by what is 5 modulo 2⁶⁴.
    domain.from[1] = INT64_MAX - 3, domain.to[1] = INT64_MIN + 1;
  }
  KernelLaunch launch(int64_t iterations = 5) const {
    return {words, &domain, iterations};
  }
};

TEST(Kernels, ParamsOfFieldsScalarsAndTheDomain) {
  Launched launched;
  Code code = {
      CHIRT_KERNEL_PARAM_DATA,   0, 0, CHIRT_KERNEL_PARAM_EXTENT, 0, 1,
      CHIRT_KERNEL_PARAM_SCALAR, 1, 0, CHIRT_KERNEL_PARAM_FROM,   0, 0,
      CHIRT_KERNEL_PARAM_COUNT,  0, 0, CHIRT_KERNEL_PARAM_COUNT,  1, 0};
  EXPECT_EQ(code.filled(launched.launch()),
            (std::vector<int64_t>{4096, 9, 77, 2, 5, 0}));
}

TEST(Kernels, AFieldThatHasNoCopyThereIsNowhere) {
  Launched launched;
  launched.field.device = findDevice("mirror");
  Code code = {
      CHIRT_KERNEL_PARAM_DATA,   0, 0, CHIRT_KERNEL_PARAM_DATA,   2, 0,
      CHIRT_KERNEL_PARAM_EXTENT, 0, 0, CHIRT_KERNEL_PARAM_EXTENT, 2, 0};
  EXPECT_EQ(code.filled(launched.launch()), (std::vector<int64_t>{0, 0, 4, 0}));
}

TEST(Kernels, ParamsOfFailuresAndOfPartialSums) {
  Launched launched;
  Code code = {
      CHIRT_KERNEL_PARAM_FAILURES, 0,  0, CHIRT_KERNEL_PARAM_RECORDS,      0, 0,
      CHIRT_KERNEL_PARAM_PARTIALS, 64, 0, CHIRT_KERNEL_PARAM_NUM_PARTIALS, 0, 0,
      CHIRT_KERNEL_PARAM_STRIDE,   0,  0};
  KernelLaunch launch = launched.launch(2049);
  launch.failures = {100, 200};
  launch.partials = 1000;
  launch.numPartials = 5;
  // 2049 iterations are three blocks of a reduction.
  EXPECT_EQ(code.filled(launch),
            (std::vector<int64_t>{100, 200, 1000 + 3 * 64, 5, 1}));
  EXPECT_TRUE(mayFail(&code.code));
  Code quiet = {CHIRT_KERNEL_PARAM_SEED, 0, 0};
  EXPECT_FALSE(mayFail(&quiet.code));
}

TEST(Kernels, IterationsAreThoseOfAllAxes) {
  Launched launched;
  chirt_task task = {};
  EXPECT_EQ(iterationsOf(&task, &launched.domain), 1);
  task.rank = 1;
  EXPECT_EQ(iterationsOf(&task, &launched.domain), 5);
  task.rank = 2;
  EXPECT_EQ(iterationsOf(&task, &launched.domain), 0);
}

/// A launch with one field over a domain of two axes: is it for the kernel that
/// counts in 64 bits?
bool isLarge(chirt_field field, chirt_domain domain) {
  const chirt_argument arguments[] = {{CHIRT_I64, 0, 0, 0},
                                      {CHIRT_F32, 1, 2, CHIRT_USE_READ}};
  const int64_t words[] = {INT64_MAX, reinterpret_cast<int64_t>(&field)};
  chirt_task task = {};
  task.rank = 2;
  task.num_arguments = 2;
  task.arguments = arguments;
  KernelLaunch launch = {words, &domain, 1};
  launch.task = &task;
  chirt_device_code large = {}, code = {};
  EXPECT_EQ(codeFor(&code, launch), &code);
  code.large = &large;
  return codeFor(&code, launch) == &large;
}

chirt_field fieldOf(int64_t rows, int64_t columns, int32_t components) {
  chirt_field field = {};
  field.rank = 2;
  field.extents[0] = rows;
  field.extents[1] = columns;
  field.rows = components;
  field.columns = 1;
  return field;
}

chirt_domain domainOf(int64_t from, int64_t to, int64_t columns) {
  chirt_domain domain = {};
  domain.from[0] = from, domain.to[0] = to;
  domain.to[1] = columns;
  return domain;
}

constexpr int64_t kSmall = CHIRT_SMALL_NUMBERS;

TEST(Kernels, LargeFieldsAreForKernelsOf64Bits) {
  EXPECT_EQ(kSmall, (int64_t(1) << 31) - 1 - (1 << 24));
  chirt_domain few = domainOf(0, 1, 1);
  EXPECT_FALSE(isLarge(fieldOf(1, kSmall, 1), few));
  EXPECT_TRUE(isLarge(fieldOf(1, kSmall + 1, 1), few));
  EXPECT_FALSE(isLarge(fieldOf(2, kSmall / 6, 3), few));
  EXPECT_TRUE(isLarge(fieldOf(2, kSmall / 6 + 1, 3), few));
  EXPECT_TRUE(isLarge(fieldOf(int64_t(1) << 32, int64_t(1) << 32, 1), few));
  // No elements, but a kernel may ask for the extent.
  EXPECT_TRUE(isLarge(fieldOf(0, int64_t(1) << 32, 1), few));
}

TEST(Kernels, LargeAndDistantDomainsAreForKernelsOf64Bits) {
  chirt_field one = fieldOf(1, 1, 1);
  EXPECT_FALSE(isLarge(one, domainOf(0, kSmall, 1)));
  EXPECT_TRUE(isLarge(one, domainOf(0, kSmall + 1, 1)));
  EXPECT_TRUE(isLarge(one, domainOf(-1, kSmall, 1)));
  EXPECT_FALSE(isLarge(one, domainOf(0, kSmall / 2, 2)));
  EXPECT_TRUE(isLarge(one, domainOf(0, kSmall / 2 + 1, 2)));
  EXPECT_TRUE(isLarge(one, domainOf(kSmall, kSmall + 2, 1)));
  EXPECT_FALSE(isLarge(one, domainOf(-kSmall, 1 - kSmall, 1)));
  EXPECT_TRUE(isLarge(one, domainOf(-kSmall - 1, -kSmall, 1)));
  EXPECT_TRUE(isLarge(one, domainOf(INT64_MAX - 3, INT64_MIN + 1, 1)));
}

/// The launches that join the sums of so many iterations, of which each lane
/// does `perLane` of a block: blocks and stride.
std::vector<std::pair<int64_t, int64_t>>
joins(int64_t iterations,
      int64_t perLane = CHIRT_REDUCTION_BLOCK / CHIRT_REDUCTION_LANES) {
  chirt_device_code code = {};
  code.per_thread = perLane;
  KernelLaunch launch = {nullptr, nullptr, iterations};
  std::vector<std::pair<int64_t, int64_t>> found;
  beginJoin(launch, &code);
  do
    found.emplace_back(joinBlocks(launch), launch.stride);
  while (goOnJoining(launch));
  return found;
}

TEST(Kernels, PartialSumsAreJoinedUntilOneIsLeft) {
  using Launches = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(joins(1), (Launches{{1, 1}}));
  EXPECT_EQ(joins(256 * 1024), (Launches{{1, 1}}));
  EXPECT_EQ(joins(256 * 1024 + 1), (Launches{{2, 1}, {1, CHIRT_JOIN}}));
  EXPECT_EQ(joins(int64_t(1) << 31),
            (Launches{{8192, 1}, {2, CHIRT_JOIN}, {1, 4096 * 4096}}));
  // A lane for each iteration.
  EXPECT_EQ(joins(4096, 1), (Launches{{1, 1}}));
  EXPECT_EQ(joins(4097, 1), (Launches{{2, 1}, {1, CHIRT_JOIN}}));
}

/// Of an iteration.
chirt_record recordOf(int64_t iteration) {
  chirt_record record = {};
  record.num_axes = 1;
  record.iteration[0] = iteration;
  record.words[0] = iteration;
  record.words[1] = 10;
  return record;
}

TEST(Kernels, FailuresAreReportedWhenTheLaunchIsOver) {
  const uint8_t types[] = {CHIRT_I64, CHIRT_I64};
  const chirt_site site = {
      "a.chi", 3, 5, 9, CHIRT_SITE_BOUNDS, "x", 0, 2, types, "k", 1, -1, "i"};
  const chirt_unit unit = {&site, nullptr, 1, 0};
  Code code = {CHIRT_KERNEL_PARAM_FAILURES, 0, 0};
  code.code.unit = &unit;
  const chirt_record records[] = {recordOf(40), recordOf(12), recordOf(30)};
  Ran ran = catchOutput([&] {
    auto body = [](void *context) {
      auto &[code, records] = *static_cast<
          std::pair<const chirt_device_code *, const chirt_record *> *>(
          context);
      keepFailures(code, /*begin=*/100, /*step=*/2, records, 3);
      chirt_check_launch();
    };
    std::pair<const chirt_device_code *, const chirt_record *> context = {
        &code.code, records};
    return chirt_guard(body, &context);
  });
  EXPECT_EQ(ran.status, 1);
  // As the source counts: 100 + 12 * 2.
  EXPECT_NE(ran.err.find("a.chi:3:5: error: index 12 is out of bounds for axis "
                         "0 of `x` with size 10 [kernel k, iteration i=124]"),
            std::string::npos)
      << ran.err;
}

} // namespace
