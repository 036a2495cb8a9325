//===- TapePatternsTest.cpp - Equal launches under other circumstances ----===//
// What a tape remembers of a launch is right for each launch that is equal to
// it, whatever happened to the fields in between.
#include "TapeTasks.h"

namespace {
using namespace tasks;

TEST(Patterns, OfFieldsThatChangePlaces) {
  Field x = large(2, true), y = large(0), loss = scalar();
  Statistics statistics;
  tape(loss, [&] {
    chirt_field *from = x.get(), *to = y.get();
    for (int iteration = 0; iteration < 4; ++iteration) {
      square()({from, to});
      std::swap(from, to);
    }
    sum()({x.get(), loss.get()});
  });
  // x**16: what is overwritten is needed each time but the first.
  EXPECT_EQ(gradOf(x), Values(40, 16 * 32768));
  EXPECT_EQ(statistics[CHIRT_TAPE_ROTATIONS], 3);
  EXPECT_EQ(statistics[CHIRT_TAPE_ADJOINTS], 5);
}

TEST(Patterns, OfAFieldThatIsMadeAnew) {
  Field x = marked({3}), loss = scalar();
  chirt_field *before = nullptr;
  tape(loss, [&] {
    for (int iteration = 0; iteration < 3; ++iteration) {
      // Of other lengths: what is known of one is wrong for the others.
      chirt_field *made = makeField("f64", {1 + iteration});
      EXPECT_NE(made, before); // the tape has it still
      square()({x.get(), made});
      sum()({made, loss.get()});
      chirt_field_release(made);
      before = made;
    }
  });
  EXPECT_EQ(valuesOf(loss.get()), Values{3 * 9});
  EXPECT_EQ(gradOf(x), Values{3 * 6});
}

TEST(Patterns, OfAFieldThatIsWrittenInBetween) {
  Field x = marked({2, 3}), loss = scalar();
  const double hundred = 100;
  Statistics statistics;
  tape(loss, [&] {
    squareInPlace()({x.get()});
    sum()({x.get(), loss.get()});
    squareInPlace()({x.get()});
    chirt_tape_host_store(x.get(), 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    static_cast<double *>(x->data)[1] = 5;
    squareInPlace()({x.get()});
    sum()({x.get(), loss.get()});
    chirt_field_fill(x.get(), &hundred);
    squareInPlace()({x.get()});
    sum()({x.get(), loss.get()});
  });
  // x**2 + x**8, and x**2 alone where the host stored.
  EXPECT_EQ(gradOf(x), (Values{4 + 8 * 128, 6}));
  EXPECT_EQ(valuesOf(x.get()), (Values{10000, 10000}));
  // Each square of what depends on x copies; the last one's result does not.
  EXPECT_EQ(statistics[CHIRT_TAPE_COPIES], 3);
}

TEST(Patterns, BecomeActiveAndPassive) {
  Field x = marked({2, 3}), c = fieldOf({5, 5}), y = fieldOf({0, 0}),
        loss = scalar();
  const double hundred = 100;
  Statistics statistics;
  tape(loss, [&] {
    for (int iteration = 0; iteration < 3; ++iteration) {
      square()({c.get(), y.get()}); // active in the second turn
      sum()({y.get(), loss.get()});
      if (iteration == 0)
        chirt_field_copy(nullptr, c.get(), x.get());
      else
        chirt_field_fill(c.get(), &hundred);
    }
  });
  EXPECT_EQ(gradOf(x), (Values{4, 6}));
  // Of sums those behind the copy, which add to what depends on x.
  EXPECT_EQ(statistics[CHIRT_TAPE_ADJOINTS], 3);
}

TEST(Patterns, KnowTheirDomains) {
  Field x = marked({2, 3, 4}), loss = scalar();
  auto squareTo = [&](int64_t end) {
    const int64_t words[] = {reinterpret_cast<int64_t>(x.get())};
    chirt_domain domain = {};
    domain.to[0] = end;
    chirt_launch(&squareInPlace().task, words, &domain);
  };
  tape(loss, [&] {
    for (int iteration = 0; iteration < 2; ++iteration)
      for (int64_t end = 1; end <= 3; ++end)
        squareTo(end);
    sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(valuesOf(x.get()), (Values{0x1p64, 43046721, 256}));
  EXPECT_EQ(gradOf(x), (Values{64 * 0x1p63, 16 * 14348907., 4 * 64}));
}

TEST(Patterns, OfALaunchTakeBothPartsOfAFieldEachTime) {
  Field x = marked({3, 4}), y = fieldOf({0, 0}), loss = scalar();
  tape(loss, [&] {
    for (int iteration = 0; iteration < 3; ++iteration) {
      product()({x.get(), x.get(), y.get()});
      sum()({y.get(), loss.get()});
    }
  });
  EXPECT_EQ(gradOf(x), (Values{3 * 6, 3 * 8}));
}

TEST(Patterns, AreTheirTapes) {
  Field x = marked({3}), y = fieldOf({0}), inner = scalar(), outer = scalar();
  for (int iteration = 0; iteration < 2; ++iteration) {
    tape(outer, [&] {
      square()({x.get(), y.get()});
      tape(inner, [&] {
        square()({x.get(), y.get()});
        sum()({y.get(), inner.get()});
      });
      square()({x.get(), y.get()});
      sum()({y.get(), outer.get()});
    });
    EXPECT_EQ(gradOf(x), Values{6});
  }
  EXPECT_EQ(x->refcount, 1);
  EXPECT_EQ(y->refcount, 1);
}

TEST(Patterns, OfMoreLaunchesThanATableHolds) {
  constexpr int count = 200;
  std::vector<Field> fields;
  for (int k = 0; k <= count; ++k)
    fields.push_back(k == 0 ? marked({1.5}) : fieldOf({0}));
  Field loss = scalar();
  tape(loss, [&] {
    for (int iteration = 0; iteration < 2; ++iteration)
      for (int k = 0; k < count; ++k)
        product()({fields[0].get(), fields[size_t(k + iteration) % count].get(),
                   fields[count].get()});
    sum()({fields[count].get(), loss.get()});
  });
  // The last product is that of the first field with itself.
  EXPECT_EQ(gradOf(fields[0]), Values{3});
}

} // namespace
