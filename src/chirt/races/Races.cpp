//===- Races.cpp - --check=races ------------------------------------------===//
// Launches run on the caller while races are looked for, so the table needs no
// lock and the first conflict is the same in every run. A device's accesses
// come in the same order when a part of its launch is over.
#include "chirt/races/Races.h"

#include "chirt/failure/Failure.h"
#include "chirt/support/Memory.h"
#include "chirt/text/Output.h"
#include <bit>
#include <pthread.h>

namespace chirt {

namespace {
/// Slots of which the memory is kept for the next launch: 100 MB.
constexpr size_t kKept = size_t(1) << 20;

/// What one iteration did to a scalar: a bit for each kind of access.
struct Access {
  int64_t iteration;
  uint32_t kinds;
  int32_t last; ///< the latest kind, by `site`
  const chirt_site *site;
  int32_t earlier; ///< the kind before it, by `earlierSite`; null if none
  const chirt_site *earlierSite;
};

/// What the running launch did to one scalar. Two iterations that agree are
/// kept: any third one differs from one of them.
struct Seen {
  const void *address;
  Access by[2];
};

struct RaceTable {
  Array<Seen> slots;
  size_t count = 0;
  bool isOpen = false;
  int rank = 0;
  /// First index and extent of each axis.
  int64_t bounds[2 * CHIRT_MAX_RANK] = {};
  int32_t before = 0; ///< instrumentedLaunches outside of the launch
  /// Held from begin to end: one instrumented launch of a host at a time.
  pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
};
[[clang::no_destroy]] constinit RaceTable table;

/// Neighbours stay together: the table is far larger than the caches.
size_t hashOf(const void *address) {
  uint64_t bits = reinterpret_cast<uintptr_t>(address);
  uint64_t block = ((bits >> 5) * 0x9E3779B97F4A7C15) >> 20;
  return size_t(block << 3 | (bits >> 2 & 7));
}

Seen &slotOf(Array<Seen> &slots, const void *address) {
  size_t mask = slots.size() - 1, at = hashOf(address) & mask;
  while (slots[at].address && slots[at].address != address)
    at = (at + 1) & mask;
  return slots[at];
}

/// A launch that touches more than memory has room for is not watched on.
void giveUp(const chirt_site *site) {
  Text out;
  describeFailure(out, site, "warning",
                  "out of memory while checking this loop for races; "
                  "`--check=none` disables this check",
                  nullptr);
  writeError(out);
  table.isOpen = false;
}

void growTo(size_t size) {
  Array<Seen> larger;
  larger.resize(size);
  for (const Seen &seen : table.slots)
    if (seen.address)
      slotOf(larger, seen.address) = seen;
  larger.swap(table.slots);
}

uint32_t bitOf(int32_t kind) { return uint32_t(1) << (kind & 31); }

bool isOnlyLoaded(const Access &access) {
  return access.kinds == bitOf(CHIRT_RACE_ATOMIC_LOAD);
}

/// Whether another iteration may do `kind` to a scalar. Reads go together,
/// updates of one kind go together, and so do stores of one same value; atomic
/// loads go beside all but stores.
bool agrees(uint32_t before, int32_t kind) {
  uint32_t stores = bitOf(CHIRT_RACE_STORE) | bitOf(CHIRT_RACE_STORE_SAME);
  uint32_t load = bitOf(CHIRT_RACE_ATOMIC_LOAD);
  if (kind == CHIRT_RACE_ATOMIC_LOAD)
    return !(before & stores);
  if (before == load)
    return !(bitOf(kind) & stores);
  if (before & load && bitOf(kind) & stores)
    return false;
  return (before & ~load) == bitOf(kind) && kind != CHIRT_RACE_STORE;
}

/// The same iteration goes on. An atomic load conflicts with nothing that the
/// rest does not conflict with, so it is not what a race is explained by.
void add(Access &access, int32_t kind, const chirt_site *site) {
  bool tellsMore = kind != CHIRT_RACE_ATOMIC_LOAD || isOnlyLoaded(access);
  access.kinds |= bitOf(kind);
  if (!tellsMore)
    return;
  if (kind != access.last)
    access.earlier = access.last, access.earlierSite = access.site;
  access.last = kind, access.site = site;
}

/// The access that explains why `kind` of another iteration conflicts: the
/// latest, or the one before it if the latest would agree.
Access explain(Access access, int32_t kind) {
  if (access.earlierSite && agrees(bitOf(access.last), kind))
    access.last = access.earlier, access.site = access.earlierSite;
  return access;
}

bool isUpdate(int32_t kind) {
  return kind >= CHIRT_RACE_UPDATE && kind != CHIRT_RACE_ATOMIC_LOAD;
}

/// Where an iteration that has not been seen goes. One that only loads agrees
/// with most, so it does not take the place of one that tells more.
Access *placeFor(Access (&by)[2], int32_t kind) {
  if (kind != CHIRT_RACE_ATOMIC_LOAD)
    return isOnlyLoaded(by[0]) ? &by[0] : &by[1];
  bool areFull = by[0].iteration != by[1].iteration && !isOnlyLoaded(by[1]);
  return areFull ? nullptr : &by[1];
}

const char *verbOf(int32_t kind) {
  switch (kind) {
  case CHIRT_RACE_READ:
  case CHIRT_RACE_ATOMIC_LOAD:
    return "reads";
  case CHIRT_RACE_STORE:
  case CHIRT_RACE_STORE_SAME:
    return "stores to";
  default:
    return "updates";
  }
}

/// "iteration (i, j) = (2, 3)"; the number itself where no names are known.
void appendIteration(Text &out, const chirt_site *site, int64_t number) {
  out << "iteration ";
  std::string_view names = site->axes ? site->axes : "";
  bool isTuple = table.rank > 1;
  if (!names.empty())
    out << (isTuple ? "(" : "") << names << (isTuple ? ") = (" : " = ");
  else if (isTuple)
    out << '(';
  int64_t indices[CHIRT_MAX_RANK];
  for (int axis = table.rank - 1; axis >= 0; --axis) {
    int64_t extent = table.bounds[2 * axis + 1];
    indices[axis] = table.bounds[2 * axis] + (axis ? number % extent : number);
    number /= extent;
  }
  if (table.rank == 1)
    indices[0] = loopValue(indices[0]);
  for (int axis = 0; axis < table.rank; ++axis)
    out << (axis ? ", " : "") << static_cast<long long>(indices[axis]);
  if (isTuple)
    out << ')';
}

void reportRace(const chirt_site *site, int64_t iteration, int32_t kind,
                const Access &before) {
  Text text, note;
  text << "race on `" << site->what << "`: ";
  appendIteration(text, site, iteration);
  text << ' ' << verbOf(kind) << " the element that ";
  appendIteration(text, before.site, before.iteration);
  text << ' ' << verbOf(before.last);
  if (kind == before.last)
    text << " too";
  else if (isUpdate(kind) && isUpdate(before.last))
    text << " by another operation";
  // One field by two names: as two parameters, or by an assignment.
  if (std::string_view(site->what) != before.site->what)
    text << " as `" << before.site->what << '`';
  appendIteration(note, before.site, before.iteration);
  note << ' ' << verbOf(before.last) << " it here";
  failTask(site, text, before.site, note);
}
} // namespace

void beginRaces(int32_t rank, const int64_t *bounds) {
  pthread_mutex_lock(&table.lock);
  table.rank = rank < CHIRT_MAX_RANK ? rank : CHIRT_MAX_RANK;
  for (int k = 0; k < 2 * table.rank; ++k)
    table.bounds[k] = bounds[k];
  // The next launch of a loop is mostly as large as the one before it.
  size_t size = std::bit_ceil(2 * table.count + 1024);
  if (size > kKept)
    size = 1024;
  table.slots.clear();
  table.slots.resize(size); // in memory that it has
  table.count = 0;
  table.isOpen = true;
  table.before = instrumentedLaunches;
  __atomic_store_n(&instrumentedLaunches, 1, __ATOMIC_RELAXED);
}

void endRaces() {
  table.isOpen = false;
  chirt_loop_values(0, 1);
  __atomic_store_n(&instrumentedLaunches, table.before, __ATOMIC_RELAXED);
  table.slots.clear();
  if (table.count > kKept / 2)
    Array<Seen>().swap(table.slots);
  pthread_mutex_unlock(&table.lock);
}

bool findRace(const chirt_site *site, const void *address, int64_t iteration,
              int32_t kind) {
  if (!table.isOpen)
    return false;
  if (table.count * 2 >= table.slots.size()) {
    size_t size = table.slots.size() * 2;
    if (size > kKept && !fitsInMemory(int64_t(size * sizeof(Seen)))) {
      giveUp(site);
      return false;
    }
    growTo(size);
  }
  Seen &seen = slotOf(table.slots, address);
  Access now{iteration, bitOf(kind), kind, site, 0, nullptr};
  if (!seen.address) {
    seen = {address, {now, now}};
    ++table.count;
    return false;
  }
  bool isKnown = false;
  for (Access &before : seen.by) {
    if (before.iteration != iteration && !agrees(before.kinds, kind)) {
      reportRace(site, iteration, kind, explain(before, kind));
      table.isOpen = false;
      return true;
    }
    if (before.iteration == iteration) {
      isKnown = true;
      add(before, kind, site);
    }
  }
  if (Access *place = isKnown ? nullptr : placeFor(seen.by, kind))
    *place = now;
  return false;
}

namespace {
constinit bool (*isWatchedHere)(const chirt_task *task) = nullptr;

bool isWatched(const chirt_task *task) {
  return (task->flags & CHIRT_TASK_INSTRUMENTED) != 0 &&
         (!isWatchedHere || isWatchedHere(task));
}

void beginWatch(const chirt_task *task, const int64_t *,
                const chirt_domain *domain) {
  int64_t bounds[2 * CHIRT_MAX_RANK];
  for (int axis = 0; axis < task->rank; ++axis) {
    int64_t from = domain->from[axis], to = domain->to[axis];
    bounds[2 * axis] = from;
    bounds[2 * axis + 1] = to > from ? to - from : 0;
  }
  beginRaces(task->rank, bounds);
  // Messages of what the launch finds count as the source does.
  if (domain->step != 0)
    chirt_loop_values(domain->begin, domain->step);
}
} // namespace

void watchRacesWhere(bool (*isWanted)(const chirt_task *task)) {
  isWatchedHere = isWanted;
}

constinit const LaunchObserver raceObserver = {
    .isWanted = isWatched,
    .begin = beginWatch,
    .end = endRaces,
    .access = findRace,
};

} // namespace chirt

using namespace chirt;

void chirt_race_access(const chirt_site *site, const void *address,
                       int64_t iteration, int32_t kind) {
  if (!table.isOpen)
    return;
  bool hasAnyFailed = __atomic_load_n(&chirt_failed, __ATOMIC_RELAXED) != 0;
  if (!hasAnyFailed || !hasTaskFailed())
    findRace(site, address, iteration, kind);
}
