//===- Str.cpp ------------------------------------------------------------===//
#include "chirt/text/Str.h"

#include "chirt/chirt.h"
#include "chirt/text/Text.h"
#include <pthread.h>

namespace chirt {

namespace {
struct Counted {
  const char *text; ///< null: an empty slot
  int64_t references;
};

/// The strs that are alive, by open addressing: never more than half full.
struct Strs {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Array<Counted> slots;
  size_t count = 0;
};
[[clang::no_destroy]] constinit Strs strs;

/// Where the search for a str begins.
size_t homeOf(const char *text) {
  auto bits = uint64_t(reinterpret_cast<uintptr_t>(text)) >> 4;
  return size_t(bits * 0x9e3779b97f4a7c15 >> 20) & (strs.slots.size() - 1);
}

size_t next(size_t at) { return (at + 1) & (strs.slots.size() - 1); }

/// The slot of a str, or the empty one where it would go.
size_t slotOf(const char *text) {
  size_t at = homeOf(text);
  while (strs.slots[at].text && strs.slots[at].text != text)
    at = next(at);
  return at;
}

void growSlots() {
  Array<Counted> old;
  old.resize(strs.slots.empty() ? 64 : strs.slots.size() * 2);
  old.swap(strs.slots);
  for (const Counted &one : old)
    if (one.text)
      strs.slots[slotOf(one.text)] = one;
}

/// Empties a slot. Entries after it whose search begins before it move up, so
/// that no search ends too early (Knuth, algorithm 6.4R).
void emptySlot(size_t hole) {
  size_t mask = strs.slots.size() - 1;
  for (size_t at = next(hole); strs.slots[at].text; at = next(at)) {
    size_t home = homeOf(strs.slots[at].text);
    if (((at - home) & mask) < ((at - hole) & mask))
      continue;
    strs.slots[hole] = strs.slots[at];
    hole = at;
  }
  strs.slots[hole] = {};
  --strs.count;
}

/// The slot of a str that was made; null for a literal, and for none. Needs the
/// lock.
Counted *find(const char *text) {
  if (!text || strs.count == 0)
    return nullptr;
  Counted &slot = strs.slots[slotOf(text)];
  return slot.text ? &slot : nullptr;
}
} // namespace

const char *makeStr(std::string_view text) {
  auto *made = static_cast<char *>(malloc(text.size() + 1));
  if (!made)
    outOfMemory();
  if (!text.empty()) // whose place may be null
    memcpy(made, text.data(), text.size());
  made[text.size()] = '\0';
  pthread_mutex_lock(&strs.lock);
  if (strs.count * 2 >= strs.slots.size())
    growSlots();
  strs.slots[slotOf(made)] = {made, 1};
  ++strs.count;
  pthread_mutex_unlock(&strs.lock);
  return made;
}

size_t numLivingStrs() {
  pthread_mutex_lock(&strs.lock);
  size_t count = strs.count;
  pthread_mutex_unlock(&strs.lock);
  return count;
}

} // namespace chirt

using namespace chirt;

void chirt_str_retain(const char *text) {
  pthread_mutex_lock(&strs.lock);
  if (Counted *known = find(text))
    ++known->references;
  pthread_mutex_unlock(&strs.lock);
}

void chirt_str_release(const char *text) {
  char *unused = nullptr;
  pthread_mutex_lock(&strs.lock);
  if (Counted *known = find(text); known && --known->references == 0) {
    unused = const_cast<char *>(known->text);
    emptySlot(size_t(known - strs.slots.data()));
  }
  pthread_mutex_unlock(&strs.lock);
  free(unused);
}
