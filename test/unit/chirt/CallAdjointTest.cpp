//===- CallAdjointTest.cpp - Calls with an adjoint of their own -----------===//
#include "TapeTasks.h"
#include "chirt/tape/Record.h"

namespace {
using namespace tasks;

/// x *= x by way of other values, as one entry with the number 3.
void squareAsOne(const Field &x, const Field &other) {
  chirt_custom_field(x.get(), CHIRT_CUSTOM_READ, nullptr);
  chirt_custom_word(42);
  chirt_custom_field(other.get(), 0, nullptr);
  chirt_custom_begin(3);
  setOdd()({other.get()});
  squareInPlace()({x.get()});
  chirt_custom_end();
}

double *dataOf(chirt_field *field) {
  return static_cast<double *>(field->data);
}

TEST(CallAdjoint, FindsWhatTheCallFound) {
  Field x = marked({3, 4}), other = fieldOf({7, 8}), loss = scalar();
  chirt_tape_begin(nullptr, loss.get(), 0);
  squareAsOne(x, other);
  squareInPlace()({x.get()});
  sum()({x.get(), loss.get()});
  ASSERT_EQ(chirt_tape_end(nullptr), 3);
  EXPECT_EQ(chirt_custom_word_at(1), 42);
  ASSERT_EQ(chirt_custom_field_at(0), x.get());
  ASSERT_EQ(chirt_custom_field_at(2), other.get());
  EXPECT_EQ(valuesOf(x.get()), (Values{3, 4}));
  // The tape's own adjoints, also of what has no mark.
  chirt_field *adjoint = chirt_field_grad(nullptr, x.get());
  EXPECT_EQ(valuesOf(adjoint), (Values{18, 32}));
  EXPECT_EQ(valuesOf(chirt_field_grad(nullptr, other.get())), (Values{0, 0}));
  dataOf(adjoint)[0] = 10, dataOf(adjoint)[1] = 20;
  // It may compute again what it likes.
  tasks::square()({x.get(), other.get()});
  squareInPlace()({x.get()});
  EXPECT_EQ(chirt_custom_next(nullptr), -1);
  EXPECT_EQ(gradOf(x), (Values{10, 20}));
  EXPECT_EQ(valuesOf(x.get()), (Values{81, 256}));
  EXPECT_EQ(valuesOf(other.get()), (Values{7, 5}));
  EXPECT_EQ(chirt::numTapes(), 0u);
}

TEST(CallAdjoint, LeavesFieldsAloneIfItFails) {
  Field x = marked({3, 4}), other = fieldOf({7, 8}), loss = scalar();
  Ran ran = guarded([&] {
    chirt_tape_begin(nullptr, loss.get(), 0);
    squareAsOne(x, other);
    squareInPlace()({x.get()});
    sum()({x.get(), loss.get()});
    chirt_tape_end(nullptr);
    tasks::square()({x.get(), other.get()});
    squareInPlace()({x.get()});
    chirt_tape_begin(nullptr, loss.get(), 0);
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("a tape inside of a function of `@adjoint_of`"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(valuesOf(x.get()), (Values{81, 256}));
  EXPECT_EQ(valuesOf(other.get()), (Values{7, 5}));
  EXPECT_EQ(valuesOf(loss.get()), Values{337});
  EXPECT_EQ(x->refcount, 1);
  EXPECT_EQ(other->refcount, 1);
  EXPECT_EQ(chirt::numTapes(), 0u);
  EXPECT_NE(gradOf(x), (Values{10, 20}));
}

TEST(CallAdjoint, IsNotAskedOfWhatDependsOnNothing) {
  Field x = fieldOf({3, 4}), other = fieldOf({7, 8}), loss = scalar();
  chirt_tape_begin(nullptr, loss.get(), 0);
  squareAsOne(x, other);
  sum()({x.get(), loss.get()});
  EXPECT_EQ(chirt_tape_end(nullptr), -1);
}

} // namespace
