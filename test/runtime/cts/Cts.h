//===- Cts.h - What the cases of the conformance suite share ----*- C++ -*-===//
#ifndef CHIRT_TEST_CTS_H
#define CHIRT_TEST_CTS_H

#include "Support.h"
#include "chirt/core/Device.h"
#include "chirt/core/Settings.h"
#include <vector>

namespace cts {

/// y[i] += a * x[i], z[i] = x[i] for all i of y. Arguments: y, x, a, z.
const chirt_task &axpy();
/// x[at[i]] = 7 for all i of `at`; an index outside of x fails. Arguments: at,
/// x.
const chirt_task &scatter();

/// A case on the device of that name. Fields made meanwhile are the device's,
/// and are released behind the case.
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

/// Makes a suite of cases and runs it on every device there is.
#define CTS_SUITE(Name)                                                        \
  class Name : public cts::OnDevice {};                                        \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Device, Name, testing::Values("cpu", "mirror", "vulkan", "cuda"),        \
      [](const auto &info) { return std::string(info.param); })

#endif // CHIRT_TEST_CTS_H
