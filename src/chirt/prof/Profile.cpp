//===- Profile.cpp - --profile: time of each task -------------------------===//
#include "chirt/prof/Profile.h"

#include "chirt/support/Settings.h"
#include "chirt/text/Output.h"
#include "chirt/text/Text.h"

namespace chirt {

namespace {
/// What was measured of one task, or of several in one line of the source.
struct Row {
  const chirt_task *task;
  int64_t calls;
  double total, least, most;
};

struct Running {
  size_t row;
  double since;
};

/// Launches nest at most in control functions; more is not measured.
struct Profile {
  Array<Row> rows;
  Running stack[16] = {};
  int depth = 0;
  double start = 0;
  bool isOn = false;
};
[[clang::no_destroy]] constinit Profile profile;

/// "energy:12": the kernel and the line of the loop; "energy.adj:12" of its
/// adjoint.
void appendName(Text &out, const chirt_task *task) {
  const chirt_site *site = task->site;
  bool isNamed = site && site->kernel;
  out << (isNamed ? site->kernel : task->name);
  if (const char *adjoint = strstr(task->name, ".adj"); isNamed && adjoint)
    out << adjoint;
  if (site && site->line)
    out.appendf(":%d", site->line);
}

bool haveOneName(const chirt_task *a, const chirt_task *b) {
  Text left, right;
  appendName(left, a), appendName(right, b);
  return left.view() == right.view();
}

/// Most tasks have a row of their own, so the address decides.
size_t rowOf(const chirt_task *task) {
  for (size_t k = 0; k < profile.rows.size(); ++k)
    if (profile.rows[k].task == task)
      return k;
  for (size_t k = 0; k < profile.rows.size(); ++k)
    if (haveOneName(profile.rows[k].task, task))
      return k;
  profile.rows.push({task, 0, 0, 1e300, 0});
  return profile.rows.size() - 1;
}

int compareRows(const void *a, const void *b) {
  double left = static_cast<const Row *>(a)->total;
  double right = static_cast<const Row *>(b)->total;
  return (left < right) - (left > right);
}

/// A time with three digits and its unit, ten wide.
void appendTime(Text &out, double seconds) {
  if (seconds >= 1)
    out.appendf("%8.3f s ", seconds);
  else if (seconds >= 1e-3)
    out.appendf("%8.3f ms", seconds * 1e3);
  else
    out.appendf("%8.3f us", seconds * 1e6);
}

void printProfile() {
  double wall = chirt_time_now() - profile.start, measured = 0;
  Array<Row> &rows = profile.rows;
  if (rows.empty())
    return;
  qsort(rows.data(), rows.size(), sizeof(Row), compareRows);
  size_t widest = 4;
  for (const Row &row : rows) {
    measured += row.total;
    Text name;
    appendName(name, row.task);
    widest = name.size() > widest ? name.size() : widest;
  }
  Text out;
  out.appendf("%-*s %9s %11s %6s %11s %11s %11s\n", int(widest), "task",
              "calls", "total", "share", "mean", "min", "max");
  for (const Row &row : rows) {
    Text name;
    appendName(name, row.task);
    out << name;
    for (size_t k = name.size(); k < widest; ++k)
      out << ' ';
    out.appendf(" %9lld ", static_cast<long long>(row.calls));
    appendTime(out, row.total);
    out.appendf(" %5.1f%% ", wall > 0 ? 100 * row.total / wall : 0);
    appendTime(out, row.total / double(row.calls));
    out << ' ';
    appendTime(out, row.least);
    out << ' ';
    appendTime(out, row.most);
    out << '\n';
  }
  out.appendf("%-*s %9s ", int(widest), "all tasks", "");
  appendTime(out, measured);
  out.appendf(" %5.1f%% of ", wall > 0 ? 100 * measured / wall : 0);
  appendTime(out, wall);
  out << '\n';
  writeError(out);
  rows.clear();
}
bool isOn(const chirt_task *) { return profile.isOn; }

void begin(const chirt_task *task, const int64_t *, const chirt_domain *) {
  if (!settings().atEnd) {
    settings().atEnd = printProfile;
    profile.start = chirt_time_now();
  }
  size_t row = rowOf(task);
  if (profile.depth < 16)
    profile.stack[profile.depth] = {row, chirt_time_now()};
  ++profile.depth;
}

void end() {
  chirt_sync(); // the time is that of this launch
  double now = chirt_time_now();
  if (--profile.depth >= 16)
    return;
  Running running = profile.stack[profile.depth];
  Row &row = profile.rows[running.row];
  double spent = now - running.since;
  ++row.calls;
  row.total += spent;
  row.least = spent < row.least ? spent : row.least;
  row.most = spent > row.most ? spent : row.most;
}
} // namespace

void profileLaunches(bool isOn) {
  profile.isOn = isOn;
  if (isOn)
    settings().observedTasks |= kEveryTask;
}

constinit const LaunchObserver profileObserver = {
    .isWanted = isOn,
    .begin = begin,
    .end = end,
    .access = nullptr,
};

} // namespace chirt
