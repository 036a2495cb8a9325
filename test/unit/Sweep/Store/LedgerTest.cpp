#include "chi/Sweep/Store/Ledger.h"
#include <gtest/gtest.h>

using namespace chi::sweep;

static Ledger ledger(int64_t count, int retries = 2) {
  std::vector<Row> rows;
  for (int64_t k = 1; k <= count; ++k)
    rows.emplace_back().number = k;
  return Ledger(std::move(rows), retries);
}

static Line start(int64_t point, int attempt) {
  Line line;
  line.point = point;
  line.attempt = attempt;
  line.time = 1;
  line.host = "here";
  return line;
}

static Line end(int64_t point, int attempt, int exit, int signal = 0) {
  Line line = start(point, attempt);
  line.kind = Line::End;
  line.exit = exit;
  line.signal = signal;
  return line;
}

TEST(Ledger, APointIsDone) {
  Ledger one = ledger(2);
  EXPECT_EQ(one.begin(1), 1);
  EXPECT_TRUE(one.apply(start(1, 1)));
  EXPECT_EQ(one.row(1).host, "here");
  EXPECT_TRUE(one.apply(end(1, 1, 0)));
  EXPECT_EQ(one.row(1).state, Row::Done);
  // Whatever comes later changes nothing.
  EXPECT_FALSE(one.apply(end(1, 1, 1)));
  EXPECT_FALSE(one.apply(start(1, 2)));
  EXPECT_EQ(one.row(1).state, Row::Done);
  EXPECT_EQ(one.count().states[Row::Done], 1);
  EXPECT_EQ(one.count().states[Row::Pending], 1);
  EXPECT_FALSE(one.apply(start(3, 1)));
  EXPECT_FALSE(one.apply(start(0, 1)));
}

/// Before it was killed, the controlling process had started it.
TEST(Ledger, LinesOfAttemptsThatTheTableDoesNotHave) {
  Ledger one = ledger(1);
  EXPECT_TRUE(one.apply(start(1, 1)));
  EXPECT_EQ(one.row(1).state, Row::Running);
  EXPECT_TRUE(one.apply(end(1, 1, 0)));
  EXPECT_EQ(one.row(1).state, Row::Done);
}

TEST(Ledger, FailuresOfThePrograms) {
  Ledger one = ledger(1);
  one.begin(1);
  EXPECT_TRUE(one.apply(end(1, 1, 1)));
  EXPECT_EQ(one.row(1).state, Row::Failed);
  one.reopen(1);
  EXPECT_EQ(one.row(1).state, Row::Pending);
  EXPECT_EQ(one.begin(1), 2);
}

TEST(Ledger, SignalsAndTheWorldAreTriedAgain) {
  Ledger one = ledger(1);
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(one.row(1).state, Row::Pending);
    EXPECT_EQ(one.begin(1), attempt);
    one.apply(attempt == 2 ? end(1, attempt, 2) : end(1, attempt, 139, 11));
  }
  EXPECT_EQ(one.row(1).state, Row::Failed);
  EXPECT_EQ(one.row(1).losses, 3);
}

TEST(Ledger, Interruptions) {
  Ledger one = ledger(1, /*retries=*/0);
  one.begin(1);
  one.apply(end(1, 1, 75));
  EXPECT_EQ(one.row(1).state, Row::Pending);
  EXPECT_TRUE(one.row(1).hasCheckpoint);
  one.begin(1);
  Line stopped = end(1, 2, 143, 15);
  stopped.isStopped = true;
  one.apply(stopped);
  EXPECT_EQ(one.row(1).state, Row::Pending);
  EXPECT_EQ(one.row(1).losses, 0);
}

TEST(Ledger, OrphansAreIgnored) {
  Ledger one = ledger(1);
  one.begin(1);
  one.apply(start(1, 1));
  one.lose(1, 1, "its worker was lost");
  EXPECT_EQ(one.row(1).error, "its worker was lost");
  EXPECT_FALSE(one.apply(end(1, 1, 0)));
  EXPECT_EQ(one.begin(1), 2);
  EXPECT_FALSE(one.apply(end(1, 1, 0)));
  one.lose(1, 1, "of no account");
  EXPECT_EQ(one.row(1).state, Row::Running);
  EXPECT_TRUE(one.apply(end(1, 2, 0)));
  EXPECT_EQ(one.row(1).state, Row::Done);
}

TEST(Ledger, WhatWasNotStartedGoesBack) {
  Ledger one = ledger(1);
  one.begin(1);
  one.giveBack(1, 1);
  EXPECT_EQ(one.row(1).state, Row::Pending);
  EXPECT_EQ(one.row(1).losses, 0);
  EXPECT_EQ(one.takeChanged().size(), 1u);
  EXPECT_TRUE(one.takeChanged().empty());
}
