//===- TapeBoxesTest.cpp - Tapes that keep parts of fields ----------------===//
#include "TapeTasks.h"
#include "chirt/field/Field.h"
#include "chirt/tape/Boxes.h"
#include "chirt/tape/BufferPool.h"

namespace {
using namespace tasks;

// Rows of x, of 3 elements each: square(x, y, from) does for the one with that
// number what tasks::square does, into row `from + by` of the same field.
namespace rows {
/// [row, row] of `argument`, with row = from + by; all columns.
std::vector<int64_t> rowOf(int64_t argument, int64_t uses, int64_t by) {
  std::vector<int64_t> row{argument, uses, 2};
  for (int end = 0; end < 2; ++end)
    row.insert(row.end(), {1, by, CHIRT_BOX_SCALAR, 1, 0, 1});
  row.insert(row.end(), {1, 0, CHIRT_BOX_FIRST, 0, 0, 1});
  row.insert(row.end(), {1, 0, CHIRT_BOX_LAST, 0, 0, 1});
  return row;
}
std::vector<int64_t> operator+(std::vector<int64_t> a,
                               const std::vector<int64_t> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// x[from + by, i] = x[from, i] ** 2
template <int by>
void step(const chirt_task *, const int64_t *a, const chirt_domain *) {
  double *row = tasks::at(a, 0) + 3 * a[1];
  for (int i = 0; i < 3; ++i)
    row[3 * by + i] = row[i] * row[i];
}
template <int by>
void adjointStep(const chirt_task *, const int64_t *a, const chirt_domain *) {
  const double *row = tasks::at(a, 0) + 3 * a[1];
  double *adjoint = tasks::at(a, 2) + 3 * a[1];
  for (int i = 0; i < 3; ++i) {
    double moved = adjoint[3 * by + i];
    adjoint[3 * by + i] = 0;
    adjoint[i] += 2 * row[i] * moved;
  }
}

/// The task, with what it says of its accesses.
template <int by> const chirt_task &task() {
  using namespace tasks;
  static const std::vector<int64_t> reads = rowOf(0, R, 0),
                                    uses = reads + rowOf(0, W, by);
  static const Task adjoint("rows.adj", "x, t", {R, None, U}, adjointStep<by>);
  static const Task primal("rows", "x, t", {U, None}, step<by>, &adjoint);
  static chirt_task all[2] = {adjoint.task, primal.task};
  static chirt_argument arguments[2][3] = {
      {adjoint.task.arguments[0],
       {CHIRT_I32, 0, 0, 0},
       adjoint.task.arguments[2]},
      {primal.task.arguments[0], {CHIRT_I32, 0, 0, 0}, {}}};
  arguments[0][0].rank = arguments[0][2].rank = arguments[1][0].rank = 2;
  all[0].arguments = arguments[0], all[1].arguments = arguments[1];
  all[0].boxes = reads.data(), all[0].num_box_words = int64_t(reads.size());
  all[1].boxes = uses.data(), all[1].num_box_words = int64_t(uses.size());
  all[1].adjoint = &all[0];
  return all[1];
}
template <int by> void run(chirt_field *x, int64_t from) {
  const int64_t words[] = {reinterpret_cast<int64_t>(x), from};
  chirt_domain domain = {};
  domain.to[0] = 3;
  chirt_launch(&task<by>(), words, &domain);
}
} // namespace rows

TEST(Boxes, OfATimeIndexedFieldSaveNothing) {
  Field x(makeField("f64;grad", {4, 3}), chirt_field_release), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  data[0] = 1, data[1] = 2, data[2] = 3;
  Statistics statistics;
  tape(loss, [&] {
    for (int t = 0; t < 3; ++t)
      rows::run<1>(x.get(), t);
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 0);
  // x + x**2 + x**4 + x**8
  EXPECT_EQ(gradOf(x)[1], 1 + 2 * 2 + 4 * 8 + 8 * 128);
  EXPECT_EQ(gradOf(x)[3], 0);
}

TEST(Boxes, KeepWhatIsOverwrittenAlone) {
  Field x(makeField("f64;grad", {4, 3}), chirt_field_release), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  for (int k = 0; k < 12; ++k)
    data[k] = k;
  Statistics statistics;
  tape(loss, [&] {
    rows::run<1>(x.get(), 0);  // row 1 becomes 0 1 4
    rows::run<0>(x.get(), 1);  // in place: 0 1 16, one row is saved
    rows::run<0>(x.get(), 1);  // 0 1 256, once more
    rows::run<-1>(x.get(), 1); // row 0 is needed: 0 1 65536
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 3 * 24);
  EXPECT_EQ(statistics[CHIRT_TAPE_COPIES], 3);
  // x**8 of row 1, x**16 of row 0, by the first row.
  EXPECT_EQ(gradOf(x)[2], 8 * 128 + 16 * 32768);
  EXPECT_EQ(gradOf(x)[4], 0);
  EXPECT_EQ(gradOf(x)[7], 1);
  // The field is as the forward pass left it.
  EXPECT_EQ(data[2], 65536);
  EXPECT_EQ(data[5], 256);
  EXPECT_EQ(data[11], 11);
}

TEST(Boxes, ComeBackWhenTheWayBackFails) {
  Field x(makeField("f64;grad", {4, 3}), chirt_field_release), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  data[3] = 3;
  static const tasks::Task bare(
      "bare", "x", {tasks::U},
      [](const chirt_task *, const int64_t *, const chirt_domain *) {});
  Ran ran = guarded([&] {
    tape(loss, [&] {
      bare({x.get()});
      rows::run<0>(x.get(), 1);
      rows::run<0>(x.get(), 1);
      tasks::sum()({x.get(), loss.get()});
    });
  });
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(data[3], 81);
}

TEST(Boxes, OfTheHostAreElements) {
  Field x(makeField("f64;grad", {4, 3}), chirt_field_release), loss = scalar();
  auto *data = static_cast<double *>(x->data);
  data[0] = 3, data[1] = 4;
  Statistics statistics;
  tape(loss, [&] {
    rows::run<1>(x.get(), 0);
    for (int k = 0; k < 3; ++k) { // row 0 is needed, row 3 is not
      chirt_tape_host_store(x.get(), 0, 0, 3, k, 0, 0, 0, 0, 0, 0);
      data[9 + k] = 7;
      chirt_tape_host_store(x.get(), 0, 0, 0, k, 0, 0, 0, 0, 0, 0);
      data[k] = 5;
    }
    tasks::sum()({x.get(), loss.get()});
  });
  EXPECT_EQ(statistics[CHIRT_TAPE_SAVED_BYTES], 3 * 8);
  EXPECT_EQ(gradOf(x), (Values{6, 8, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(data[0], 5);
}

TEST(Boxes, OfOtherLayoutsAreTakenAndPut) {
  for (const char *desc : {"f32:2;soa;order=1,0", "f32:2;order=1,0", "f32:2"}) {
    Field x(makeField(desc, {3, 4}), chirt_field_release);
    auto *data = static_cast<float *>(x->data);
    for (int k = 0; k < 24; ++k)
      data[k] = float(k);
    chirt::Box box = {{1, 0}, {3, 2}}, whole = chirt::wholeOf(x.get());
    EXPECT_EQ(chirt::bytesIn(box, x.get()), 4 * 8);
    std::vector<float> part(8, -1), before(data, data + 24), all(24);
    chirt::exchangeBox(x.get(), box, reinterpret_cast<char *>(part.data()));
    EXPECT_EQ(std::count(data, data + 24, -1), 8);
    // The element (1, 0), the least one of the box, is the first one there.
    chirt::LogicalWalk walk(x.get(), 4);
    EXPECT_EQ(
        part[0],
        before[size_t(chirt::scalarOffset(x.get(), walk.storage(), 0) / 4)]);
    chirt::putBox(x.get(), box, reinterpret_cast<const char *>(part.data()));
    EXPECT_TRUE(std::equal(before.begin(), before.end(), data)) << desc;
    chirt::takeBox(x.get(), whole, reinterpret_cast<char *>(all.data()));
    EXPECT_EQ(all, before);
  }
}

TEST(BufferPool, AreTakenByTheirShapeTheLastOneFirst) {
  Field like(makeField("f64", {3}), chirt_field_release),
      other(makeField("f64", {4}), chirt_field_release);
  chirt_field *first = makeField("f64", {3}), *second = makeField("f64", {3});
  chirt::BufferPool bufferPool;
  bufferPool.give(first);
  bufferPool.give(makeField("f64", {4}));
  bufferPool.give(second);
  EXPECT_EQ(bufferPool.take(like.get()), second);
  EXPECT_EQ(bufferPool.take(like.get()), first);
  // A request without a match frees the last one: it would stay for ever.
  EXPECT_EQ(bufferPool.take(like.get()), nullptr);
  EXPECT_EQ(bufferPool.take(other.get()), nullptr);
  chirt_field_release(first);
  chirt_field_release(second);
}

TEST(BufferPool, AreFieldsThatNobodyElseHas) {
  Field kept(makeField("f64", {3}), chirt_field_release);
  chirt::BufferPool bufferPool;
  bufferPool.give(nullptr);
  chirt_field_retain(kept.get());
  bufferPool.give(kept.get());
  EXPECT_EQ(bufferPool.take(kept.get()), nullptr);
}

} // namespace
