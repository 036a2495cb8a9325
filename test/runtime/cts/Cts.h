//===- Cts.h - What the cases of the conformance suite share ----*- C++ -*-===//
#ifndef CHIRT_TEST_CTS_H
#define CHIRT_TEST_CTS_H

#include "Support.h"
#include "chirt/field/Copies.h"
#include "chirt/launch/Launch.h"
#include "chirt/support/Device.h"
#include "chirt/support/Settings.h"
#include <vector>

namespace cts {

/// y[i] += a * x[i], z[i] = x[i] for all i of y. Arguments: y, x, a, z.
const chirt_task &axpy();
/// x[at[i]] = 7 for all i of `at`; an index outside of x fails. Arguments: at,
/// x.
const chirt_task &scatter();

/// The devices that a program of this suite is about.
std::vector<const char *> devices();

/// A case on the device of that name ("cuda_double": CUDA's over a double of
/// its driver). It is skipped where there is none, not where it is broken.
/// Fields made meanwhile are the device's, and are released behind the case.
class OnDevice : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override;
  void TearDown() override;

  chirt_field *make(const char *type, int64_t extent);
  /// Gives one of them back before the end.
  void drop(chirt_field *field);
  /// Launches, and waits for nothing.
  void runAxpy(chirt_field *y, chirt_field *x, float a, chirt_field *z);
  void runScatter(chirt_field *at, chirt_field *x);

  const chirt_device *device = nullptr;
  bool hasOwnMemory() const { return !device->sharesHostMemory; }
  /// Of a device with memory of its own, since it was started.
  chirt::DeviceCounts counts() const { return device->counts(); }

private:
  std::vector<chirt_field *> fields;
};

/// All that host code sees of a vector.
const float *seen(const chirt_field *field);
void put(chirt_field *field, int64_t i, float value);

} // namespace cts

/// Runs a suite of cases on every device there is.
#define CTS_ON_DEVICES(Name)                                                   \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Device, Name, testing::ValuesIn(cts::devices()),                         \
      [](const auto &info) { return std::string(info.param); })
/// Makes one, too.
#define CTS_SUITE(Name)                                                        \
  class Name : public cts::OnDevice {};                                        \
  CTS_ON_DEVICES(Name)

#endif // CHIRT_TEST_CTS_H
