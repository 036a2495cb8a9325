//===- FailuresTest.cpp - Failures on a device, and their reports ---------===//
#include "Cts.h"

using namespace chirt;
using cts::put;
using cts::seen;

namespace {
class Failures : public cts::OnDevice {
protected:
  /// Indices into a field of 100, all of them good.
  chirt_field *indices(int64_t count) {
    chirt_field *at = make("i32", count);
    for (int64_t i = 0; i < count; ++i)
      set(at, i, int32_t(i % 100));
    return at;
  }
  static void set(chirt_field *at, int64_t i, int32_t index) {
    reinterpret_cast<int32_t *>(hostCopyToUpdate(at))[i] = index;
  }
  /// The report of a failed launch, and that there is one only.
  std::string messageOf(chirt_field *at, chirt_field *x) {
    Ran ran = guarded([&] {
      runScatter(at, x);
      chirt_sync();
    });
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(guarded([] { chirt_sync(); }).status, 0);
    return ran.err;
  }
};
CTS_ON_DEVICES(Failures);

constexpr const char *kAt77 =
    "cts.chi:3:9: error: index 127 is out of bounds for axis 0 of `x` with "
    "size 100 [kernel scatter, iteration i=77]";

TEST_P(Failures, AreReportedAsOnTheProcessor) {
  chirt_field *at = indices(1000), *x = make("f32", 100);
  set(at, 77, 127);
  EXPECT_EQ(messageOf(at, x).substr(0, strlen(kAt77)), kAt77);
  EXPECT_EQ(seen(x)[76], 7);
}

TEST_P(Failures, TheLeastIterationIsReported) {
  chirt_field *at = indices(1000), *x = make("f32", 100);
  for (int64_t i : {900, 77, 500, 78, 999})
    set(at, i, 127);
  EXPECT_EQ(messageOf(at, x).substr(0, strlen(kAt77)), kAt77);
}

TEST_P(Failures, MoreThanAreKept) {
  chirt_field *at = indices(5000), *x = make("f32", 100);
  for (int64_t i = 0; i < 5000; ++i)
    set(at, i, -1);
  std::string message = messageOf(at, x);
  EXPECT_EQ(
      message.find("cts.chi:3:9: error: index -1 is out of bounds for axis "
                   "0 of `x` with size 100"),
      0u)
      << message;
  bool isPartial = hasOwnMemory() && device->finish;
  EXPECT_EQ(message.find("there were more") != message.npos, isPartial)
      << message;
}

TEST_P(Failures, TheFirstLaunchIsReportedAndNoOther) {
  chirt_field *at = indices(1000), *worse = indices(1000),
              *x = make("f32", 100);
  set(at, 77, 127);
  set(worse, 3, 500);
  Ran ran = guarded([&] {
    runScatter(at, x);
    for (int k = 0; k < 300; ++k)
      runScatter(worse, x);
    chirt_sync();
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err.substr(0, strlen(kAt77)), kAt77);
  EXPECT_EQ(ran.err.find("500"), std::string::npos);
  EXPECT_EQ(guarded([] { chirt_sync(); }).status, 0);
}

TEST_P(Failures, ComeBeforeWhatIsPrinted) {
  chirt_field *at = indices(1000), *x = make("f32", 100);
  set(at, 77, 127);
  Ran ran = guarded([&] {
    runScatter(at, x);
    chirt_fmt_str("never", nullptr);
    chirt_fmt_print();
  });
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.substr(0, strlen(kAt77)), kAt77);
}

TEST_P(Failures, ComeBeforeThoseOfTheHost) {
  chirt_field *at = indices(1000), *x = make("f32", 100);
  set(at, 77, 127);
  Ran ran = guarded([&] {
    runScatter(at, x);
    chirt_exit(0);
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err.substr(0, strlen(kAt77)), kAt77);
}

TEST_P(Failures, LeaveTheDeviceUsable) {
  chirt_field *at = indices(1000), *x = make("f32", 100), *y = make("f32", 100);
  set(at, 77, 127);
  EXPECT_NE(messageOf(at, x), "");
  set(at, 77, 5);
  Ran ran = guarded([&] {
    runScatter(at, x);
    runAxpy(y, x, 2, x);
    chirt_sync();
  });
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(seen(y)[99], 14);
}

TEST_P(Failures, ReadingBackIsAWait) {
  chirt_field *at = indices(1000), *x = make("f32", 100);
  set(at, 77, 127);
  Ran ran = guarded([&] {
    runScatter(at, x);
    hostCopy(x);
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err.substr(0, strlen(kAt77)), kAt77);
}
} // namespace
