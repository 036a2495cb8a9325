//===- WorkTest.cpp - The work of launches against hand counts ------------===//
#include "chi/Profile/Work.h"
#include "chi/Profile/Report.h"

#include "chirt/host.h"
#include <gtest/gtest.h>

using namespace chi::profile;

namespace {

Term axis(int64_t number) { return {Term::Axis, number}; }

Sum sumOf(std::vector<Term> terms, int64_t constant = 0) {
  return {true, constant, std::move(terms)};
}

AccessWork accessOf(int64_t argument, bool reads, bool writes,
                    std::vector<Sum> index) {
  return {argument, 0, reads, writes, std::move(index)};
}

/// A task over two fields and an i32, launched over n iterations.
struct Launch {
  chirt_field x = {}, y = {};
  chirt_argument arguments[3] = {
      {CHIRT_F32, 1, 1, 3}, {CHIRT_F32, 1, 1, 3}, {CHIRT_I32, 0, 0, 0}};
  chirt_task task = {};
  chirt_domain domain = {};
  int64_t words[3];
  chirt_launch_record record = {};

  Launch(int64_t n, int64_t extent, int32_t scalar = 0) {
    for (chirt_field *field : {&x, &y}) {
      field->extents[0] = extent, field->rank = 1;
      field->rows = field->columns = 1, field->dtype = CHIRT_F32;
    }
    task.name = "k.t0", task.rank = 1;
    task.num_arguments = 3, task.arguments = arguments;
    domain.to[0] = n;
    words[0] = reinterpret_cast<int64_t>(&x);
    words[1] = reinterpret_cast<int64_t>(&y);
    words[2] = scalar;
    record = {&task, words, &domain, 0, 0.5};
  }
};

/// y[i] += a * x[i]
TaskWork axpy() {
  TaskWork task;
  task.name = "k.t0";
  task.accesses = {accessOf(0, true, false, {sumOf({axis(0)})}),
                   accessOf(1, true, true, {sumOf({axis(0)})})};
  task.body.flops32 = 2;
  task.body.accesses = {0, 1};
  return task;
}

TEST(Work, OfAxpyIsTwoFlopsAndTwelveBytesEach) {
  LaunchWork work = workOfLaunch(axpy(), Launch(1000, 1000).record);
  EXPECT_DOUBLE_EQ(work.flops(), 2000);
  EXPECT_DOUBLE_EQ(work.bytes(), 12000);
  EXPECT_DOUBLE_EQ(work.bytesWritten, 4000);
  EXPECT_EQ(work.flopQuality, Quality::Exact);
  EXPECT_EQ(work.byteQuality, Quality::Exact);
}

TEST(Work, OfNoIterationsIsNone) {
  LaunchWork work = workOfLaunch(axpy(), Launch(0, 1000).record);
  EXPECT_DOUBLE_EQ(work.flops() + work.bytes(), 0);
}

TEST(Work, CountsAnElementOnce) {
  // Three neighbours of x, of which all lie in x: n + 2 elements.
  TaskWork task;
  for (int64_t offset : {0, 1, 2})
    task.accesses.push_back(
        accessOf(0, true, false, {sumOf({axis(0)}, offset)}));
  task.body.accesses = {0, 1, 2};
  EXPECT_DOUBLE_EQ(workOfLaunch(task, Launch(100, 1000).record).bytesRead,
                   4 * 102);
}

TEST(Work, CountsNoMoreElementsThanAccesses) {
  TaskWork task = axpy();
  task.accesses[0].index[0].isKnown = false; // a gather of 10 out of 1000
  LaunchWork work = workOfLaunch(task, Launch(10, 1000).record);
  EXPECT_DOUBLE_EQ(work.bytesRead, 4 * 10 + 4 * 10);
  EXPECT_EQ(work.byteQuality, Quality::Estimated);
}

TEST(Work, OfAnIndexWithinBoundsIsEstimated) {
  TaskWork task = axpy();
  Term bin{Term::Interval}; // 0 to 9, as a histogram computes it
  bin.greatest = 9;
  task.accesses[1].index[0] = sumOf({bin});
  LaunchWork work = workOfLaunch(task, Launch(1000, 1000).record);
  EXPECT_DOUBLE_EQ(work.bytesWritten, 40);
  EXPECT_EQ(work.byteQuality, Quality::Estimated);
}

TEST(Work, OfALoopGrowsWithItsBound) {
  TaskWork task;
  task.loops = {{sumOf({}), sumOf({{Term::Scalar, 2}}), 2}};
  Inner loop{Inner::Counted, 0, {Block()}};
  loop.blocks[0].flops64 = 3;
  task.body.inner = {loop};
  LaunchWork work = workOfLaunch(task, Launch(10, 10, 7).record);
  EXPECT_DOUBLE_EQ(work.flops64, 10 * 3 * 4); // 0, 2, 4, 6
  EXPECT_EQ(work.flopQuality, Quality::Exact);
}

TEST(Work, OfATriangleIsThatOfItsMean) {
  TaskWork task;
  task.loops = {{sumOf({}), sumOf({axis(0)}), 1}};
  Inner loop{Inner::Counted, 0, {Block()}};
  loop.blocks[0].flops32 = 1;
  task.body.inner = {loop};
  LaunchWork work = workOfLaunch(task, Launch(5, 5).record);
  EXPECT_DOUBLE_EQ(work.flops(), 0 + 1 + 2 + 3 + 4);
  EXPECT_EQ(work.flopQuality, Quality::Estimated);
}

TEST(Work, OfABranchIsThatOfTheLongerWay) {
  TaskWork task;
  Inner branch{Inner::Branch, 0, {Block(), Block()}};
  branch.blocks[0].flops32 = 1, branch.blocks[1].flops32 = 4;
  task.body.inner = {branch};
  LaunchWork work = workOfLaunch(task, Launch(5, 5).record);
  EXPECT_DOUBLE_EQ(work.flops(), 20);
  EXPECT_EQ(work.flopQuality, Quality::Estimated);
  task.body.inner[0].blocks[0].flops32 = 4;
  EXPECT_EQ(workOfLaunch(task, Launch(5, 5).record).flopQuality,
            Quality::Exact);
}

TEST(Work, OfALoopWithAConditionIsUnknown) {
  TaskWork task;
  Inner loop{Inner::Condition, 0, {Block()}};
  loop.blocks[0].flops32 = 1;
  task.body.inner = {loop};
  EXPECT_EQ(workOfLaunch(task, Launch(5, 5).record).flopQuality,
            Quality::Unknown);
}

TEST(LaunchProfile, AddsLaunchesOfOneLine) {
  Launch launch(1000, 1000);
  LaunchProfile profile({axpy()}, 1);
  profile.take(launch.record);
  launch.record.seconds = 0.25;
  profile.take(launch.record);
  ASSERT_EQ(profile.rows().size(), 1u);
  const Row &row = profile.rows()[0];
  EXPECT_EQ(row.calls, 2);
  EXPECT_DOUBLE_EQ(row.seconds, 0.75);
  EXPECT_DOUBLE_EQ(row.least, 0.25);
  EXPECT_DOUBLE_EQ(row.work.flops(), 4000);
  EXPECT_EQ(profile.events().size(), 1u);
  EXPECT_EQ(profile.numDropped(), 1u);
}

TEST(Roofline, GivesPartsOfItsLimits) {
  Roofline limits{1e9, 4e9, 2e9};
  EXPECT_DOUBLE_EQ(limits.partOfBandwidth(5e8, 1), 0.5);
  EXPECT_DOUBLE_EQ(limits.partOfPeak(1e9, 1e9, 1), 0.75);
  EXPECT_DOUBLE_EQ(Roofline().partOfPeak(1, 0, 1), 0);
  auto again = readRoofline(textOf(limits));
  ASSERT_TRUE(again);
  EXPECT_DOUBLE_EQ(again->bandwidth, 1e9);
  EXPECT_DOUBLE_EQ(again->peak64, 2e9);
  EXPECT_FALSE(readRoofline("chi roofline 1 a b"));
  EXPECT_FALSE(readRoofline(""));
}

TEST(Report, WritesAmountsWithThreeDigits) {
  EXPECT_EQ(amountText(0, Quality::Exact), "0");
  EXPECT_EQ(amountText(999, Quality::Exact), "999");
  EXPECT_EQ(amountText(1234, Quality::Exact), "1.23 k");
  EXPECT_EQ(amountText(12e6, Quality::Estimated), "~12.0 M");
  EXPECT_EQ(amountText(999.9e6, Quality::Exact), "1.00 G");
  EXPECT_EQ(amountText(5, Quality::Unknown), "-");
}

TEST(Report, EscapesWhatIsNoMarkup) {
  LaunchProfile profile({});
  Report report{"<b>&", "cpu", 1, {}, profile};
  std::string page;
  llvm::raw_string_ostream out(page);
  writeHtml(report, {{"<b>&", "if a < b & c:\n"}}, out);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("if a &lt; b &amp; c:"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);
}
} // namespace
