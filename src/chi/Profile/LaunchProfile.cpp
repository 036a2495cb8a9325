//===- LaunchProfile.cpp - The launches of a run, by kernel ---------------===//
#include "chi/Profile/LaunchProfile.h"

#include "chirt/host.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace chi::profile;

LaunchProfile::LaunchProfile(std::vector<TaskWork> allWorks, size_t mostEvents)
    : works(std::move(allWorks)), mostEvents(mostEvents) {
  for (const TaskWork &work : works)
    byName[work.name] = &work;
}

/// "energy:12": the kernel and the line of the loop; "energy.adj:12" of its
/// adjoint.
static Row makeRow(const chirt_task *task) {
  const chirt_site *site = task->site;
  const char *adjoint = std::strstr(task->name, ".adj");
  Row row;
  row.isAdjoint = adjoint != nullptr;
  bool isNamed = site && site->kernel;
  row.kernel = isNamed ? site->kernel : task->name;
  row.name = row.kernel;
  if (isNamed && adjoint)
    row.name += adjoint;
  if (site && site->line) {
    row.line = site->line;
    row.name += ":" + std::to_string(site->line);
  }
  if (site && site->file)
    row.file = site->file;
  return row;
}

size_t LaunchProfile::rowOf(const chirt_task *task) {
  Row row = makeRow(task);
  auto [found, isNew] =
      rowsByName.try_emplace(row.file + '\n' + row.name, table.size());
  if (isNew)
    table.push_back(std::move(row));
  return found->second;
}

LaunchProfile::Known &LaunchProfile::knownOf(const chirt_task *task) {
  auto [found, isNew] = tasks.try_emplace(task);
  if (isNew) {
    found->second.row = rowOf(task);
    auto work = byName.find(task->name);
    if (work != byName.end())
      found->second.work = work->second;
  }
  return found->second;
}

/// What the work of a launch depends on: its arguments, the sizes of its
/// fields, and its domain.
static std::vector<int64_t> numbersOf(const chirt_launch_record &launch) {
  const chirt_task *task = launch.task;
  std::vector<int64_t> numbers;
  for (int axis = 0; axis < task->rank; ++axis) {
    numbers.push_back(launch.domain->from[axis]);
    numbers.push_back(launch.domain->to[axis]);
  }
  for (int k = 0; k < task->num_arguments; ++k) {
    numbers.push_back(launch.words[k]);
    auto *field = reinterpret_cast<const chirt_field *>(launch.words[k]);
    if (!task->arguments[k].is_field || !field)
      continue;
    for (int axis = 0; axis < field->rank; ++axis)
      numbers.push_back(field->extents[axis]);
  }
  return numbers;
}

const LaunchWork &LaunchProfile::workOf(Known &known,
                                        const chirt_launch_record &launch) {
  std::vector<int64_t> numbers = numbersOf(launch);
  bool isFirst = known.numbers.empty();
  if (!isFirst && numbers == known.numbers)
    return known.last;
  known.numbers = std::move(numbers);
  if (known.work)
    known.last = workOfLaunch(*known.work, launch);
  else
    known.last.flopQuality = known.last.byteQuality = Quality::Unknown;
  return known.last;
}

static void add(LaunchWork &sum, const LaunchWork &work) {
  sum.flops32 += work.flops32, sum.flops64 += work.flops64;
  sum.functions += work.functions;
  sum.bytesRead += work.bytesRead, sum.bytesWritten += work.bytesWritten;
  sum.flopQuality = std::max(sum.flopQuality, work.flopQuality);
  sum.byteQuality = std::max(sum.byteQuality, work.byteQuality);
}

void LaunchProfile::take(const chirt_launch_record &launch) {
  Known &known = knownOf(launch.task);
  const LaunchWork &work = workOf(known, launch);
  Row &row = table[known.row];
  if (origin == 0)
    origin = launch.begin;
  row.least = row.calls ? std::min(row.least, launch.seconds) : launch.seconds;
  row.most = std::max(row.most, launch.seconds);
  row.seconds += launch.seconds;
  ++row.calls;
  add(row.work, work);
  if (kept.size() < mostEvents)
    kept.push_back({known.row, launch.begin - origin, launch.seconds, work});
  else
    ++dropped;
}

void LaunchProfile::sort() {
  std::vector<size_t> order(table.size()), place(table.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return table[a].seconds > table[b].seconds;
  });
  std::vector<Row> sorted;
  for (size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    sorted.push_back(table[order[k]]);
  }
  table = std::move(sorted);
  for (Event &event : kept)
    event.row = place[event.row];
  for (auto &[name, row] : rowsByName)
    row = place[row];
  for (auto &[task, known] : tasks)
    known.row = place[known.row];
}

double LaunchProfile::seconds() const {
  double sum = 0;
  for (const Row &row : table)
    sum += row.seconds;
  return sum;
}
