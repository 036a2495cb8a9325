//===- Double.cpp - CUDA's device over a double of its driver -------------===//
// The double is found before any driver: it stands in this program's run path.
#include "Cts.h"
#include <cstdlib>

std::vector<const char *> cts::devices() { return {"cuda_double"}; }

namespace {
/// What the double makes its kernels with, and where: in the folder in which
/// the program runs.
class MakesKernels : public testing::Environment {
  void SetUp() override {
    const char *path = getenv("PATH");
    setenv("PATH", (std::string(CTS_PATH ":") + (path ? path : "")).c_str(), 1);
    setenv("CUDA_DOUBLE_COMPILER", CTS_COMPILER, 1);
    setenv("CUDA_DOUBLE_KERNELS", "kernels", 1);
  }
};
[[maybe_unused]] testing::Environment *const makesKernels =
    testing::AddGlobalTestEnvironment(new MakesKernels);
} // namespace
