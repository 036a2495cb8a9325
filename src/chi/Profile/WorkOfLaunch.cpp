//===- WorkOfLaunch.cpp - The work of a task in one launch ----------------===//
#include "chi/Profile/Work.h"

#include "chirt/host.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

using namespace chi::profile;

namespace {
/// Which value of a quantity that varies.
enum class Which { Least, Mean, Greatest };

/// Operations and what their number is worth.
struct Count {
  double flops32 = 0, flops64 = 0, functions = 0;
  Quality quality = Quality::Exact;
};

/// A box of indices of one field, and the number of accesses to it.
struct Touched {
  std::vector<double> from, to; ///< half open
  double times = 0;
  std::set<int64_t> components;
};

/// Evaluates one launch.
class Evaluator {
public:
  Evaluator(const TaskWork &task, const chirt_launch_record &launch)
      : task(task), launch(launch), times(task.accesses.size()) {}
  LaunchWork evaluate();

private:
  using Key = std::pair<int64_t, bool>; ///< argument, whether it is written

  std::optional<double> valueOf(const Sum &sum, Which which);
  std::optional<double> valueOf(const Term &term, Which which);
  std::optional<double> scalarOf(int64_t argument);
  const chirt_field *fieldOf(int64_t argument) const;
  double iterations() const;
  bool isUniform(const Sum &sum) const;
  std::optional<double> tripCountOf(const Loop &loop, Quality &quality);
  Count countOf(const Block &block);
  Count countOf(const Inner &inner);
  void countAccesses(const Block &block, double often);
  void touch(const AccessWork &access, double often, Touched &all);
  void addBytes(LaunchWork &work);
  double bytesOf(const Touched &all, int64_t argument);

  const TaskWork &task;
  const chirt_launch_record &launch;
  std::vector<double> times; ///< of each access
  Quality byteQuality = Quality::Exact;
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers of the launch
//===----------------------------------------------------------------------===//

static Quality worse(Quality a, Quality b) { return std::max(a, b); }

static int64_t scalarBytes(int64_t dtype) {
  switch (dtype) {
  case CHIRT_BOOL:
  case CHIRT_I8:
  case CHIRT_U8:
    return 1;
  case CHIRT_I16:
  case CHIRT_U16:
  case CHIRT_F16:
    return 2;
  case CHIRT_I32:
  case CHIRT_U32:
  case CHIRT_F32:
    return 4;
  default:
    return 8;
  }
}

const chirt_field *Evaluator::fieldOf(int64_t argument) const {
  if (argument >= launch.task->num_arguments ||
      !launch.task->arguments[argument].is_field)
    return nullptr;
  return reinterpret_cast<const chirt_field *>(launch.words[argument]);
}

std::optional<double> Evaluator::scalarOf(int64_t argument) {
  if (argument >= launch.task->num_arguments)
    return std::nullopt;
  const chirt_argument &facts = launch.task->arguments[argument];
  if (facts.is_field || facts.dtype >= CHIRT_F16)
    return std::nullopt;
  int unused = int(64 - 8 * scalarBytes(facts.dtype));
  auto bits = uint64_t(launch.words[argument]) << unused;
  bool isSigned = facts.dtype <= CHIRT_I64;
  return isSigned ? double(int64_t(bits) >> unused) : double(bits >> unused);
}

std::optional<double> Evaluator::valueOf(const Term &term, Which which) {
  auto between = [&](double least, double greatest) {
    return which == Which::Least      ? least
           : which == Which::Greatest ? greatest
                                      : (least + greatest) / 2;
  };
  switch (term.kind) {
  case Term::Axis:
    return between(double(launch.domain->from[term.number]),
                   double(launch.domain->to[term.number] - 1));
  case Term::Scalar:
    return scalarOf(term.number);
  case Term::Extent: {
    const chirt_field *field = fieldOf(term.number);
    if (!field)
      return std::nullopt;
    return double(field->extents[term.axis]);
  }
  case Term::Loop: {
    const Loop &loop = task.loops[size_t(term.number)];
    auto from = valueOf(loop.from, which), to = valueOf(loop.to, which);
    if (which == Which::Greatest) // the least start is that of the last loop
      from = valueOf(loop.from, Which::Least);
    if (!from || !to)
      return std::nullopt;
    return which == Which::Least      ? *from
           : which == Which::Greatest ? std::max(*from, *to - 1)
                                      : (*from + std::max(*from, *to - 1)) / 2;
  }
  case Term::Interval:
    return between(double(term.least), double(term.greatest));
  }
  return std::nullopt;
}

std::optional<double> Evaluator::valueOf(const Sum &sum, Which which) {
  if (!sum.isKnown)
    return std::nullopt;
  double value = double(sum.constant);
  for (const Term &term : sum.terms) {
    Which turned = which;
    if (term.factor < 0 && which != Which::Mean)
      turned = which == Which::Least ? Which::Greatest : Which::Least;
    auto part = valueOf(term, turned);
    if (!part)
      return std::nullopt;
    value += *part * double(term.factor);
  }
  return value;
}

double Evaluator::iterations() const {
  double product = 1;
  for (int axis = 0; axis < launch.task->rank; ++axis)
    product *= double(std::max<int64_t>(0, launch.domain->to[axis] -
                                               launch.domain->from[axis]));
  return product;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether a sum is the same in each iteration of the task and of its loops.
bool Evaluator::isUniform(const Sum &sum) const {
  return std::none_of(sum.terms.begin(), sum.terms.end(), [](const Term &term) {
    return term.kind == Term::Axis || term.kind == Term::Loop ||
           term.kind == Term::Interval;
  });
}

std::optional<double> Evaluator::tripCountOf(const Loop &loop,
                                             Quality &quality) {
  auto from = valueOf(loop.from, Which::Mean);
  auto to = valueOf(loop.to, Which::Mean);
  if (!from || !to)
    return std::nullopt;
  double length = std::max(0.0, *to - *from);
  if (isUniform(loop.from) && isUniform(loop.to))
    return std::ceil(length / double(loop.step));
  quality = worse(quality, Quality::Estimated);
  return length / double(loop.step);
}

Count Evaluator::countOf(const Inner &inner) {
  if (inner.kind == Inner::Condition) {
    Count count = countOf(inner.blocks.front());
    for (size_t k = 1; k < inner.blocks.size(); ++k) {
      Count more = countOf(inner.blocks[k]);
      count.flops32 += more.flops32, count.flops64 += more.flops64;
    }
    bool isIdle = count.flops32 + count.flops64 == 0;
    return isIdle ? Count() : Count{0, 0, 0, Quality::Unknown};
  }
  if (inner.kind == Inner::Counted) {
    Count count = countOf(inner.blocks.front());
    if (count.flops32 + count.flops64 == 0 && count.quality == Quality::Exact)
      return count;
    auto trips = tripCountOf(task.loops[inner.loop], count.quality);
    if (!trips)
      return {0, 0, 0, Quality::Unknown};
    count.flops32 *= *trips, count.flops64 *= *trips;
    count.functions *= *trips;
    return count;
  }
  Count most, first = countOf(inner.blocks.front());
  for (const Block &block : inner.blocks) {
    Count each = countOf(block);
    bool isSame = each.flops32 == first.flops32 &&
                  each.flops64 == first.flops64 &&
                  each.functions == first.functions;
    most.quality = worse(most.quality, each.quality);
    if (!isSame || inner.blocks.size() == 1)
      most.quality = worse(most.quality, each.flops32 + each.flops64 > 0
                                             ? Quality::Estimated
                                             : Quality::Exact);
    if (each.flops32 + each.flops64 > most.flops32 + most.flops64) {
      Quality quality = most.quality;
      most = each;
      most.quality = quality;
    }
  }
  if (first.flops32 + first.flops64 < most.flops32 + most.flops64)
    most.quality = worse(most.quality, Quality::Estimated);
  return most;
}

Count Evaluator::countOf(const Block &block) {
  Count count{block.flops32, block.flops64, block.functions, Quality::Exact};
  for (const Inner &inner : block.inner) {
    Count more = countOf(inner);
    count.flops32 += more.flops32, count.flops64 += more.flops64;
    count.functions += more.functions;
    count.quality = worse(count.quality, more.quality);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Sets `times`. What no number is known of is done infinitely often: only the
/// box limits its bytes.
void Evaluator::countAccesses(const Block &block, double often) {
  for (size_t access : block.accesses)
    times[access] += often;
  for (const Inner &inner : block.inner) {
    double within = often;
    if (inner.kind == Inner::Counted) {
      Quality ignored = Quality::Exact;
      auto trips = tripCountOf(task.loops[inner.loop], ignored);
      within = trips ? often * *trips : HUGE_VAL;
      if (often == 0)
        within = 0;
    }
    if (inner.kind == Inner::Condition)
      within = HUGE_VAL;
    for (const Block &each : inner.blocks) {
      if (inner.kind != Inner::Counted && !each.accesses.empty())
        byteQuality = worse(byteQuality, Quality::Estimated);
      countAccesses(each, within);
    }
  }
}

/// Whether only bounds are known of a sum: its values need not fill the range.
static bool isBoundOnly(const Sum &sum) {
  return std::any_of(sum.terms.begin(), sum.terms.end(), [](const Term &term) {
    return term.kind == Term::Interval;
  });
}

/// Adds the elements of an access.
void Evaluator::touch(const AccessWork &access, double often, Touched &all) {
  const chirt_field *field = fieldOf(access.argument);
  bool isFirst = all.times == 0;
  for (size_t axis = 0; axis < access.index.size(); ++axis) {
    double extent = double(field->extents[axis]);
    auto least = valueOf(access.index[axis], Which::Least);
    auto greatest = valueOf(access.index[axis], Which::Greatest);
    if (!least || !greatest || isBoundOnly(access.index[axis]))
      byteQuality = worse(byteQuality, Quality::Estimated);
    double from = std::clamp(least.value_or(0), 0.0, extent);
    double to = std::clamp(greatest.value_or(extent - 1) + 1, from, extent);
    if (isFirst) {
      all.from.push_back(from), all.to.push_back(to);
    } else {
      all.from[axis] = std::min(all.from[axis], from);
      all.to[axis] = std::max(all.to[axis], to);
    }
  }
  all.times += often;
  all.components.insert(access.component);
}

double Evaluator::bytesOf(const Touched &all, int64_t argument) {
  const chirt_field *field = fieldOf(argument);
  double scalars = double(field->rows) * double(field->columns);
  if (!all.components.count(-1))
    scalars = std::min(scalars, double(all.components.size()));
  for (size_t axis = 0; axis < all.from.size(); ++axis)
    scalars *= all.to[axis] - all.from[axis];
  return std::min(scalars, all.times) * double(scalarBytes(field->dtype));
}

void Evaluator::addBytes(LaunchWork &work) {
  countAccesses(task.body, iterations());
  std::map<Key, Touched> touched;
  for (size_t k = 0; k < task.accesses.size(); ++k) {
    const AccessWork &access = task.accesses[k];
    if (!fieldOf(access.argument) || times[k] == 0)
      continue;
    for (bool isWrite : {false, true})
      if (isWrite ? access.writes : access.reads)
        touch(access, times[k], touched[{access.argument, isWrite}]);
  }
  for (const auto &[key, all] : touched)
    (key.second ? work.bytesWritten : work.bytesRead) +=
        bytesOf(all, key.first);
  work.byteQuality = byteQuality;
}

LaunchWork Evaluator::evaluate() {
  LaunchWork work;
  if (iterations() == 0)
    return work;
  Count count = countOf(task.body);
  work.flopQuality = count.quality;
  if (count.quality != Quality::Unknown) {
    work.flops32 = count.flops32 * iterations();
    work.flops64 = count.flops64 * iterations();
    work.functions = count.functions * iterations();
  }
  addBytes(work);
  return work;
}

LaunchWork chi::profile::workOfLaunch(const TaskWork &task,
                                      const chirt_launch_record &launch) {
  return Evaluator(task, launch).evaluate();
}
