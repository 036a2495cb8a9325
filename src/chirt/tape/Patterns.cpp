//===- Patterns.cpp - What equal launches have in common ------------------===//
#include "chirt/tape/Patterns.h"

namespace chirt {

/// Those of a pack, behind the words of the arguments.
static bool isDomainOf(const int64_t *tuple, const chirt_task *task,
                       const chirt_domain *domain) {
  const int64_t *bounds = tuple + task->num_arguments;
  for (int axis = 0; axis < task->rank; ++axis)
    if (bounds[2 * axis] != domain->from[axis] ||
        bounds[2 * axis + 1] != domain->to[axis])
      return false;
  return true;
}

bool isTupleOf(const int64_t *tuple, const chirt_task *task,
               const int64_t *words, const chirt_domain *domain) {
  const int64_t *step = tuple + task->num_arguments + 2 * task->rank;
  for (int k = 0; k < task->num_arguments; ++k)
    if (tuple[k] != words[k])
      return false;
  return step[0] == domain->begin && step[1] == domain->step &&
         isDomainOf(tuple, task, domain);
}

chirt_domain domainOf(const int64_t *tuple, const chirt_task *task) {
  chirt_domain domain = {};
  const int64_t *from = tuple + task->num_arguments;
  for (int axis = 0; axis < task->rank; ++axis)
    domain.from[axis] = *from++, domain.to[axis] = *from++;
  domain.begin = from[0], domain.step = from[1];
  return domain;
}

/// Scalars have no part in a pattern.
bool Patterns::has(const InternedTuples &tuples, int32_t number,
                   const chirt_task *task, const int64_t *words,
                   const chirt_domain *domain) const {
  const Pattern &known = patterns[size_t(number)];
  if (known.task != task)
    return false;
  const int64_t *tuple = tuples.at(known.tuple);
  for (int k = 0; k < task->num_arguments; ++k)
    if (tuple[k] != words[k] && task->arguments[k].is_field)
      return false;
  return isDomainOf(tuple, task, domain);
}

static uint64_t hashOf(const chirt_task *task, const int64_t *words,
                       const chirt_domain *domain) {
  uint64_t hash = mixed(reinterpret_cast<uintptr_t>(task));
  for (int k = 0; k < task->num_arguments; ++k)
    if (task->arguments[k].is_field)
      hash = mixed(hash ^ uint64_t(words[k]));
  for (int axis = 0; axis < task->rank; ++axis)
    hash = mixed(mixed(hash ^ uint64_t(domain->from[axis])) ^
                 uint64_t(domain->to[axis]));
  return hash;
}

int32_t Patterns::find(const InternedTuples &tuples, const chirt_task *task,
                       const int64_t *words, const chirt_domain *domain) {
  // What came behind the latest launch before comes behind it again.
  int32_t before = latest;
  if (before >= 0) {
    latest = patterns[size_t(before)].follower;
    if (latest >= 0 && has(tuples, latest, task, words, domain))
      return latest;
  }
  latest = -1, leader = before;
  if (!byHash.empty()) {
    uint64_t hash = hashOf(task, words, domain);
    latest = byHash[hash & (byHash.size() - 1)] - 1;
    while (latest >= 0 && (patterns[size_t(latest)].hash != hash ||
                           !has(tuples, latest, task, words, domain)))
      latest = patterns[size_t(latest)].below;
  }
  if (before >= 0 && latest >= 0)
    patterns[size_t(before)].follower = latest;
  return latest;
}

void Patterns::rehash() {
  byHash.clear();
  byHash.resize(patterns.empty() ? 64 : 4 * patterns.size());
  for (size_t k = 0; k < patterns.size(); ++k) {
    int32_t &first = byHash[patterns[k].hash & (byHash.size() - 1)];
    patterns[k].below = std::exchange(first, int32_t(k) + 1) - 1;
  }
}

int32_t Patterns::make(const chirt_task *task, const int64_t *words,
                       const chirt_domain *domain, int64_t tuple) {
  // The size is a power of two.
  if (2 * patterns.size() >= byHash.size())
    rehash();
  uint64_t hash = hashOf(task, words, domain);
  latest = int32_t(patterns.size());
  int32_t &first = byHash[hash & (byHash.size() - 1)];
  patterns.push({task,
                 hash,
                 tuple,
                 -1,
                 std::exchange(first, latest + 1) - 1,
                 -1,
                 {},
                 {},
                 false});
  if (leader >= 0)
    patterns[size_t(leader)].follower = latest;
  return latest;
}

int32_t Patterns::keepBox(const Box &box, int rank) {
  auto offset = int32_t(bounds.size());
  for (int k = 0; k < rank; ++k) {
    bounds.push(box.from[k]);
    bounds.push(box.to[k]);
  }
  return offset;
}

} // namespace chirt
