//===- ElementsTest.cpp - Single elements that host code uses -------------===//
#include "Cts.h"

using namespace chirt;
using cts::put;
using cts::seen;

namespace {
/// Host code of a device with memory of its own: as compiled code asks.
class Elements : public cts::OnDevice {
protected:
  void SetUp() override {
    cts::OnDevice::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    x = make("f32", 1000), y = make("f32", 1000), z = make("f32", 1000);
    for (int i = 0; i < 1000; ++i)
      put(x, i, float(i));
    runAxpy(y, x, 2, z); // y[i] = 2 i
  }

  float load(chirt_field *field, int64_t i) {
    if (!(field->current & CHIRT_AT_HOST))
      chirt_field_element(field, i, CHIRT_TO_READ);
    return static_cast<const float *>(field->data)[i];
  }
  void store(chirt_field *field, int64_t i, float value) {
    if (field->current != CHIRT_AT_HOST)
      chirt_field_element(field, i, CHIRT_TO_UPDATE);
    static_cast<float *>(field->data)[i] = value;
  }
  int64_t bytesOut() const { return hasOwnMemory() ? counts().bytesOut : 0; }
  int64_t bytesIn() const { return hasOwnMemory() ? counts().bytesIn : 0; }
  /// Of a device with memory of its own; the others move nothing.
  int64_t moved(int64_t bytes) const { return hasOwnMemory() ? bytes : 0; }

  chirt_field *x = nullptr, *y = nullptr, *z = nullptr;
};
CTS_ON_DEVICES(Elements);

TEST_P(Elements, ComeAloneUpToSixteen) {
  int64_t before = bytesOut();
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(load(y, 10 * i), float(20 * i));
  EXPECT_EQ(bytesOut() - before, moved(16 * 4));
  EXPECT_EQ(load(y, 30), 60); // it is there already
  EXPECT_EQ(bytesOut() - before, moved(16 * 4));
  EXPECT_EQ(load(y, 999), 1998); // all of it
  EXPECT_EQ(load(y, 5), 10);
  EXPECT_EQ(bytesOut() - before, moved(16 * 4 + 4000));
}

TEST_P(Elements, AreStaleAfterALaunch) {
  EXPECT_EQ(load(y, 3), 6);
  runAxpy(y, x, 1, z);
  EXPECT_EQ(load(y, 3), 9);
  runAxpy(z, y, 1, x); // y is read only
  int64_t before = bytesOut();
  EXPECT_EQ(load(y, 3), 9);
  EXPECT_EQ(bytesOut(), before);
}

TEST_P(Elements, ReturnWhenTheyWereChanged) {
  store(y, 7, 100);
  store(y, 7, load(y, 7) + 1);
  int64_t in = bytesIn();
  runAxpy(y, x, 1, z);
  EXPECT_EQ(bytesIn() - in, moved(4));
  EXPECT_EQ(load(y, 7), 108);
  EXPECT_EQ(load(y, 8), 24);
}

TEST_P(Elements, StayChangedWhenTheFieldComes) {
  store(y, 7, 100);
  EXPECT_EQ(seen(y)[7], 100);
  EXPECT_EQ(seen(y)[8], 16);
  store(y, 8, 1); // both copies were current
  runAxpy(y, x, 1, z);
  EXPECT_EQ(seen(y)[7], 107);
  EXPECT_EQ(seen(y)[8], 9);
  EXPECT_EQ(seen(y)[9], 27);
}

TEST_P(Elements, AreForgottenWhenAllIsOverwritten) {
  store(y, 7, 100);
  float value = 3;
  chirt_field_fill(y, &value);
  EXPECT_EQ(seen(y)[7], 3);
  store(y, 7, 100);
  runAxpy(x, y, 1, y); // y is read, and written
  EXPECT_EQ(seen(x)[7], 107);
}

TEST_P(Elements, HaveAllTheirComponents) {
  chirt_field *rows = make("f32:3", 100), *columns = make("f32:3;soa", 100);
  const float value[] = {1, 2, 3};
  for (chirt_field *field : {rows, columns}) {
    chirt_field_fill(field, value);
    chirt_field_acquire(field, CHIRT_AT_DEVICE, CHIRT_TO_UPDATE);
  }
  int64_t before = bytesOut();
  EXPECT_EQ(load(rows, 3 * 40 + 1), 2);
  EXPECT_EQ(load(rows, 3 * 40 + 2), 3);
  EXPECT_EQ(load(columns, 140), 2);
  EXPECT_EQ(load(columns, 240), 3);
  EXPECT_EQ(bytesOut() - before, moved(2 * 12));
}
} // namespace
