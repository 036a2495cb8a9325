//===- KernelGradTest.cpp - The adjoint of a kernel's latest call ---------===//
#include "TapeTasks.h"

namespace {
using namespace tasks;

template <typename F> void call(const char *kernel, F &&body) {
  chirt_kernel_begin(kernel);
  body();
  chirt_kernel_end();
}

TEST(KernelGrad, AddsToGradientsWhatTheLatestCallMade) {
  Field x = marked({3, 4}), m = fieldOf({0, 0}), y = marked({0, 0});
  call("a", [&] { tasks::square()({y.get(), m.get()}); });
  call("a", [&] { tasks::square()({x.get(), m.get()}); });
  call("b", [&] { tasks::square()({m.get(), y.get()}); });
  auto *seed = static_cast<double *>(chirt_field_grad(nullptr, y.get())->data);
  auto *known = static_cast<double *>(chirt_field_grad(nullptr, x.get())->data);
  seed[0] = 1, seed[1] = 10;
  known[0] = 1000;
  chirt_kernel_grad(nullptr, "b");
  EXPECT_EQ(gradOf(y), (Values{0, 0}));
  chirt_kernel_grad(nullptr, "a");
  EXPECT_EQ(gradOf(x), (Values{1000 + 4 * 27, 10 * 4 * 64}));
}

TEST(KernelGrad, SaysThatThereWasNoCall) {
  Ran ran = guarded([] { chirt_kernel_grad(nullptr, "never"); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("`never.grad()` differentiates the latest call of "
                         "`never`, but there was no call"),
            std::string::npos)
      << ran.err;
}

TEST(KernelGrad, SaysWhatWasChangedSince) {
  Field x = marked({3}), y = marked({0});
  *static_cast<double *>(chirt_field_grad(nullptr, y.get())->data) = 1;
  call("c", [&] { tasks::square()({x.get(), y.get()}); });
  tasks::squareInPlace()({x.get()});
  Ran ran = guarded([] { chirt_kernel_grad(nullptr, "c"); });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("the adjoint of `c` needs `x` as it was at the call, "
                         "but it was changed since by squared (none.chi:17)"),
            std::string::npos)
      << ran.err;
}

} // namespace
