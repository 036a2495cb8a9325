//===- TapeViewTest.cpp - Tapes over views of fields ----------------------===//
#include "TapeTasks.h"
#include "chirt/tape/Record.h"

using namespace chirt;
using tasks::Values;

namespace {

/// As `begin:end:step` of Python, and an index alone.
chirt_slice range(int64_t begin, int64_t end, int64_t step = 1) {
  return {begin, step, (end - begin + step - 1) / step};
}
chirt_slice at(int64_t index) { return {index, 1, -1}; }

chirt_field *view(chirt_field *field, std::vector<chirt_slice> slices) {
  return chirt_field_view(nullptr, field, slices.data());
}

/// Some elements of a vector of f64, as long as the test runs.
tasks::Field part(const tasks::Field &field, chirt_slice slice) {
  return {chirt_field_view(nullptr, field.get(), &slice), chirt_field_release};
}

TEST(ViewsOnTapes, ALaunchReadsAndWritesViews) {
  tasks::Field x = tasks::marked({1, 2, 3, 4, 5, 6}),
               y = tasks::fieldOf({9, 9, 9, 9}), loss = tasks::scalar();
  tasks::Field odd = part(x, range(1, 6, 2)), low = part(y, range(0, 3));
  tasks::tape(loss, [&] {
    tasks::square()({odd.get(), low.get()});
    tasks::sum()({y.get(), loss.get()});
  });
  EXPECT_EQ(tasks::valuesOf(y.get()), (Values{4, 16, 36, 9}));
  EXPECT_EQ(tasks::valuesOf(loss.get()), Values{65});
  EXPECT_EQ(tasks::gradOf(x), (Values{0, 4, 0, 8, 0, 12}));
  EXPECT_EQ(textOf(chirt_field_grad(nullptr, odd.get())), "[4.0, 8.0, 12.0]");
}

TEST(ViewsOnTapes, WhatAViewOverwritesIsSaved) {
  tasks::Field x = tasks::marked({1, 2, 3, 4}), loss = tasks::scalar();
  tasks::Field even = part(x, range(0, 4, 2));
  tasks::tape(loss, [&] {
    tasks::squareInPlace()({x.get()});    // x²
    tasks::squareInPlace()({even.get()}); // x⁴ of the first and third
    tasks::squareInPlace()({x.get()});    // x⁸, x⁴
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(tasks::gradOf(x), (Values{8, 4 * 8, 8 * 2187, 4 * 64}));
  EXPECT_EQ(tasks::valuesOf(x.get()), (Values{1, 16, 6561, 256}));
}

TEST(ViewsOnTapes, FillsCopiesAndStores) {
  tasks::Field x = tasks::marked({1, 2, 3, 4}), y = tasks::fieldOf({0, 0}),
               loss = tasks::scalar();
  tasks::Field low = part(x, range(0, 2)), high = part(x, range(2, 4)),
               even = part(x, range(0, 4, 2));
  double seven = 7;
  tasks::tape(loss, [&] {
    chirt_field_copy(nullptr, y.get(), high.get());   // y = x[2:4]
    chirt_field_copy(nullptr, high.get(), low.get()); // x = a b a b
    chirt_field_fill(even.get(), &seven);             // x = 7 b 7 b
    tasks::sum()({x.get(), loss.get()});
    tasks::sum()({y.get(), loss.get()});
    chirt_tape_host_store(low.get(), 0, -1, 1, 0, 0, 0, 0, 0, 0, 0);
    static_cast<double *>(x->data)[1] = 5;
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(tasks::valuesOf(x.get()), (Values{7, 5, 7, 2}));
  EXPECT_EQ(tasks::valuesOf(loss.get()), Values{7 + 2 + 7 + 2 + 7 + 21});
  // b counts in both of its places at first, then in the second one alone.
  EXPECT_EQ(tasks::gradOf(x), (Values{0, 3, 1, 1}));
}

TEST(ViewsOnTapes, OverlapsAndOtherTapesAreRefused) {
  tasks::Field x = tasks::marked({1, 2, 3, 4}), loss = tasks::scalar();
  tasks::Field low = part(x, range(0, 3)), high = part(x, range(1, 4));
  auto message = [&](const std::function<void()> &body) {
    Ran ran = guarded([&] {
      chirt_tape_begin(nullptr, loss.get(), 0);
      body();
    });
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(numTapes(), 0u);
    return ran.err;
  };
  EXPECT_NE(message([&] {
              tasks::square()({low.get(), high.get()});
            }).find("`x` and `y` share memory that this loop changes"),
            std::string::npos);
  double one = 1;
  EXPECT_EQ(message([&] {
              chirt_tape_begin(nullptr, loss.get(), 0);
              chirt_field_fill(low.get(), &one);
            }),
            "error: a view of a field is not supported on a tape inside of "
            "another one, nor in a kernel that the program differentiates by "
            "`.grad()`\n");
  EXPECT_EQ(message([&] { chirt_custom_field(low.get(), 1, nullptr); }),
            "error: a call with an adjoint of its own that takes a view of a "
            "field is not supported on a tape\n");
  tasks::Field first(view(x.get(), {at(0)}), chirt_field_release);
  EXPECT_EQ(guarded([&] { chirt_tape_begin(nullptr, first.get(), 0); }).err,
            "error: the loss of a tape cannot be a view of a field\n");
}

} // namespace
