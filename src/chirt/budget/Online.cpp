//===- Online.cpp - Snapshots of a loop of unknown length -----------------===//
#include "chirt/budget/Online.h"

namespace chirt {

bool Snapshots::hasIn(int64_t from, int64_t to) const {
  size_t low = 0, high = kept.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (kept[middle].step < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low < kept.size() && kept[low].step <= to;
}

/// The last one in front of one of a higher level; -1: there is none.
int64_t Snapshots::dispensable() const {
  int32_t highest = -1;
  for (size_t k = kept.size(); k-- > 1;) {
    if (kept[k].level < highest)
      return int64_t(k);
    if (kept[k].level > highest)
      highest = kept[k].level;
  }
  return -1;
}

int64_t Snapshots::removeAt(int64_t number) {
  int64_t step = kept[size_t(number)].step;
  for (size_t k = size_t(number); k + 1 < kept.size(); ++k)
    kept[k] = kept[k + 1];
  kept.pop();
  return step;
}

int64_t Snapshots::add(int64_t step, int64_t most) {
  if (size() < most) {
    kept.push({step, 0});
    return -1;
  }
  if (size() == 1)
    return step;
  int64_t number = dispensable();
  int32_t level = number < 0 ? kept[kept.size() - 1].level + 1 : 0;
  int64_t dropped = removeAt(number < 0 ? size() - 1 : number);
  kept.push({step, level});
  return dropped;
}

int64_t Snapshots::drop() {
  if (size() == 1)
    return -1;
  int64_t number = dispensable();
  return removeAt(number < 0 ? size() - 1 : number);
}

} // namespace chirt
