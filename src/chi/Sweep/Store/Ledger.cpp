//===- Ledger.cpp - The state of each point -------------------------------===//
#include "chi/Sweep/Store/Ledger.h"

using namespace chi;
using namespace chi::sweep;

/// Exit statuses of programs of Chi.
static constexpr int kWorldIsWrong = 2, kInterrupted = 75;

llvm::StringRef sweep::stateName(Row::State state) {
  constexpr llvm::StringLiteral names[] = {"pending", "running", "done",
                                           "failed"};
  return names[state];
}

void Ledger::touch(const Row &row) {
  size_t at = size_t(row.number - 1);
  if (dirty[at])
    return;
  dirty[at] = true;
  changed.push_back(row.number);
}

std::vector<const Row *> Ledger::takeChanged() {
  std::vector<const Row *> taken;
  for (int64_t number : changed) {
    taken.push_back(&rows[size_t(number - 1)]);
    dirty[size_t(number - 1)] = false;
  }
  changed.clear();
  return taken;
}

int Ledger::begin(int64_t point) {
  Row &one = row(point);
  one.state = Row::Running;
  one.started = 0;
  touch(one);
  return ++one.attempts;
}

void Ledger::giveBack(int64_t point, int attempt) {
  Row &one = row(point);
  if (one.attempts != attempt || one.state != Row::Running)
    return;
  one.state = Row::Pending;
  touch(one);
}

void Ledger::countLoss(Row &row) {
  row.state = ++row.losses > retries ? Row::Failed : Row::Pending;
}

void Ledger::lose(int64_t point, int attempt, llvm::StringRef reason) {
  Row &one = row(point);
  if (one.attempts != attempt || one.state != Row::Running)
    return;
  one.error = reason.str();
  countLoss(one);
  touch(one);
}

void Ledger::reopen(int64_t point) {
  Row &one = row(point);
  one.state = Row::Pending;
  one.losses = 0;
  touch(one);
}

void Ledger::end(Row &row, const Line &line) {
  row.seconds = line.seconds;
  row.exit = line.exit;
  row.signal = line.signal;
  row.error = line.error;
  row.report = line.report;
  if (!line.signal && line.exit == 0) {
    row.state = Row::Done;
  } else if (line.exit == kInterrupted) {
    row.state = Row::Pending;
    row.hasCheckpoint = true;
  } else if (line.isStopped) {
    row.state = Row::Pending;
  } else if (line.signal || line.exit == kWorldIsWrong) {
    countLoss(row);
  } else {
    row.state = Row::Failed;
  }
}

bool Ledger::apply(const Line &line) {
  if (!isKnown(line.point) ||
      (line.kind != Line::Start && line.kind != Line::End))
    return false;
  Row &one = row(line.point);
  // Before a controlling process was killed it may have started attempts that
  // the table does not have.
  bool isLater = line.attempt > one.attempts;
  bool isCurrent = line.attempt == one.attempts && one.state == Row::Running;
  if (one.isFinished() || !(isLater || isCurrent))
    return false;
  one.attempts = line.attempt;
  touch(one);
  if (line.kind == Line::End) {
    end(one, line);
    return true;
  }
  one.state = Row::Running;
  one.host = line.host;
  one.started = line.time;
  return true;
}

Ledger::Counts Ledger::count() const {
  Counts counts;
  for (const Row &row : rows)
    ++counts.states[row.state];
  return counts;
}
