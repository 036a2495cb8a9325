//===- DeviceTest.cpp - Copies of fields; the mirror that misses none -----===//
#include "chirt/support/Device.h"
#include "Support.h"
#include "chirt/field/Copies.h"
#include "chirt/launch/Launch.h"
#include "chirt/support/Settings.h"
#include <cmath>
#include <csignal>
#include <fstream>
#include <numeric>
#include <vector>

using namespace chirt;

namespace {

/// Fields made meanwhile are the mirror's, and are released behind the test:
/// leaks are looked for where only some of these tests run as well.
class Mirror : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    settings().device = &mirrorDevice;
  }
  void TearDown() override {
    for (chirt_field *field : fields)
      chirt_field_release(field);
    settings().device = &cpuDevice;
  }

  chirt_field *keep(chirt_field *field) { return fields.emplace_back(field); }
  chirt_field *make(const char *desc, std::initializer_list<int64_t> shape) {
    return keep(makeField(desc, shape));
  }

private:
  std::vector<chirt_field *> fields;
};

float *data(chirt_field *field) { return static_cast<float *>(field->data); }

/// A launch of a task that adds 1 to each element of a vector, or stores 7.
void runTask(chirt_field *field, chirt_acquire_mode mode) {
  LaunchField used{field, mode};
  chirt_field shadow;
  beginLaunch(&used, 1, &shadow);
  auto chunk = [](void *memory, int64_t begin, int64_t end, int32_t) {
    for (int64_t i = begin; i < end; ++i)
      static_cast<float *>(memory)[i] += 1;
  };
  chirt_parallel(chunk, shadow.data, field->elements, 16, 16);
  endLaunch(&used, 1);
}

TEST(Devices, AreFoundByName) {
  EXPECT_EQ(findDevice(nullptr), &cpuDevice);
  EXPECT_EQ(findDevice("cpu"), &cpuDevice);
  EXPECT_EQ(findDevice("mirror"), &mirrorDevice);
  EXPECT_EQ(findDevice("abacus"), nullptr);
}

TEST(Devices, ThePoolHasOneCopyOfAField) {
  chirt_field *x = makeField("f32", {8});
  for (int32_t where : {CHIRT_AT_DEVICE, CHIRT_AT_HOST})
    for (int32_t mode : {CHIRT_TO_READ, CHIRT_TO_UPDATE, CHIRT_TO_OVERWRITE}) {
      chirt_field_acquire(x, where, mode);
      EXPECT_EQ(x->current, CHIRT_AT_HOST);
      EXPECT_EQ(x->buffer, 0);
    }
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EQ(data(x)[7], 1);
  chirt_field_release(x);
}

TEST_F(Mirror, BringsWhatIsStaleAndSaysWhatIsCurrent) {
  chirt_field *x = make("f32", {1000});
  EXPECT_EQ(x->current, CHIRT_AT_HOST);
  data(x)[3] = 5;
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EQ(x->current, CHIRT_AT_DEVICE);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(x))[3], 6);
  EXPECT_EQ(x->current, CHIRT_AT_HOST | CHIRT_AT_DEVICE);
  EXPECT_EQ(data(x)[999], 1);
  hostCopyToUpdate(x);
  EXPECT_EQ(x->current, CHIRT_AT_HOST);
  data(x)[999] = 8;
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(x))[999], 9);
}

TEST_F(Mirror, FunctionsOfTheRunTimeAskForTheHostsCopy) {
  chirt_field *x = make("f32", {100}), *y = make("f32", {100});
  float two = 2;
  double sum = 0;
  float most = 0;
  chirt_field_fill(x, &two);
  runTask(x, CHIRT_TO_UPDATE);
  chirt_field_sum(x, &sum);
  EXPECT_EQ(sum, 300);
  runTask(x, CHIRT_TO_UPDATE);
  chirt_field_max(nullptr, x, &most);
  EXPECT_EQ(most, 4);
  runTask(x, CHIRT_TO_UPDATE);
  runTask(y, CHIRT_TO_UPDATE);
  chirt_field_copy(nullptr, y, x);
  EXPECT_EQ(y->current, CHIRT_AT_DEVICE); // where both were
  runTask(y, CHIRT_TO_UPDATE);
  EXPECT_EQ(chirt_field_dot(nullptr, x, y), 100 * 5 * 6);
  runTask(y, CHIRT_TO_UPDATE);
  EXPECT_EQ(textOf(y).substr(0, 10), "[7.0, 7.0,");
  runTask(x, CHIRT_TO_UPDATE);
  int64_t at = -1;
  chirt_field_argmax(nullptr, x, &at);
  EXPECT_EQ(at, 0);
}

TEST_F(Mirror, FilesHoldWhatTasksWrote) {
  std::string path = testing::TempDir() + "mirror.npy";
  chirt_field *x = make("f32", {20});
  runTask(x, CHIRT_TO_UPDATE);
  chirt_save(nullptr, path.c_str(), x, 0);
  chirt_field *y = keep(chirt_load(nullptr, path.c_str(), "f32", 1));
  runTask(y, CHIRT_TO_UPDATE);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(y))[19], 2);
}

/// An entry of a library that has its argument changed by a task.
void addOne(void **arguments, void *) {
  runTask(*static_cast<chirt_field **>(arguments[0]), CHIRT_TO_UPDATE);
}

TEST_F(Mirror, CallersOfALibraryGetTheirMemoryBack) {
  float memory[3] = {1, 2, 3};
  int64_t shape[] = {3};
  void *start = memory, *extents = shape;
  void *const slots[] = {&start, &extents};
  EXPECT_EQ(chirt_call(addOne, "F1f32|", slots), 0);
  EXPECT_EQ(memory[0] + memory[1] + memory[2], 9);
}

TEST_F(Mirror, PointersHandedOutMayBeWrittenTo) {
  chirt_field *x = make("f32", {4});
  runTask(x, CHIRT_TO_UPDATE);
  chirt_named_field named = {"x", &x};
  chirt_field_table table = {&named, 1};
  chirt_array array;
  EXPECT_EQ(chirt_library_field(&table, "x", &array), 0);
  static_cast<float *>(array.data)[2] = 10;
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(x))[2], 11);
}

TEST_F(Mirror, MemoryOfTheDeviceStartsAsGarbage) {
  chirt_field *x = make("f32", {4}), *d = make("f64", {4});
  runTask(x, CHIRT_TO_OVERWRITE); // which it does not
  EXPECT_TRUE(std::isnan(reinterpret_cast<const float *>(hostCopy(x))[0]));
  chirt_field_acquire(d, CHIRT_AT_DEVICE, CHIRT_TO_OVERWRITE);
  EXPECT_TRUE(std::isnan(reinterpret_cast<const double *>(hostCopy(d))[0]));
}

TEST_F(Mirror, AFieldMayBeTakenTwice) {
  chirt_field *x = make("f32", {4});
  data(x)[1] = 3;
  LaunchField used[] = {{x, CHIRT_TO_OVERWRITE}, {x, CHIRT_TO_READ}};
  chirt_field shadows[2];
  beginLaunch(used, 2, shadows);
  EXPECT_EQ(shadows[0].data, shadows[1].data);
  EXPECT_EQ(data(&shadows[1])[1], 3);
  data(&shadows[0])[1] = 4;
  endLaunch(used, 2);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(x))[1], 4);
}

/// y += a * x, and z = x: by their handles, as compiled tasks do.
void axpy(const chirt_task *, const int64_t *words, const chirt_domain *over) {
  auto *y = reinterpret_cast<chirt_field *>(words[0]);
  auto *x = reinterpret_cast<chirt_field *>(words[2]);
  auto *z = reinterpret_cast<chirt_field *>(words[3]);
  float a;
  memcpy(&a, &words[1], sizeof(a));
  for (int64_t i = over->from[0]; i < over->to[0]; ++i) {
    data(y)[i] += a * data(x)[i];
    data(z)[i] = data(x)[i];
  }
}

TEST_F(Mirror, ATaskGetsWhatItsDescriptorSays) {
  const chirt_argument arguments[] = {
      {CHIRT_F32, 1, 1, CHIRT_USE_READ | CHIRT_USE_WRITE},
      {CHIRT_F32, 0, 0, 0},
      {CHIRT_F32, 1, 1, CHIRT_USE_READ},
      {CHIRT_F32, 1, 1, CHIRT_USE_WRITE | CHIRT_USE_OVERWRITE},
      {CHIRT_F32, 1, 1, 0}};
  chirt_task task = {};
  task.version = CHIRT_TASK_VERSION;
  task.rank = 1, task.num_arguments = 5;
  task.arguments = arguments;
  task.entry = axpy;
  chirt_field *made[4];
  for (chirt_field *&field : made)
    field = make("f32", {8});
  auto [y, x, z, unused] = made;
  data(x)[5] = 3, data(y)[5] = 1, data(z)[7] = 9;
  float two = 2;
  int64_t words[5] = {int64_t(y), 0, int64_t(x), int64_t(z), int64_t(unused)};
  memcpy(&words[1], &two, sizeof(two));
  chirt_domain domain = {};
  domain.to[0] = 7; // not all, whatever the descriptor says
  chirt_launch(&task, words, &domain);
  EXPECT_EQ(y->current, CHIRT_AT_DEVICE);
  EXPECT_EQ(x->current, CHIRT_AT_HOST | CHIRT_AT_DEVICE);
  EXPECT_EQ(z->current, CHIRT_AT_DEVICE);
  EXPECT_EQ(unused->current, CHIRT_AT_HOST);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(y))[5], 7);
  EXPECT_EQ(reinterpret_cast<const float *>(hostCopy(z))[5], 3);
  EXPECT_TRUE(std::isnan(data(z)[7]));
}

TEST_F(Mirror, FieldsWithoutElementsHaveNoCopies) {
  chirt_field *x = make("f32", {0});
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EQ(x->buffer, 0);
}

//===----------------------------------------------------------------------===//
// Missing notifications are reported
//===----------------------------------------------------------------------===//

using MirrorDeathTest = Mirror;

TEST_F(MirrorDeathTest, ReadingAStaleCopy) {
  chirt_field *x = make("f32", {4});
  runTask(x, CHIRT_TO_UPDATE);
  EXPECT_EXIT(printf("%g", double(data(x)[2])), testing::ExitedWithCode(70),
              "mirror: the host's copy of a field is accessed while only the "
              "device's is current \\(byte 8 of 16\\); this is a bug");
}

TEST_F(MirrorDeathTest, WritingWithoutSayingSo) {
  chirt_field *x = make("f32", {4});
  runTask(x, CHIRT_TO_UPDATE);
  hostCopy(x);
  EXPECT_EXIT(data(x)[2] = 1, testing::ExitedWithCode(70),
              "written while the device's is marked as current");
}

TEST_F(MirrorDeathTest, TheDevicesCopyOutsideOfALaunch) {
  chirt_field *x = make("f32", {4});
  LaunchField used{x, CHIRT_TO_READ};
  chirt_field shadow;
  beginLaunch(&used, 1, &shadow);
  EXPECT_EQ(data(&shadow)[2], 0);
  EXPECT_EXIT(data(&shadow)[2] = 1, testing::ExitedWithCode(70),
              "a task writes to a field that its launch only reads");
  endLaunch(&used, 1);
  EXPECT_EXIT(data(&shadow)[2] = 1, testing::ExitedWithCode(70),
              "accessed outside of a launch that acquired it");
}

TEST_F(MirrorDeathTest, OtherFaultsStayWhatTheyAre) {
  make("f32", {4});
  volatile uintptr_t firstPage = 64; // not null, which a sanitizer looks for
  EXPECT_EXIT(*reinterpret_cast<volatile int *>(firstPage) = 1,
              testing::KilledBySignal(SIGSEGV), "");
}

} // namespace
